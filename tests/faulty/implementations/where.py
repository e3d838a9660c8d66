"""Allocators that forget a rule in one circumstance: the taints in an alternative, the counters of a later claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.faulty.misreadings.question_facts import facts
from tests.reference.textbook import Taken, Textbook
from tests.reference.textbook_world import Device, amount

Json = Any
Where = Callable[["Forgetful", Device, Json], Any]


class Forgetful(Textbook):
    """Knows of which device it decides for what is asked; `here` is where it forgets."""

    where: Where

    def _take(
        self, key: str, claim: Json, name: str, asked: Json, device: Device, done: list[Taken]
    ) -> Iterator[Taken]:
        self.at: tuple[Device, Json, str, Sequence[Taken]] = (device, asked, key, done)
        yield from super()._take(key, claim, name, asked, device, done)

    def here(self) -> bool:
        device, asked, _, _ = self.at
        return bool(type(self).where(self, device, asked))


class ForgetsRounding(Forgetful):
    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        return value if self.here() else super().rounded(policy, value)


class ForgetsDefaults(Forgetful):
    def unrequested(self, capacity: Mapping[str, Json]) -> Fraction:
        return amount(capacity["value"]) if self.here() else super().unrequested(capacity)


class ForgetsShares(Forgetful):
    def remaining(self, device: Device, name: str) -> Fraction:
        return amount(device.capacity[name]["value"]) if self.here() else super().remaining(device, name)


class ForgetsTaints(Forgetful):
    def untolerated(self, device: Device, asked: Json) -> list[Json]:
        return [] if self.here() else super().untolerated(device, asked)


class ForgetsTolerations(Forgetful):
    def tolerates(self, toleration: Json, taint: Json) -> bool:
        return not self.here() and super().tolerates(toleration, taint)


class ForgetsCounters(Forgetful):
    def counted(self, device: Device) -> bool:
        return self.here() or super().counted(device)


class ForgetsGroups(Forgetful):
    def compatible(self, device: Device) -> bool:
        return self.here() or super().compatible(device)


class ForgetsConstraints(Forgetful):
    def _constrained(self, claim: Json, results: list[Taken]) -> bool:
        return self.here() or super()._constrained(claim, results)


class ForgetsTheRecord(Forgetful):
    def snapshot(self, device: Device) -> Mapping[str, Sequence[str]]:
        return {} if self.here() else super().snapshot(device)


class ForgetsHolders(Forgetful):
    def free(self, device: Device, claim: str, asked: Json) -> bool:
        return self.here() or super().free(device, claim, asked)


FORGOTTEN: Mapping[type[Forgetful], tuple[str, ...]] = {
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
"""What a question must have, one of them, so that it is forgotten."""

WHERE: Mapping[str, tuple[Where, str]] = {
    "in an alternative": (lambda self, device, asked: "name" in asked, "lists"),
    "where several are asked for": (lambda self, device, asked: asked.get("count", 1) > 1, "requests"),
    "in mode All": (lambda self, device, asked: asked.get("allocationMode") == "All", "all"),
    "beside tolerations": (lambda self, device, asked: asked.get("tolerations"), "tolerations"),
    "beside selectors": (lambda self, device, asked: asked.get("selectors"), "selectors"),
    "beside amounts": (lambda self, device, asked: self._asked(asked), "amounts of a request"),
    "without amounts": (lambda self, device, asked: not self._asked(asked), "requests"),
    "with administrative access": (lambda self, device, asked: self.is_admin(asked), "admin access"),
    "of shared devices": (lambda self, device, asked: device.shared, "shared devices"),
    "of partitions": (lambda self, device, asked: device.entries, "partitions"),
    "of devices with binding conditions": (lambda self, device, asked: device.body.get("bindingConditions"), "binding devices"),
    "of devices that choose their nodes": (lambda self, device, asked: device.spec.get("perDeviceNodeSelection"), "requests"),
    "of devices for all nodes": (lambda self, device, asked: device.source().get("allNodes"), "requests"),
    "behind the first slice": (lambda self, device, asked: device.spec is not device.pool.slices[0]["spec"], "slices"),
    "behind the first device of a request": (lambda self, device, asked: any(one.asked is asked for one in self.at[3]), "requests"),
    "behind the first request": (lambda self, device, asked: any(one.asked is not asked for one in self.at[3]), "requests"),
    "behind the first claim": (lambda self, device, asked: any(taken.claim not in ("", self.at[2]) for taken in self.taken), "claims"),
}  # fmt: skip
"""The circumstance, and what a question must have for it."""

NOT_WRONG = {
    (ForgetsRounding, "without amounts"),
    (ForgetsDefaults, "with administrative access"),
    (ForgetsShares, "with administrative access"),
    (ForgetsCounters, "with administrative access"),
    (ForgetsGroups, "with administrative access"),
    (ForgetsHolders, "with administrative access"),
    (ForgetsTolerations, "without amounts"),
}
"""What cannot be forgotten there, or may be."""


def forgetful() -> Iterator[tuple[str, Callable[[Json, Json], bool], type[Forgetful]]]:
    """Every rule forgotten in every circumstance: the name, when it can show, and the allocator."""
    for mistake, needs in FORGOTTEN.items():
        for name, (where, needed) in WHERE.items():
            if (mistake, name) not in NOT_WRONG:
                yield f"{mistake.__name__} {name}", _has(needs, needed), _forgetting(mistake, where)


def _forgetting(mistake: type[Forgetful], where: Where) -> type[Forgetful]:
    return type(mistake.__name__, (mistake,), {"where": staticmethod(where)})


def _has(needs: Sequence[str], needed: str) -> Callable[[Json, Json], bool]:
    def has(objects: Json, ask: Json) -> bool:
        found = facts(objects, ask)
        return any(found[need] for need in needs) and bool(found[needed])

    return has
