"""Allocators that ignore a rule under a condition, such as taints in a subrequest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.request_facts import facts
from tests.reference.textbook import Taken, Textbook
from tests.reference.textbook_world import Device, amount

Where = Callable[["IgnoresARule", Device, Json], Any]


class IgnoresARule(Textbook):
    """Textbook allocator that ignores a rule if `fault_applies` returns true for the current device and request."""

    where: Where

    def _take(
        self, key: str, claim: Json, name: str, requested: Json, device: Device, done: list[Taken]
    ) -> Iterator[Taken]:
        self.at: tuple[Device, Json, str, Sequence[Taken]] = (device, requested, key, done)
        yield from super()._take(key, claim, name, requested, device, done)

    def fault_applies(self) -> bool:
        device, requested, _, _ = self.at
        return bool(type(self).where(self, device, requested))


class ForgetsRounding(IgnoresARule):
    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        return value if self.fault_applies() else super().rounded(policy, value)


class ForgetsDefaults(IgnoresARule):
    def unrequested(self, capacity: Mapping[str, Json]) -> Fraction:
        return amount(capacity["value"]) if self.fault_applies() else super().unrequested(capacity)


class ForgetsShares(IgnoresARule):
    def remaining(self, device: Device, name: str) -> Fraction:
        return (
            amount(device.capacity[name]["value"])
            if self.fault_applies()
            else super().remaining(device, name)
        )


class ForgetsTaints(IgnoresARule):
    def untolerated(self, device: Device, requested: Json) -> list[Json]:
        return [] if self.fault_applies() else super().untolerated(device, requested)


class ForgetsTolerations(IgnoresARule):
    def tolerates(self, toleration: Json, taint: Json) -> bool:
        return not self.fault_applies() and super().tolerates(toleration, taint)


class ForgetsCounters(IgnoresARule):
    def counted(self, device: Device) -> bool:
        return self.fault_applies() or super().counted(device)


class ForgetsGroups(IgnoresARule):
    def compatible(self, device: Device) -> bool:
        return self.fault_applies() or super().compatible(device)


class ForgetsConstraints(IgnoresARule):
    def _constrained(self, claim: Json, results: list[Taken]) -> bool:
        return self.fault_applies() or super()._constrained(claim, results)


class ForgetsTheRecord(IgnoresARule):
    def snapshot(self, device: Device) -> Mapping[str, Sequence[str]]:
        return {} if self.fault_applies() else super().snapshot(device)


class ForgetsHolders(IgnoresARule):
    def free(self, device: Device, claim: str, requested: Json) -> bool:
        return self.fault_applies() or super().free(device, claim, requested)


FORGOTTEN: Mapping[type[IgnoresARule], tuple[str, ...]] = {
    ForgetsRounding: ("policies",),
    ForgetsDefaults: ("policies",),
    ForgetsShares: ("held shares", "shared devices"),
    ForgetsTaints: ("tainted devices", "rules"),
    ForgetsTolerations: ("tainted devices", "rules"),
    ForgetsCounters: ("partitions",),
    ForgetsGroups: ("grouped devices",),
    ForgetsConstraints: ("constraints",),
    ForgetsTheRecord: ("grouped devices",),
    ForgetsHolders: ("held devices",),
}
"""Facts of a request, of which at least one is needed for the fault to show."""

WHERE: Mapping[str, tuple[Where, str]] = {
    "in a subrequest": (lambda self, device, requested: "name" in requested, "lists"),
    "with a count above 1": (lambda self, device, requested: requested.get("count", 1) > 1, "requests"),
    "in mode All": (lambda self, device, requested: requested.get("allocationMode") == "All", "all"),
    "with tolerations": (lambda self, device, requested: requested.get("tolerations"), "tolerations"),
    "with selectors": (lambda self, device, requested: requested.get("selectors"), "selectors"),
    "with requested capacity": (lambda self, device, requested: self._requested_capacity(requested), "amounts of a request"),
    "without requested capacity": (lambda self, device, requested: not self._requested_capacity(requested), "requests"),
    "with adminAccess": (lambda self, device, requested: self.is_admin(requested), "admin access"),
    "of shared devices": (lambda self, device, requested: device.shared, "shared devices"),
    "of partitions": (lambda self, device, requested: device.entries, "partitions"),
    "of devices with binding conditions": (lambda self, device, requested: device.body.get("bindingConditions"), "binding devices"),
    "with perDeviceNodeSelection": (lambda self, device, requested: device.spec.get("perDeviceNodeSelection"), "requests"),
    "of devices for all nodes": (lambda self, device, requested: device.source().get("allNodes"), "requests"),
    "after the first slice": (lambda self, device, requested: device.spec is not device.pool.slices[0]["spec"], "slices"),
    "after the first device of a request": (lambda self, device, requested: any(taken.requested is requested for taken in self.at[3]), "requests"),
    "after the first request": (lambda self, device, requested: any(taken.requested is not requested for taken in self.at[3]), "requests"),
    "after the first claim": (lambda self, device, requested: any(taken.claim not in ("", self.at[2]) for taken in self.taken), "claims"),
}  # fmt: skip
"""Conditions by name, each with the fact of a request that it needs."""

NOT_WRONG = {
    (ForgetsRounding, "without requested capacity"),
    (ForgetsDefaults, "with adminAccess"),
    (ForgetsShares, "with adminAccess"),
    (ForgetsCounters, "with adminAccess"),
    (ForgetsGroups, "with adminAccess"),
    (ForgetsHolders, "with adminAccess"),
    (ForgetsTolerations, "without requested capacity"),
}
"""Combinations that are correct or impossible."""


def forgetful() -> Iterator[tuple[str, Callable[[Json, Json], bool], type[IgnoresARule]]]:
    """Yield every rule under every condition: name, predicate of requests at which it shows, allocator."""
    for mistake, needs in FORGOTTEN.items():
        for name, (where, needed) in WHERE.items():
            if (mistake, name) not in NOT_WRONG:
                yield f"{mistake.__name__} {name}", _has(needs, needed), _forgetting(mistake, where)


def _forgetting(mistake: type[IgnoresARule], where: Where) -> type[IgnoresARule]:
    return type(mistake.__name__, (mistake,), {"where": staticmethod(where)})


def _has(needs: Sequence[str], needed: str) -> Callable[[Json, Json], bool]:
    def has(objects: Json, ask: Json) -> bool:
        facts_of_request = facts(objects, ask)
        return any(facts_of_request[need] for need in needs) and bool(facts_of_request[needed])

    return has
