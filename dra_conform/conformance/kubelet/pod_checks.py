"""The checks of prepared and unprepared pods, and of calls to drivers: one class for each Then step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from dra_conform.conformance.kubelet.answer import Cgroup, DriverCall, KubeletHistory
from dra_conform.conformance.steps.step import Params
from dra_conform.kube.quantity import NANO, Quantity

QUOTA_OF_A_CPU = 100_000
"""The CPU quota of a cgroup that can use one CPU, in microseconds of each period of 100 ms."""


class Succeeds(Params, frozen=True, kw_only=True):
    """The kubelet prepares or unprepares a pod without an error, each time of the step."""

    pod: str
    call: Literal["prepare", "unprepare"] = "prepare"

    def problem(self, history: KubeletHistory) -> str:
        results = history.results(self.call, self.pod)
        if not results:
            return f"the kubelet does not {self.call} pod {self.pod} in this step"
        error = next((result.error for result in results if result.error), "")
        return f"the kubelet cannot {self.call} pod {self.pod}: {error}" if error else ""


class Fails(Params, frozen=True, kw_only=True):
    """Preparing or unpreparing a pod fails each time of the step, with an error that has the word `names`."""

    pod: str
    call: Literal["prepare", "unprepare"] = "prepare"
    names: str = ""

    def problem(self, history: KubeletHistory) -> str:
        results = history.results(self.call, self.pod)
        if not results:
            return f"the kubelet does not {self.call} pod {self.pod} in this step"
        for result in results:
            if not result.error:
                return f"the kubelet {self.call}s pod {self.pod} without an error, expected an error"
            if self.names and not _has_word(result.error, self.names):
                return f"the error is {result.error!r}, expected one that names {self.names!r}"
        return ""


def _has_word(text: str, word: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text))


class EndsWithin(Params, frozen=True, kw_only=True):
    """Preparing or unpreparing a pod takes at most a number of seconds."""

    pod: str
    seconds: float
    call: Literal["prepare", "unprepare"] = "prepare"

    def problem(self, history: KubeletHistory) -> str:
        results = history.results(self.call, self.pod)
        if not results:
            return f"the kubelet does not {self.call} pod {self.pod} in this step"
        longest = max(result.seconds for result in results)
        return (
            f"the call took {longest:.1f} seconds, expected {self.seconds:g}"
            if longest > self.seconds
            else ""
        )


class Called(Params, frozen=True, kw_only=True):
    """A driver is called `times` times in the step for `call`, each time for exactly these claims.

    `service` and `instance`, if given, are those of each call.
    """

    driver: str
    call: Literal["prepare", "unprepare"]
    resource_claims: tuple[str, ...]
    times: int = 1
    service: str = ""
    instance: int = 0

    def problem(self, history: KubeletHistory) -> str:
        calls = [call for call in history.now.calls if (call.driver, call.call) == (self.driver, self.call)]
        expected = sorted(self.resource_claims)
        if len(calls) != self.times or any(sorted(call.claims) != expected for call in calls):
            wanted = f"{self.times} for {', '.join(expected)}"
            return f"calls to {self.call}: {_listed(calls)}, expected {wanted}"
        for call in calls:
            if self.service and call.service != self.service:
                return f"the service is {call.service}, expected {self.service}"
            if self.instance and call.instance != self.instance:
                return f"instance {call.instance} is called, expected instance {self.instance}"
        return ""


class NotCalled(Params, frozen=True, kw_only=True):
    """No driver, or not this driver, is called in the step, by default for any call."""

    driver: str = ""
    call: Literal["", "prepare", "unprepare"] = ""

    def problem(self, history: KubeletHistory) -> str:
        calls = [
            call
            for call in history.now.calls
            if self.driver in ("", call.driver) and self.call in ("", call.call)
        ]
        return f"the kubelet calls {_listed(calls)}, expected no call" if calls else ""


class MustUnprepare(Params, frozen=True, kw_only=True):
    """Whether a pod still needs to be unprepared, so that the kubelet does not remove it yet."""

    pod: str
    needed: bool = True

    def problem(self, history: KubeletHistory) -> str:
        pod = history.now.pods.get(self.pod)
        if pod is None:
            return f"pod {self.pod} is not on the node"
        if pod.must_unprepare == self.needed:
            return ""
        return (
            f"pod {self.pod} still needs to be unprepared, expected that it does not"
            if pod.must_unprepare
            else f"pod {self.pod} does not need to be unprepared, expected that it does"
        )


class AsListed(Params, frozen=True, kw_only=True):
    """The Get call of the PodResources API returns the containers and claims that List returns."""

    pod: str

    def problem(self, history: KubeletHistory) -> str:
        pod = history.now.pods.get(self.pod)
        if pod is None or pod.alone is None:
            return f"PodResources Get does not return pod {self.pod}"
        for name, container in pod.containers.items():
            if pod.alone.get(name) != container.claims:
                what = "other claims" if name in pod.alone else "no entry"
                return f"PodResources Get has {what} for container {name}, expected those that List has"
        return ""


class CgroupSettings(Params, frozen=True, kw_only=True):
    """The cgroup of a pod has these CPU shares and exactly these limits; an empty limit is not set."""

    pod: str
    shares: int
    cpu_limit: str = ""
    memory_limit: str = ""

    def problem(self, history: KubeletHistory) -> str:
        pod = history.now.pods.get(self.pod)
        if pod is None or pod.cgroup is None:
            return f"the kubelet has no settings for the cgroup of pod {self.pod}"
        quota = _quantity_in(self.cpu_limit, NANO // QUOTA_OF_A_CPU)
        expected = Cgroup(self.shares, quota, _quantity_in(self.memory_limit, NANO))
        if pod.cgroup == expected:
            return ""
        return f"the cgroup of pod {self.pod} has {_settings(pod.cgroup)}, expected {_settings(expected)}"


def _quantity_in(quantity: str, unit: int) -> int | None:
    """Return a quantity in units of `unit` nano, None for an empty string."""
    return Quantity.parse(quantity).nano // unit if quantity else None


def _settings(cgroup: Cgroup) -> str:
    quota = "no CPU quota" if cgroup.cpu_quota is None else f"a CPU quota of {cgroup.cpu_quota}"
    memory = "no memory limit" if cgroup.memory is None else f"a memory limit of {cgroup.memory}"
    return f"{cgroup.cpu_shares} CPU shares, {quota} and {memory}"


def _listed(calls: Sequence[DriverCall]) -> str:
    words = (f"{call.driver} to {call.call} {', '.join(call.claims)}" for call in calls)
    return "; ".join(words) or "none"
