"""Validation of a device's node allocatable resources (KEP-5517), with the fields of 1.36 and of 1.37."""

from __future__ import annotations

from typing import Any

from dra_conform.apiserver.name_rules import qualified_name
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import Rule, one_of
from dra_conform.footprint.device_amounts import AccountingPolicy
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.api_server import ApiServerSwitches

_LISTED = ("cpu", "memory")
_HUGE_PAGES = "hugepages-"
_ZERO = Quantity(0)
POLICY = one_of(*AccountingPolicy)
"""The rule for an accounting policy, which exists in `kep-future` only."""


def validate(device: Tree, path: str, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    """Validate the entries: names of node resources, quantities, and capacities of the device."""
    capacity = device.get("capacity", {})
    capacity_key = _capacity_key(capacity, switches)
    for field, entry in (
        ("nodeAllocatableResourceMappings", _mapping_of_1_36),
        ("nodeAllocatableResources", _resource),
    ):
        for name, value in device.get(field, {}).items():
            entry_path = f"{path}.{field}[{name}]"
            validate_name(name, entry_path, errors, switches)
            entry(value, capacity_key, entry_path, errors)


def default_multipliers(device: Tree) -> None:
    """Set the default allocationMultiplier 1 of mappings."""
    for mapping in device.get("nodeAllocatableResourceMappings", {}).values():
        mapping.setdefault("allocationMultiplier", Quantity.whole(1))


def validate_name(name: str, path: str, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    """Validate that the name is one of a node resource."""
    if switches.node_resources_listed:
        valid = name in _LISTED or name.startswith(_HUGE_PAGES)
    else:
        valid = "/" not in name or "kubernetes.io/" in name
    if not valid:
        errors.invalid(path, name, "must be a node allocatable resource name")


def _mapping_of_1_36(mapping: Tree, capacity_key: Rule, path: str, errors: FieldErrors) -> None:
    if "allocationMultiplier" not in mapping and "capacityKey" not in mapping:
        errors.invalid(path, "", "at least one of allocationMultiplier or capacityKey must be set")
    _positive(mapping.get("allocationMultiplier"), f"{path}.allocationMultiplier", errors)
    if "accountingPolicy" in mapping:
        POLICY(mapping["accountingPolicy"], None, f"{path}.accountingPolicy", errors)
    capacity_key(mapping.get("capacityKey"), None, f"{path}.capacityKey", errors)


def _resource(resource: Tree, capacity_key: Rule, path: str, errors: FieldErrors) -> None:
    mapping, overhead = resource.get("mapping"), resource.get("overhead")
    if mapping is None and overhead is None:
        errors.required(path, "at least one of mapping or overhead must be set")
    if mapping is not None:
        _mapping(mapping, capacity_key, f"{path}.mapping", errors)
    if overhead is not None:
        _overhead(overhead, f"{path}.overhead", errors)


def _mapping(mapping: Tree, capacity_key: Rule, path: str, errors: FieldErrors) -> None:
    key, by_capacity = mapping.get("capacityKey"), mapping.get("capacityMultiplier")
    by_device = mapping.get("deviceMultiplier")
    if (key is None) == (by_device is None):
        errors.invalid(path, "", "exactly one of capacityKey and deviceMultiplier must be set")
    capacity_key(key, None, f"{path}.capacityKey", errors)
    if key is not None and by_capacity is None:
        errors.required(f"{path}.capacityMultiplier", "required when capacityKey is set")
    elif key is not None:
        _positive(by_capacity, f"{path}.capacityMultiplier", errors)
    elif by_capacity is not None:
        errors.required(f"{path}.capacityKey", "required when capacityMultiplier is set")
    _positive(by_device, f"{path}.deviceMultiplier", errors)


def _overhead(overhead: Tree, path: str, errors: FieldErrors) -> None:
    if not overhead:
        errors.invalid(path, "", "at least one of perPod or perContainer must be set")
    for name, quantity in overhead.items():
        if quantity < _ZERO:
            errors.invalid(f"{path}.{name}", str(quantity), "must be non-negative")


def _capacity_key(capacity: Tree, switches: ApiServerSwitches) -> Rule:
    """Return the rule for the name of one of the capacities of a device."""
    name = qualified_name(switches)

    def rule(key: Any, old: Any, path: str, errors: FieldErrors) -> None:
        before = len(errors)
        if key == "":
            errors.invalid(path, "", "must not be an empty string")
        elif key is not None and switches.capacity_key_named:
            name(key, None, path, errors)
        if key and len(errors) == before and key not in capacity:
            errors.not_found(path, key)

    return rule


def _positive(quantity: Quantity | None, path: str, errors: FieldErrors) -> None:
    if quantity is not None and quantity <= _ZERO:
        errors.invalid(path, str(quantity), "must be positive")
