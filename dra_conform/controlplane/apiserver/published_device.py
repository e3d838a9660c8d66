"""Validation of one device of a ResourceSlice."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver import (
    binding_conditions,
    limits,
    naming,
    node_access,
    node_allocatable,
)
from dra_conform.controlplane.apiserver.counter_sets import consumption
from dra_conform.controlplane.apiserver.device_capacity import capacity
from dra_conform.controlplane.apiserver.device_taints import taint
from dra_conform.controlplane.apiserver.name_rules import qualified_name
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import Rule, entries, fields, items, text, unless_stored

LISTS = ("ints", "bools", "strings", "versions")
"""The fields of list-type attributes."""

_KINDS_OF_VALUE = ("int", "bool", "string", "version", *LISTS)


def device(strictness: Strictness) -> Rule:
    """All rules for a device but those that depend on the rest of its slice."""
    name = qualified_name(strictness)
    at_map = strictness.keys_at_map
    taints = items(_afresh(taint(strictness)), strictness.taints)
    check = fields(
        {"name": text(naming.dns_label)},
        {
            "attributes": entries(name, _attribute(strictness), keys_at_map=at_map),
            "taints": unless_stored(taints) if strictness.stored_taints_trusted else taints,
            "consumesCounters": consumption(strictness),
        },
    )
    shared = entries(name, capacity(strictness, multiple_allocations=True), keys_at_map=at_map)
    dedicated = entries(name, capacity(strictness, multiple_allocations=False), keys_at_map=at_map)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        check(value, old, path, errors)
        _sizes(value, path, errors, strictness)
        amounts = shared if value.get("allowMultipleAllocations") else dedicated
        if strictness.stored_capacity_trusted:
            amounts = unless_stored(amounts)
        if "capacity" in value:
            amounts(
                value["capacity"], None if old is None else old.get("capacity"), f"{path}.capacity", errors
            )
        binding_conditions.validate(value, path, errors)
        node_allocatable.validate(value, path, errors, strictness)

    return rule


def node_access_of(
    value: Tree, per_device: bool, path: str, errors: FieldErrors, strictness: Strictness
) -> None:
    """A device says which nodes reach it if its slice leaves that to the devices, and only then."""
    if per_device:
        node_access.exactly_one(node_access.OF_DEVICE, value, path, errors)
        if strictness.terms_of_devices_counted and "nodeSelector" in value:
            node_access.one_term(value["nodeSelector"], f"{path}.nodeSelector", errors)
    elif any(name in value for name in node_access.OF_DEVICE):
        names = ", ".join(node_access.OF_DEVICE)
        errors.invalid(path, None, f"{names} can only be set if perDeviceNodeSelection is set to true")


def _afresh(rule: Rule) -> Rule:
    """The rule without a look at the stored value: a changed list of taints is validated as a whole."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        rule(value, None, path, errors)

    return check


def _sizes(value: Tree, path: str, errors: FieldErrors, strictness: Strictness) -> None:
    attributes = value.get("attributes", {})
    together = len(attributes) + len(value.get("capacity", {}))
    if together > limits.ATTRIBUTES_AND_CAPACITIES.bound:
        limits.ATTRIBUTES_AND_CAPACITIES.exceeded(path, together, errors)
    if strictness.attribute_values_counted:
        values = sum(sum(len(one.get(name, ())) for name in LISTS) or 1 for one in attributes.values())
        if values > limits.ATTRIBUTE_VALUES.bound:
            limits.ATTRIBUTE_VALUES.exceeded(path, values, errors)


def _attribute(strictness: Strictness) -> Rule:
    values = fields(
        {},
        {
            "string": _string,
            "version": _version,
            **dict.fromkeys(("ints", "bools"), _list(None)),
            "strings": _list(_string),
            "versions": _list(_version),
        },
    )

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        values(value, None, path, errors)
        none: tuple[Any, ...] = (None, []) if strictness.empty_list_is_no_value else (None,)
        given = sum(value.get(name) not in none for name in _KINDS_OF_VALUE)
        if given == 0 and strictness.empty_is_required:
            errors.required(path, "exactly one value must be specified")
        elif given != 1:
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


def _version(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    for message in naming.semantic_version(value):
        errors.invalid(path, value, message)
    _string(value, old, path, errors)
