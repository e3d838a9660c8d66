"""Validation of one device of a ResourceSlice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.apiserver import (
    limits,
    naming,
    node_access,
    node_allocatable,
)
from dra_conform.apiserver.common_fields import binding_conditions
from dra_conform.apiserver.counter_sets import consumption
from dra_conform.apiserver.device_capacity import capacity
from dra_conform.apiserver.device_taints import effect, taint
from dra_conform.apiserver.name_rules import qualified_name
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import Rule, entries, fields, items, same, string, unless_stored
from dra_conform.kube.switches.api_server import ApiServerSwitches

LISTS = ("ints", "bools", "strings", "versions")
"""The fields of list attributes."""

_KINDS_OF_VALUE = ("int", "bool", "string", "version", *LISTS)


def device(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a device, without the checks that depend on its ResourceSlice."""
    name = qualified_name(switches)
    at_map = switches.keys_at_map
    limit = limits.TAINTS_BEFORE_1_35 if switches.few_taints else limits.TAINTS
    taints = items(_ignoring_stored(taint(switches)), limit)
    check = fields(
        {"name": string(naming.dns_label)},
        {
            "attributes": entries(name, _attribute(switches), keys_at_map=at_map),
            "taints": unless_stored(taints) if switches.stored_taints_trusted else taints,
            "consumesCounters": consumption(switches),
        },
    )
    shared = entries(name, capacity(switches, multiple_allocations=True), keys_at_map=at_map)
    exclusive = entries(name, capacity(switches, multiple_allocations=False), keys_at_map=at_map)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        check(value, old, path, errors)
        _sizes(value, path, errors, switches)
        capacity_rule = shared if value.get("allowMultipleAllocations") else exclusive
        if switches.stored_capacity_trusted:
            capacity_rule = unless_stored(capacity_rule)
        if "capacity" in value:
            capacity_rule(
                value["capacity"], None if old is None else old.get("capacity"), f"{path}.capacity", errors
            )
        binding_conditions(value, path, errors)
        node_allocatable.validate(value, path, errors, switches)

    return rule


def node_access_of(
    value: Tree, per_device: bool, path: str, errors: FieldErrors, switches: ApiServerSwitches
) -> None:
    """Validate that a device selects nodes if and only if its ResourceSlice has perDeviceNodeSelection."""
    if per_device:
        node_access.exactly_one(node_access.DEVICE_FIELDS, value, path, errors)
        if switches.device_selector_has_one_term and "nodeSelector" in value:
            node_access.one_term(value["nodeSelector"], f"{path}.nodeSelector", errors)
    elif any(name in value for name in node_access.DEVICE_FIELDS):
        names = ", ".join(node_access.DEVICE_FIELDS)
        errors.invalid(path, None, f"{names} can only be set if perDeviceNodeSelection is set to true")


def stored_effects(
    devices: Sequence[Tree], earlier: Sequence[Tree], errors: FieldErrors, switches: ApiServerSwitches
) -> None:
    """Validate again the effects of taints that the device already has."""
    known = {device.get("name"): device.get("taints") for device in earlier}
    for index, device in enumerate(devices):
        taints = device.get("taints", [])
        if same(taints, known.get(device.get("name"))):
            for number, each in enumerate(taints):
                path = f"spec.devices[{index}].taints[{number}].effect"
                effect(switches)(each.get("effect"), None, path, errors)


def _ignoring_stored(rule: Rule) -> Rule:
    """Return the rule with stored values ignored, so that all taints of a changed list are validated."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        rule(value, None, path, errors)

    return check


def _sizes(value: Tree, path: str, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    attributes = value.get("attributes", {})
    total = len(attributes) + len(value.get("capacity", {}))
    if total > limits.ATTRIBUTES_AND_CAPACITIES.bound:
        limits.ATTRIBUTES_AND_CAPACITIES.exceeded(path, total, errors)
    if switches.attribute_values_counted:
        values = sum(
            sum(len(attribute.get(name, ())) for name in LISTS) or 1 for attribute in attributes.values()
        )
        if values > limits.ATTRIBUTE_VALUES.bound:
            limits.ATTRIBUTE_VALUES.exceeded(path, values, errors)


def _attribute(switches: ApiServerSwitches) -> Rule:
    version = _version(switches)
    values = fields(
        {},
        {
            "string": _string,
            "version": version,
            **dict.fromkeys(("ints", "bools"), _list(None)),
            "strings": _list(_string),
            "versions": _list(version),
        },
    )

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        values(value, None, path, errors)
        none: tuple[Any, ...] = (None, []) if switches.empty_list_is_no_value else (None,)
        present = sum(value.get(name) not in none for name in _KINDS_OF_VALUE)
        if present == 0 and switches.empty_is_required:
            errors.required(path, "exactly one value must be specified")
        elif present != 1:
            errors.invalid(path, value, "exactly one value must be specified")

    return rule


def _list(rule: Rule | None) -> Rule:
    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if not value:
            errors.invalid(path, value, "must not be empty if specified")
        if rule is not None:
            for index, item in enumerate(value):
                rule(item, None, f"{path}[{index}]", errors)

    return check


def _string(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if len(value.encode()) > limits.ATTRIBUTE_LENGTH.bound:
        limits.ATTRIBUTE_LENGTH.exceeded(path, len(value), errors)


def _version(switches: ApiServerSwitches) -> Rule:
    digits = 18 if switches.version_numbers_limited else limits.ATTRIBUTE_LENGTH.bound

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for message in naming.semantic_version(value, digits):
            errors.invalid(path, value, message)
        _string(value, old, path, errors)

    return rule
