"""The observations of a driver up to a step, which checks read."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.conformance.driver.answer import (
    Call,
    ClaimResult,
    DriverAnswer,
    Observation,
    PublishedPool,
)


@dataclass(frozen=True, slots=True)
class History:
    """The observations up to that of step `index`, from 0."""

    answer: DriverAnswer
    index: int

    @property
    def now(self) -> Observation:
        """The observation of this step."""
        return self.answer.observations[self.index]

    @property
    def before(self) -> Observation:
        """The observation before this step."""
        return self.answer.observations[self.index - 1] if self.index else self.answer.start

    def calls(self, kind: str, claim: str) -> list[Call]:
        """Return the calls of this step for a claim."""
        return [call for call in self.now.calls if call.call == kind and claim in call.asked]

    def prepared(self, claim: str, *, earlier: bool = False) -> ClaimResult | None:
        """Return the newest answer with devices for a claim, with `earlier` that before this step."""
        end = self.index if earlier else self.index + 1
        for observation in reversed(self.answer.observations[:end]):
            for call in reversed(observation.calls):
                result = call.claims.get(claim)
                if call.call == "prepare" and result is not None and not result.error:
                    return result
        return None


def device_numbers(pools: tuple[PublishedPool, ...]) -> list[int]:
    """Return the sorted numbers of the published devices of all pools."""
    return sorted(number for pool in pools for number in pool.devices)
