"""The status of a ResourceClaim: gated fields, removal of stale entries, validation."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Any

from dra_conform.apiserver import authorization, limits, naming
from dra_conform.apiserver.claim_spec import request_reference, request_references
from dra_conform.apiserver.common_fields import (
    binding_conditions,
    conditions,
    config,
    json_object,
)
from dra_conform.apiserver.device_capacity import named_quantities
from dra_conform.apiserver.device_taints import default_tolerations, tolerations
from dra_conform.apiserver.gated_fields import GatedField, is_filled
from dra_conform.apiserver.name_rules import driver, pool, pool_of_result
from dra_conform.apiserver.node_access import NODE_SELECTOR
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.strategy import Review
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import (
    Rule,
    anything,
    every,
    fields,
    items,
    one_of,
    required,
    same,
    string,
    strings,
    unique,
)
from dra_conform.kube.switches.api_server import ApiServerSwitches

_RESULTS = "status.allocation.devices.results.*"
_SHARING = ("DRAConsumableCapacity",)
_BINDING = ("DRADeviceBindingConditions",)
_BINDING_AND_STATUS = (*_BINDING, "DRAResourceClaimDeviceStatus")


def _both_gates(switches: ApiServerSwitches) -> bool:
    return switches.binding_needs_status


def _own_gate(switches: ApiServerSwitches) -> bool:
    return not switches.binding_needs_status


GATED = (
    GatedField(("DRAResourceClaimDeviceStatus",), "status.devices", is_filled),
    GatedField(("DRAAdminAccess",), f"{_RESULTS}.adminAccess"),
    GatedField(_SHARING, f"{_RESULTS}.shareID"),
    GatedField(_SHARING, f"{_RESULTS}.consumedCapacity"),
    GatedField(_SHARING, "status.devices.*.shareID"),
    GatedField(_BINDING, f"{_RESULTS}.bindingConditions", dropped_if=_own_gate),
    GatedField(_BINDING, f"{_RESULTS}.bindingFailureConditions", dropped_if=_own_gate),
    GatedField(_BINDING_AND_STATUS, f"{_RESULTS}.bindingConditions", is_filled, dropped_if=_both_gates),
    GatedField(
        _BINDING_AND_STATUS, f"{_RESULTS}.bindingFailureConditions", is_filled, dropped_if=_both_gates
    ),
    GatedField(_BINDING_AND_STATUS, "status.allocation.allocationTimestamp", dropped_if=_both_gates),
    GatedField(("DRADeviceCompatibilityGroups",), f"{_RESULTS}.compatibilityGroups"),
    GatedField(("DRAOptionalNodeOperations",), f"{_RESULTS}.skipNodeOperations", is_filled),
)
"""The gated fields of the status."""

_DeviceKey = tuple[Any, ...]


def default(status: Tree) -> None:
    """Set the default operator of tolerations in allocation results."""
    for result in _results(status):
        default_tolerations(result)


def drop_deallocated(status: Tree, stored: Tree) -> None:
    """Remove the `status.devices` entries of devices that are no longer allocated."""
    removed = {_key(result) for result in _results(stored)} - {_key(result) for result in _results(status)}
    if removed and "devices" in status:
        status["devices"] = [device for device in status["devices"] if _key(device) not in removed]


def validate(claim: Tree, stored: Tree, review: Review) -> None:
    """Validate a status against the stored one; an allocation can be set and removed but not changed."""
    status, errors, switches = claim.get("status", {}), review.errors, review.switches
    if not any(result.get("adminAccess") for result in _results(stored)):
        flags = (result.get("adminAccess") for result in _results(status))
        authorization.authorize_admin_access(
            flags, "status.allocation.devices.results", claim["metadata"], review
        )
    authorization.authorize_status(status, stored, review)
    _reserved_for(switches)(status, None, "status", errors)
    _devices(status, errors, switches)
    allocation, before = status.get("allocation"), stored.get("allocation")
    if status.get("reservedFor") and allocation is None:
        errors.forbidden("status.reservedFor", "may not be specified when `allocation` is not set")
    elif claim["metadata"].get("deletionTimestamp") and _reservations_added(status, stored):
        message = "new entries may not be added while `deletionTimestamp` is set"
        errors.forbidden("status.reservedFor", message)
    if allocation is not None and before is not None:
        if not same(allocation, before):
            errors.invalid("status.allocation", None, "field is immutable")
    elif allocation is not None:
        reference = request_reference(claim.get("spec", {}).get("devices", {}))
        _allocation(reference, switches)(allocation, None, "status.allocation", errors)


def _reservations_added(status: Tree, stored: Tree) -> bool:
    return any(consumer not in stored.get("reservedFor", []) for consumer in status.get("reservedFor", []))


def _results(status: Tree) -> list[Tree]:
    results: list[Tree] = status.get("allocation", {}).get("devices", {}).get("results", [])
    return results


def _key(device: Tree) -> _DeviceKey:
    """Return the key of a device or a shared allocation; an empty share ID equals an absent share ID."""
    return (*(device.get(name) for name in ("driver", "pool", "device")), device.get("shareID") or None)


@lru_cache
def _reserved_for(switches: ApiServerSwitches) -> Rule:
    mandatory = dict.fromkeys(("resource", "name", "uid"), required(anything))
    at = ".uid" if switches.unique_at_key else ""
    return fields({}, {"reservedFor": items(fields(mandatory), limits.RESERVED_FOR, "uid", at)})


def _devices(status: Tree, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    devices = status.get("devices", [])
    allocated = {_key(result) for result in _results(status)}
    for index, device in enumerate(devices):
        path = f"status.devices[{index}]"
        _device(switches)(device, None, path, errors)
        if _key(device) not in allocated:
            errors.invalid(path, list(_key(device)), "must be an allocated device in the claim")
    at = ".deviceID" if switches.unique_at_key else ""
    unique([_key(device) for device in devices], "status.devices", errors, at)


@lru_cache(maxsize=256)
def _allocation(reference: Rule, switches: ApiServerSwitches) -> Rule:
    optional = {"shareID": _uuid, "consumedCapacity": named_quantities(switches)}
    if switches.result_tolerations_validated:
        optional["tolerations"] = tolerations(switches)
    label = string(naming.dns_label)
    mandatory = {"request": reference, "driver": driver(switches), "pool": pool_of_result, "device": label}

    def binding(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        binding_conditions(value, path, errors)

    source = {"source": required(one_of("FromClaim", "FromClass"))}
    entry = every(fields(source, {"requests": request_references(reference)}), config(switches))
    results = items(every(fields(mandatory, optional), binding), limits.RESULTS)
    devices = fields({}, {"results": results, "config": items(entry, limits.ALLOCATED_CONFIG)})
    return fields({}, {"devices": devices, "nodeSelector": NODE_SELECTOR})


def _interface_name(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if len(value.encode()) > limits.INTERFACE_NAME_LENGTH.bound:
        limits.INTERFACE_NAME_LENGTH.exceeded(path, len(value), errors)


def _hardware_address(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if len(value.encode()) > limits.HARDWARE_ADDRESS_LENGTH.bound:
        limits.HARDWARE_ADDRESS_LENGTH.exceeded(path, len(value), errors)


def _address(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    try:
        canonical = ipaddress.ip_interface(value).with_prefixlen
    except ValueError:
        canonical = None
    if value != canonical:
        errors.invalid(path, value, "must be a valid address in CIDR form and canonical")


_uuid = string(naming.uuid)


@lru_cache
def _device(switches: ApiServerSwitches) -> Rule:
    each = conditions(switches)

    def limited(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if len(value) > limits.DEVICE_CONDITIONS.bound:
            limits.DEVICE_CONDITIONS.exceeded(path, len(value), errors)
        each(value, old, path, errors)

    network = {
        "interfaceName": _interface_name,
        "hardwareAddress": _hardware_address,
        "ips": strings(_address, limits.IPS),
    }
    mandatory = {"driver": driver(switches), "pool": pool, "device": string(naming.dns_label)}
    data = json_object(limits.DEVICE_DATA_LENGTH)
    optional = {"shareID": _uuid, "conditions": limited, "data": data, "networkData": fields({}, network)}
    return fields(mandatory, optional)
