"""Rows of sweeps about counters: the consumption of a counter that several partitions share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform.conformance.steps.given import CLASS, DRIVER, NODE, RESOURCE
from dra_conform.kube.json_values import CheckedJson
from dra_conform.sweep.api_objects import claim_object, resource_slice
from dra_conform.sweep.quantities import WrittenQuantity

COUNTER_FACTORS = ("partitions", "scale", "consumes")
"""The factors of a row about counters. A sweep combines their value classes."""

_SET = "counters"


@dataclass(frozen=True, slots=True, eq=False)
class CounterRow:
    """A row: the value of a counter, the consumption of allocated partitions, and that of one more
    partition."""

    value: WrittenQuantity
    held: tuple[WrittenQuantity, ...]
    consumes: WrittenQuantity
    policy_class: str
    scale: str
    value_class: str

    @property
    def classes(self) -> tuple[str, str, str]:
        """The value class of each factor of `COUNTER_FACTORS`."""
        return (self.policy_class, self.scale, self.value_class)

    @property
    def family(self) -> str:
        """The name of the only rule: partitions together consume at most the value of the counter."""
        return "counter"

    def complexity(self) -> tuple[int, int]:
        """Return the number of parts and of characters of the row, by which the simplest row is found."""
        texts = [self.value.text, self.consumes.text, *(share.text for share in self.held)]
        return len(texts), sum(map(len, texts))

    def texts(self) -> dict[str, str | None]:
        """Return the quantities as written, by column of the outputs."""
        held = " ".join(share.text for share in self.held)
        return {"value": self.value.text, "held": held or None, "consumed": self.consumes.text}


def counter_slices(
    pool: str, counters: Sequence[str], partitions: Sequence[CheckedJson], *, same_slice: bool
) -> list[CheckedJson]:
    """Return the ResourceSlices of a pool with one counter set; `counters` are the values of c0, c1, ...

    Partitions are in a ResourceSlice of their own, unless they must be in that of their counters.
    """
    declared = [
        {"name": _SET, "counters": {f"c{place}": {"value": text} for place, text in enumerate(counters)}}
    ]
    if same_slice:
        only = resource_slice(pool, partitions)
        return [{**only, "spec": {**only["spec"], "sharedCounters": declared}}]
    with_devices = resource_slice(pool, partitions)
    place = {"name": pool, "generation": 1, "resourceSliceCount": 2}
    return [
        {**with_devices, "spec": {**with_devices["spec"], "pool": place}},
        {
            "apiVersion": RESOURCE,
            "kind": "ResourceSlice",
            "metadata": {"name": f"{pool}-counters"},
            "spec": {"driver": DRIVER, "pool": place, "nodeName": NODE, "sharedCounters": declared},
        },
    ]


def partition(name: str, row: int, consumed: Sequence[tuple[int, str]]) -> CheckedJson:
    """Return a device that consumes counters, given by index; the value of its attribute `row` selects it."""
    counters = {f"c{place}": {"value": text} for place, text in consumed}
    return {
        "name": name,
        "attributes": {"row": {"int": row}},
        "consumesCounters": [{"counterSet": _SET, "counters": counters}],
    }


def allocated_partition(name: str, pool: str, device: str) -> CheckedJson:
    """Return a ResourceClaim to which a partition is allocated."""
    exactly = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1}
    claim = claim_object(name, [{"name": "r0", "exactly": exactly}])
    result = {"request": "r0", "driver": DRIVER, "pool": pool, "device": device}
    return {**claim, "status": {"allocation": {"devices": {"results": [result]}}}}
