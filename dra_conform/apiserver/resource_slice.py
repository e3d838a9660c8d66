"""The strategy of ResourceSlice."""

from __future__ import annotations

from functools import lru_cache

from dra_conform.apiserver import counter_sets, limits, naming, node_access, published_device
from dra_conform.apiserver.device_taints import default_taint
from dra_conform.apiserver.gated_fields import GatedField, drop_disabled, is_filled
from dra_conform.apiserver.name_rules import driver, pool
from dra_conform.apiserver.node_allocatable import default_multipliers
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.strategy import Part, Review, Strategy
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import Rule, fields, items, same
from dra_conform.kube import resource
from dra_conform.kube.switches.api_server import ApiServerSwitches

_TAINTS = ("DRADeviceTaints",)
_PARTITIONABLE = ("DRAPartitionableDevices",)
_BINDING = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
_SHARING = ("DRAConsumableCapacity",)
_GROUPS = ("DRADeviceCompatibilityGroups",)
_NODE_RESOURCES = ("DRANodeAllocatableResources",)
_LISTS = ("DRAListTypeAttributes",)

GATED = (
    GatedField(_TAINTS, "spec.devices.*.taints", is_filled),
    GatedField(_PARTITIONABLE, "spec.sharedCounters", is_filled),
    GatedField(_PARTITIONABLE, "spec.perDeviceNodeSelection"),
    GatedField(_PARTITIONABLE, "spec.devices.*.consumesCounters", is_filled),
    GatedField(_PARTITIONABLE, "spec.devices.*.nodeName"),
    GatedField(_PARTITIONABLE, "spec.devices.*.nodeSelector"),
    GatedField(_PARTITIONABLE, "spec.devices.*.allNodes"),
    GatedField(_BINDING, "spec.devices.*.bindsToNode"),
    GatedField(_BINDING, "spec.devices.*.bindingConditions", is_filled),
    GatedField(_BINDING, "spec.devices.*.bindingFailureConditions", is_filled),
    GatedField(_SHARING, "spec.devices.*.allowMultipleAllocations"),
    GatedField(_SHARING, "spec.devices.*.capacity.*.requestPolicy"),
    GatedField(_GROUPS, "spec.devices.*.consumesCounters.*.compatibilityGroups", is_filled),
    GatedField(_NODE_RESOURCES, "spec.devices.*.nodeAllocatableResourceMappings", is_filled),
    GatedField(_NODE_RESOURCES, "spec.devices.*.nodeAllocatableResources", is_filled),
    GatedField(_LISTS, "spec.devices.*.attributes.*.ints"),
    GatedField(_LISTS, "spec.devices.*.attributes.*.bools"),
    GatedField(_LISTS, "spec.devices.*.attributes.*.strings"),
    GatedField(_LISTS, "spec.devices.*.attributes.*.versions"),
    GatedField(("DRAPartitionableDevicesType",), "spec.partitionTypeAttribute"),
    GatedField(("DRAOptionalNodeOperations",), "spec.skipNodeOperations", is_filled),
)
"""The gated fields of a ResourceSlice; the last two features are not part of the covered KEPs."""


def default(tree: Tree, review: Review) -> None:
    """Set the default timeAdded of taints, multiplier of 1.36 mappings, and generation of the pool."""
    spec = tree.setdefault("spec", {})
    pool = spec.setdefault("pool", {})
    pool.setdefault("generation", 0)
    for device in spec.get("devices", []):
        for taint in device.get("taints", []):
            default_taint(taint, review.surroundings.time)
        if review.switches.multiplier_defaulted:
            default_multipliers(device)


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    drop_disabled(tree, old, GATED, GATED, review.profile)


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    spec, errors, switches = tree["spec"], review.errors, review.switches
    stored = None if old is None else old["spec"]
    _spec_rule(switches)(spec, stored, "spec", errors)
    if stored is not None:
        _unchanged(spec, stored, errors)
    node_access.exactly_one(node_access.SLICE_FIELDS, spec, "spec", errors)
    if "nodeSelector" in spec:
        node_access.one_term(spec["nodeSelector"], "spec.nodeSelector", errors)
    if switches.separate_counter_slices and "sharedCounters" in spec and "devices" in spec:
        errors.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")
    _devices(spec, stored, errors, switches)
    if switches.counters_in_slice:
        counter_sets.all_in_slice(spec, errors)
    if spec.get("driver", "").lower() != spec.get("driver", ""):
        review.warnings.append("spec.driver: driver names should be lowercase")


def _devices(spec: Tree, stored: Tree | None, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    devices = spec.get("devices", [])
    smaller = switches.smaller_limit_with_features and any(map(_has_features, devices))
    limit = limits.DEVICES_WITH_FEATURES if smaller else limits.DEVICES
    if not limit.allows(devices, "spec.devices", errors):
        return
    earlier = (stored or {}).get("devices")
    _devices_rule(switches)(devices, earlier, "spec.devices", errors)
    if switches.stored_effects_validated and earlier is not None and not same(devices, earlier):
        published_device.stored_effects(devices, earlier, errors, switches)
    per_device = spec.get("perDeviceNodeSelection", False)
    for index, device in enumerate(devices):
        published_device.node_access_of(device, per_device, f"spec.devices[{index}]", errors, switches)


def _has_features(device: Tree) -> bool:
    lists = any(
        name in attribute
        for attribute in device.get("attributes", {}).values()
        for name in published_device.LISTS
    )
    return bool(device.get("taints") or device.get("consumesCounters") or lists)


def _unchanged(spec: Tree, stored: Tree, errors: FieldErrors) -> None:
    for name, new, old in (
        ("pool.name", spec["pool"].get("name"), stored["pool"].get("name")),
        ("driver", spec.get("driver"), stored.get("driver")),
        ("nodeName", spec.get("nodeName"), stored.get("nodeName")),
    ):
        if not same(new, old):
            errors.invalid(f"spec.{name}", new, "field is immutable")


def _pool_numbers(value: Tree, old: Tree | None, path: str, errors: FieldErrors) -> None:
    if value.get("resourceSliceCount", 0) <= 0:
        errors.invalid(
            f"{path}.resourceSliceCount", value.get("resourceSliceCount", 0), "must be greater than zero"
        )
    if value["generation"] < 0:
        errors.invalid(f"{path}.generation", value["generation"], "must be greater than or equal to zero")
    pool(value.get("name"), None, f"{path}.name", errors)


@lru_cache
def _spec_rule(switches: ApiServerSwitches) -> Rule:
    return fields(
        {"driver": driver(switches), "pool": _pool_numbers},
        {"sharedCounters": counter_sets.counter_sets(switches)},
    )


@lru_cache
def _devices_rule(switches: ApiServerSwitches) -> Rule:
    return items(
        published_device.device(switches),
        key="name",
        duplicate_at=".name" if switches.unique_at_key else "",
    )


STRATEGY = Strategy(
    type=resource.ResourceSlice,
    namespaced=False,
    named=naming.dns_subdomain,
    default=default,
    main=Part(_prepare, _validate),
)
