"""Validation of a device's node allocatable resources (KEP-5517), as in 1.36 and as in 1.37."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import one_of
from dra_conform.footprint.accounting_policy import AccountingPolicy
from dra_conform.kube.quantity import Quantity

_LISTED = ("cpu", "memory")
_HUGE_PAGES = "hugepages-"
_ZERO = Quantity(0)
POLICY = one_of(*AccountingPolicy)
"""The rule for an accounting policy, which the documents sketch."""


def validate(device: Tree, path: str, errors: FieldErrors, strictness: Strictness) -> None:
    """Each entry is of a resource of nodes and says how much; a capacity it names is the device's own."""
    capacity = device.get("capacity", {})
    for field, entry in (
        ("nodeAllocatableResourceMappings", _amount),
        ("nodeAllocatableResources", _resource),
    ):
        for name, value in device.get(field, {}).items():
            place = f"{path}.{field}[{name}]"
            validate_name(name, place, errors, strictness)
            entry(value, capacity, place, errors)


def default_multipliers(device: Tree) -> None:
    """A mapping without a multiplier has the multiplier 1."""
    for mapping in device.get("nodeAllocatableResourceMappings", {}).values():
        mapping.setdefault("allocationMultiplier", Quantity.whole(1))


def validate_name(name: str, path: str, errors: FieldErrors, strictness: Strictness) -> None:
    """The resource must be one that nodes have themselves."""
    if strictness.node_resources_listed:
        valid = name in _LISTED or name.startswith(_HUGE_PAGES)
    else:
        valid = "/" not in name or "kubernetes.io/" in name
    if not valid:
        errors.invalid(path, name, "must be a node allocatable resource name")


def _amount(mapping: Tree, capacity: Tree, path: str, errors: FieldErrors) -> None:
    if "allocationMultiplier" not in mapping and "capacityKey" not in mapping:
        errors.invalid(path, "", "at least one of allocationMultiplier or capacityKey must be set")
    _positive(mapping.get("allocationMultiplier"), f"{path}.allocationMultiplier", errors)
    if "accountingPolicy" in mapping:
        POLICY(mapping["accountingPolicy"], None, f"{path}.accountingPolicy", errors)
    _capacity_key(mapping.get("capacityKey"), capacity, f"{path}.capacityKey", errors)


def _resource(resource: Tree, capacity: Tree, path: str, errors: FieldErrors) -> None:
    mapping, overhead = resource.get("mapping"), resource.get("overhead")
    if mapping is None and overhead is None:
        errors.required(path, "at least one of mapping or overhead must be set")
    if mapping is not None:
        _mapping(mapping, capacity, f"{path}.mapping", errors)
    if overhead is not None:
        _overhead(overhead, f"{path}.overhead", errors)


def _mapping(mapping: Tree, capacity: Tree, path: str, errors: FieldErrors) -> None:
    key, by_capacity = mapping.get("capacityKey"), mapping.get("capacityMultiplier")
    by_device = mapping.get("deviceMultiplier")
    if (key is None) == (by_device is None):
        errors.invalid(path, "", "exactly one of capacityKey and deviceMultiplier must be set")
    _capacity_key(key, capacity, f"{path}.capacityKey", errors)
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
    for name, amount in overhead.items():
        if amount < _ZERO:
            errors.invalid(f"{path}.{name}", str(amount), "must be non-negative")


def _capacity_key(key: Any, capacity: Tree, path: str, errors: FieldErrors) -> None:
    if key == "":
        errors.invalid(path, "", "must not be an empty string")
    elif key is not None and key not in capacity:
        errors.not_found(path, key)


def _positive(amount: Quantity | None, path: str, errors: FieldErrors) -> None:
    if amount is not None and amount <= _ZERO:
        errors.invalid(path, str(amount), "must be positive")
