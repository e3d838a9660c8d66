"""Validation of counter sets, consumed counters, and compatibility groups (KEP-5963)."""

from __future__ import annotations

from typing import Any

from dra_conform.apiserver import limits, naming
from dra_conform.apiserver.limits import Limit
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import (
    Rule,
    anything,
    entries,
    fields,
    items,
    required,
    string,
    strings,
)
from dra_conform.kube.switches.api_server import ApiServerSwitches


def counter_sets(switches: ApiServerSwitches) -> Rule:
    """Return the rule for the counter sets of a ResourceSlice: distinct names, each with counters."""
    mandatory = {
        "name": required(string(naming.dns_label)),
        "counters": required(_counters(limits.COUNTERS, switches)),
    }
    limit = None if switches.counters_in_slice else limits.COUNTER_SETS
    return items(fields(mandatory), limit, key="name", duplicate_at=".name" if switches.unique_at_key else "")


def consumption(switches: ApiServerSwitches) -> Rule:
    """Return the rule for `consumesCounters`: distinct counter sets, each with counters and at most two
    groups."""
    in_slice = switches.counters_in_slice
    mandatory = {
        "counterSet": required(anything if in_slice else string(naming.dns_label)),
        "counters": required(_counters(limits.CONSUMED_COUNTERS, switches)),
    }
    groups = strings(string(naming.dns_label), limits.COMPATIBILITY_GROUPS)
    return items(
        fields(mandatory, {"compatibilityGroups": groups}),
        None if in_slice else limits.CONSUMPTIONS,
        key="counterSet",
        duplicate_at=".counterSet" if switches.unique_at_key else "",
    )


def _counters(limit: Limit, switches: ApiServerSwitches) -> Rule:
    return entries(
        string(naming.dns_label),
        anything,
        None if switches.counters_in_slice else limit,
        keys_at_map=switches.keys_at_map,
        key_length=naming.LABEL_LENGTH,
    )


def all_in_slice(spec: Tree, errors: FieldErrors) -> None:
    """Validate that devices consume counters of their own ResourceSlice, within the total limits."""
    sets = {each.get("name", ""): each.get("counters", {}) for each in spec.get("sharedCounters", [])}
    shared = sum(len(each.get("counters", {})) for each in spec.get("sharedCounters", []))
    if shared > limits.COUNTERS_OF_SLICE.bound:
        limits.COUNTERS_OF_SLICE.exceeded("spec.sharedCounters", shared, errors)
    consumed = 0
    for index, device in enumerate(spec.get("devices", [])):
        path = f"spec.devices[{index}]"
        own = sum(len(each.get("counters", {})) for each in device.get("consumesCounters", []))
        if own > limits.COUNTERS_OF_DEVICE.bound:
            limits.COUNTERS_OF_DEVICE.exceeded(path, own, errors)
        consumed += own
        for position, consumption in enumerate(device.get("consumesCounters", [])):
            _check_known(consumption, sets, f"{path}.consumesCounters[{position}]", errors)
    if consumed > limits.COUNTERS_OF_DEVICES.bound:
        limits.COUNTERS_OF_DEVICES.exceeded("spec.devices", consumed, errors)


def _check_known(consumed: Tree, sets: dict[str, Any], path: str, errors: FieldErrors) -> None:
    name = consumed.get("counterSet", "")
    if name not in sets:
        errors.invalid(f"{path}.counterSet", name, "must reference a counterSet defined in the ResourceSlice")
        return
    for counter in consumed.get("counters", {}):
        if counter not in sets[name]:
            message = "must reference a counter defined in the ResourceSlice"
            errors.invalid(f"{path}.counters", counter, message)
