"""The Given steps of published devices, counter sets, and the resourceSliceCount of a pool."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.steps.given import DRIVER, POOL, Given
from dra_conform.conformance.steps.node_resources import (
    ResourceMapping,
    ResourceOverhead,
    mapping_in,
    node_resources,
    overhead_in,
)
from dra_conform.conformance.steps.publishing import Published
from dra_conform.conformance.steps.step import Amount, Params, Step, StepError, Table, given, listed
from dra_conform.conformance.steps.table_cells import (
    attribute,
    columns,
    flag,
    named_amounts,
    own_cells,
    own_fields,
    plain,
    policy,
    taints,
    whole_number,
)
from dra_conform.kube.json_values import Json


class GivenPolicy(Params, frozen=True, kw_only=True):
    """A request policy; `values` are its validValues; min, max and step are its validRange."""

    default: Amount = None
    min: Amount = None
    max: Amount = None
    step: Amount = None
    values: tuple[Amount, ...] = ()


class GivenDevice(Params, frozen=True, kw_only=True):
    """A device. `on` is the node selection of the device itself.

    `consumes_counters` and `compatibility_groups` are by counter set, `mappings` and `overhead` by node
    allocatable resource. `fields` are own fields of plugins.
    """

    device: str
    driver: str = DRIVER
    pool: str = POOL
    slice: str = ""
    node: str = ""
    on: str = ""
    generation: int = 1
    allow_multiple_allocations: bool | None = None
    capacity: dict[str, Amount] = {}
    request_policy: dict[str, GivenPolicy] = {}
    attributes: dict[str, dict[str, Any]] = {}
    consumes_counters: dict[str, dict[str, Amount]] = {}
    compatibility_groups: dict[str, tuple[str, ...] | None] = {}
    taints: tuple[dict[str, str], ...] = ()
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    binds_to_node: bool | None = None
    mappings: dict[str, ResourceMapping] = {}
    overhead: dict[str, ResourceOverhead] = {}
    fields: dict[str, Any] = {}


class GivenCounterSet(Params, frozen=True, kw_only=True):
    """A counter set with the value of each counter."""

    counter_set: str
    counters: dict[str, Amount]
    driver: str = DRIVER
    pool: str = POOL
    slice: str = ""
    node: str = ""
    generation: int = 1


class GivenPool(Params, frozen=True, kw_only=True):
    """A pool, and the resourceSliceCount to set in all of its ResourceSlices."""

    pool: str = POOL
    driver: str = DRIVER
    resource_slice_count: int


def published_of(device: GivenDevice) -> Published:
    """Return the device with its ResourceSlice; raises StepError."""
    if device.on and device.node:
        raise StepError(f"device {device.device} has both node and on, expected one of them")
    return Published(
        "devices",
        device.driver,
        device.pool,
        _body(device),
        device.slice,
        device.node,
        device.on,
        device.generation,
    )


def _body(device: GivenDevice) -> dict[str, Json]:
    for member, names, known in (
        ("requestPolicy", device.request_policy, device.capacity),
        ("compatibilityGroups", device.compatibility_groups, device.consumes_counters),
    ):
        unknown = sorted(names.keys() - known.keys())
        if unknown:
            expected = "a capacity" if known is device.capacity else "consumesCounters"
            listed_names = ", ".join(unknown)
            raise StepError(
                f"device {device.device} has {member} for {listed_names}, expected {expected} "
                "with this name, too"
            )
    fields: dict[str, Json] = {"name": device.device}
    if device.attributes:
        fields["attributes"] = {name: dict(value) for name, value in device.attributes.items()}
    if device.capacity:
        fields["capacity"] = {
            name: {
                "value": str(value),
                **(
                    {"requestPolicy": _policy(device.request_policy[name])}
                    if name in device.request_policy
                    else {}
                ),
            }
            for name, value in device.capacity.items()
        }
    if device.allow_multiple_allocations is not None:
        fields["allowMultipleAllocations"] = device.allow_multiple_allocations
    if device.consumes_counters:
        fields["consumesCounters"] = [
            {
                "counterSet": name,
                "counters": _counters(counters),
                **(
                    {"compatibilityGroups": _groups(device.compatibility_groups[name])}
                    if name in device.compatibility_groups
                    else {}
                ),
            }
            for name, counters in device.consumes_counters.items()
        ]
    if device.taints:
        fields["taints"] = [dict(taint) for taint in device.taints]
    if device.binding_conditions is not None:
        fields["bindingConditions"] = list(device.binding_conditions)
    if device.binding_failure_conditions is not None:
        fields["bindingFailureConditions"] = list(device.binding_failure_conditions)
    if device.binds_to_node is not None:
        fields["bindsToNode"] = device.binds_to_node
    own = own_fields("device", device.fields)
    return {**fields, **node_resources(device.mappings, device.overhead), **own}


def _policy(policy: GivenPolicy) -> dict[str, Json]:
    fields: dict[str, Json] = {}
    if policy.default is not None:
        fields["default"] = str(policy.default)
    if policy.values:
        fields["validValues"] = [str(value) for value in policy.values]
    bounds = {"min": policy.min, "max": policy.max, "step": policy.step}
    valid_range = {name: str(value) for name, value in bounds.items() if value is not None}
    if valid_range:
        fields["validRange"] = valid_range
    return fields


def _counters(amounts: dict[str, Amount]) -> dict[str, Json]:
    return {name: {"value": str(amount)} for name, amount in amounts.items()}


def _groups(groups: tuple[str, ...] | None) -> Json:
    return None if groups is None else list(groups)


_PREFIXES = (
    *("capacity", "requestPolicy", "attribute", "consumesCounters", "compatibilityGroups"),
    *("mapping", "overhead"),
)


def device_rows(_: re.Match[str], rows: Table, __: str) -> Json:
    """Return the rows of a table as the parameters of devices."""
    devices = []
    for row in rows:
        params: dict[str, Json] = dict(plain(row, *_PREFIXES))
        for name in ("allowMultipleAllocations", "bindsToNode"):
            if name in params:
                params[name] = flag(params[name])
        for name in ("bindingConditions", "bindingFailureConditions"):
            if name in params:
                params[name] = listed(params[name])
        if "generation" in params:
            params["generation"] = whole_number(params["generation"])
        if "taints" in params:
            params["taints"] = taints(params["taints"])
        params["capacity"] = columns(row, "capacity")
        params["requestPolicy"] = {name: policy(text) for name, text in columns(row, "requestPolicy").items()}
        params["attributes"] = {name: attribute(text) for name, text in columns(row, "attribute").items()}
        params["consumesCounters"] = {
            name: named_amounts(text) for name, text in columns(row, "consumesCounters").items()
        }
        params["compatibilityGroups"] = {
            name: listed(text) for name, text in columns(row, "compatibilityGroups").items()
        }
        params["mappings"] = {name: mapping_in(text) for name, text in columns(row, "mapping").items()}
        params["overhead"] = {name: overhead_in(text) for name, text in columns(row, "overhead").items()}
        params["fields"] = own_cells("device", params)
        devices.append(params)
    return devices


def _counter_rows(_: re.Match[str], rows: Table, __: str) -> Json:
    counter_sets = []
    for row in rows:
        params: dict[str, Json] = dict(plain(row, "counter"))
        if "generation" in params:
            params["generation"] = whole_number(params["generation"])
        params["counters"] = columns(row, "counter")
        counter_sets.append(params)
    return counter_sets


def _pool_params(match: re.Match[str], _: Table, __: str) -> Json:
    driver = {"driver": match["driver"]} if match["driver"] else {}
    return {"pool": match["pool"], "resourceSliceCount": int(match["count"]), **driver}


@given("the device[s]", device_rows)
def devices(given: Given, params: tuple[GivenDevice, ...]) -> None:
    for device in params:
        given.publish(published_of(device))


@given("the counter set[s]", _counter_rows)
def counter_sets(given: Given, params: tuple[GivenCounterSet, ...]) -> None:
    for counter_set in params:
        body = {"name": counter_set.counter_set, "counters": _counters(counter_set.counters)}
        given.publish(
            Published(
                "sharedCounters",
                counter_set.driver,
                counter_set.pool,
                body,
                counter_set.slice,
                counter_set.node,
                generation=counter_set.generation,
            )
        )


@given(
    'pool "{pool}"[ of driver "{driver}"] has the resourceSliceCount {count}', _pool_params, count="[0-9]+"
)
def pool(given: Given, params: GivenPool) -> None:
    given.declared[params.driver, params.pool] = params.resource_slice_count


DEVICES: tuple[Step, ...] = (
    devices,
    counter_sets,
    pool,
)
"""The Given steps of devices and pools."""
