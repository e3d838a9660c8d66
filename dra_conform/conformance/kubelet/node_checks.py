"""The checks of registrations, ResourceSlices and metrics: one class for each Then step."""

from __future__ import annotations

from dra_conform.conformance.kubelet.answer import KubeletHistory
from dra_conform.conformance.steps.step import Params


class Registered(Params, frozen=True, kw_only=True):
    """The latest registration status that an instance of a driver received is success."""

    driver: str
    instance: int = 1

    def problem(self, history: KubeletHistory) -> str:
        statuses = history.registrations(self.driver, self.instance)
        if not statuses:
            return f"driver {self.driver} has received no registration status"
        newest = statuses[-1]
        return "" if newest.registered else f"driver {self.driver} is rejected: {newest.error}"


class RegistrationRejected(Params, frozen=True, kw_only=True):
    """The latest registration status that an instance of a driver received is a rejection."""

    driver: str
    instance: int = 1

    def problem(self, history: KubeletHistory) -> str:
        statuses = history.registrations(self.driver, self.instance)
        if not statuses:
            return f"driver {self.driver} has received no registration status"
        return f"driver {self.driver} is registered, expected a rejection" if statuses[-1].registered else ""


class SlicesExist(Params, frozen=True, kw_only=True):
    """Whether ResourceSlices of a driver exist."""

    driver: str
    exist: bool = True

    def problem(self, history: KubeletHistory) -> str:
        names = history.now.slices.get(self.driver, ())
        if bool(names) == self.exist:
            return ""
        if names:
            return f"ResourceSlice {names[0]} of driver {self.driver} exists"
        return f"driver {self.driver} has no ResourceSlice"


class MetricValue(Params, frozen=True, kw_only=True):
    """The samples of a metric with these labels add up to a value, for histograms in their counts."""

    metric: str
    labels: dict[str, str]
    value: float

    def problem(self, history: KubeletHistory) -> str:
        found = [
            sample.value
            for sample in history.now.metrics
            if sample.name == self.metric and sample.labels.items() >= self.labels.items()
        ]
        labels = ", ".join(f"{name}={value}" for name, value in self.labels.items())
        total = sum(found)
        if total == self.value:
            return ""
        return f"{self.metric}{{{labels}}} is {total:g}, expected {self.value:g}"
