"""Validation of counter sets, consumed counters, and compatibility groups (KEP-5963)."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver import limits, naming
from dra_conform.controlplane.apiserver.limits import Limit
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import (
    Rule,
    anything,
    entries,
    fields,
    items,
    required,
    text,
    texts,
)


def counter_sets(strictness: Strictness) -> Rule:
    """The counter sets of a slice: names that differ, each with counters."""
    needed = {
        "name": required(text(naming.dns_label)),
        "counters": required(_counters(limits.COUNTERS, strictness)),
    }
    limit = None if strictness.counters_in_slice else limits.COUNTER_SETS
    return items(fields(needed), limit, key="name", duplicate_at=".name" if strictness.unique_at_key else "")


def consumption(strictness: Strictness) -> Rule:
    """What a device consumes: sets that differ, each with counters and at most two compatibility groups."""
    in_slice = strictness.counters_in_slice
    needed = {
        "counterSet": required(anything if in_slice else text(naming.dns_label)),
        "counters": required(_counters(limits.CONSUMED_COUNTERS, strictness)),
    }
    groups = texts(text(naming.dns_label), limits.COMPATIBILITY_GROUPS)
    return items(
        fields(needed, {"compatibilityGroups": groups}),
        None if in_slice else limits.CONSUMPTIONS,
        key="counterSet",
        duplicate_at=".counterSet" if strictness.unique_at_key else "",
    )


def _counters(limit: Limit, strictness: Strictness) -> Rule:
    return entries(
        text(naming.dns_label),
        anything,
        None if strictness.counters_in_slice else limit,
        keys_at_map=strictness.keys_at_map,
        key_length=naming.LABEL_LENGTH,
    )


def all_in_slice(spec: Tree, errors: FieldErrors) -> None:
    """Devices consume what their own slice has, and the counters of all sets and devices are limited."""
    sets = {one.get("name", ""): one.get("counters", {}) for one in spec.get("sharedCounters", [])}
    shared = sum(len(one.get("counters", {})) for one in spec.get("sharedCounters", []))
    if shared > limits.COUNTERS_OF_SLICE.bound:
        limits.COUNTERS_OF_SLICE.exceeded("spec.sharedCounters", shared, errors)
    consumed = 0
    for index, device in enumerate(spec.get("devices", [])):
        path = f"spec.devices[{index}]"
        own = sum(len(one.get("counters", {})) for one in device.get("consumesCounters", []))
        if own > limits.COUNTERS_OF_DEVICE.bound:
            limits.COUNTERS_OF_DEVICE.exceeded(path, own, errors)
        consumed += own
        for position, one in enumerate(device.get("consumesCounters", [])):
            _known(one, sets, f"{path}.consumesCounters[{position}]", errors)
    if consumed > limits.COUNTERS_OF_DEVICES.bound:
        limits.COUNTERS_OF_DEVICES.exceeded("spec.devices", consumed, errors)


def _known(consumed: Tree, sets: dict[str, Any], path: str, errors: FieldErrors) -> None:
    name = consumed.get("counterSet", "")
    if name not in sets:
        errors.invalid(f"{path}.counterSet", name, "must reference a counterSet defined in the ResourceSlice")
        return
    for counter in consumed.get("counters", {}):
        if counter not in sets[name]:
            message = "must reference a counter defined in the ResourceSlice"
            errors.invalid(f"{path}.counters", counter, message)
