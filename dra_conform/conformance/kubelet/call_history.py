"""The observations of a kubelet up to a step, which checks read."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.conformance.kubelet.answer import KubeletAnswer, Observation, PodResult, Registration


@dataclass(frozen=True, slots=True)
class History:
    """The observations up to that of step `index`, from 0."""

    answer: KubeletAnswer
    index: int

    @property
    def now(self) -> Observation:
        """The observation of this step."""
        return self.answer.observations[self.index]

    def results(self, call: str, pod: str) -> list[PodResult]:
        """Return the results of this step for a pod."""
        return [result for result in self.now.results if (result.call, result.pod) == (call, pod)]

    def registrations(self, driver: str, instance: int) -> list[Registration]:
        """Return the registration statuses sent to an instance of a driver up to this step, oldest first."""
        observations = (self.answer.start, *self.answer.observations[: self.index + 1])
        return [
            registration
            for observation in observations
            for registration in observation.registrations
            if (registration.driver, registration.instance) == (driver, instance)
        ]
