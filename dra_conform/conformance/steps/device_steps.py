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
from dra_conform.conformance.steps.step import Amount, Json, Params, Step, StepError, Table, listed, phrase
from dra_conform.conformance.steps.table_cells import (
    attribute,
    columns,
    flag,
    named_amounts,
    plain,
    policy,
    taints,
)


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
    allocatable resource.
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
    """The resourceSliceCount in all ResourceSlices of a pool."""

    pool: str = POOL
    driver: str = DRIVER
    resource_slice_count: int


def _devices(given: Given, params: tuple[GivenDevice, ...]) -> None:
    for one in params:
        given.publish(published_of(one))


def published_of(one: GivenDevice) -> Published:
    """Return the device with its ResourceSlice; raises StepError."""
    if one.on and one.node:
        raise StepError(f"device {one.device} has both node and on, expected one of them")
    return Published(
        "devices",
        one.driver,
        one.pool,
        _body(one),
        one.slice,
        one.node,
        one.on,
        one.generation,
    )


def _body(one: GivenDevice) -> dict[str, Json]:
    for what, names, known in (
        ("requestPolicy", one.request_policy, one.capacity),
        ("compatibilityGroups", one.compatibility_groups, one.consumes_counters),
    ):
        unknown = sorted(names.keys() - known.keys())
        if unknown:
            expected = "a capacity" if known is one.capacity else "consumesCounters"
            names_of = ", ".join(unknown)
            raise StepError(
                f"device {one.device} has {what} for {names_of}, expected {expected} with this name, too"
            )
    body: dict[str, Json] = {"name": one.device}
    if one.attributes:
        body["attributes"] = {name: dict(value) for name, value in one.attributes.items()}
    if one.capacity:
        body["capacity"] = {
            name: {
                "value": str(value),
                **(
                    {"requestPolicy": _policy(one.request_policy[name])} if name in one.request_policy else {}
                ),
            }
            for name, value in one.capacity.items()
        }
    if one.allow_multiple_allocations is not None:
        body["allowMultipleAllocations"] = one.allow_multiple_allocations
    if one.consumes_counters:
        body["consumesCounters"] = [
            {
                "counterSet": name,
                "counters": _counters(counters),
                **(
                    {"compatibilityGroups": _groups(one.compatibility_groups[name])}
                    if name in one.compatibility_groups
                    else {}
                ),
            }
            for name, counters in one.consumes_counters.items()
        ]
    if one.taints:
        body["taints"] = [dict(taint) for taint in one.taints]
    if one.binding_conditions is not None:
        body["bindingConditions"] = list(one.binding_conditions)
    if one.binding_failure_conditions is not None:
        body["bindingFailureConditions"] = list(one.binding_failure_conditions)
    if one.binds_to_node is not None:
        body["bindsToNode"] = one.binds_to_node
    return {**body, **node_resources(one.mappings, one.overhead)}


def _policy(policy: GivenPolicy) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if policy.default is not None:
        made["default"] = str(policy.default)
    if policy.values:
        made["validValues"] = [str(value) for value in policy.values]
    bounds = {"min": policy.min, "max": policy.max, "step": policy.step}
    given = {name: str(value) for name, value in bounds.items() if value is not None}
    if given:
        made["validRange"] = given
    return made


def _counters(amounts: dict[str, Amount]) -> dict[str, Json]:
    return {name: {"value": str(amount)} for name, amount in amounts.items()}


def _groups(groups: tuple[str, ...] | None) -> Json:
    return None if groups is None else list(groups)


def _counter_sets(given: Given, params: tuple[GivenCounterSet, ...]) -> None:
    for one in params:
        body = {"name": one.counter_set, "counters": _counters(one.counters)}
        given.publish(
            Published(
                "sharedCounters",
                one.driver,
                one.pool,
                body,
                one.slice,
                one.node,
                generation=one.generation,
            )
        )


def _pool(given: Given, params: GivenPool) -> None:
    given.declared[params.driver, params.pool] = params.resource_slice_count


_PREFIXES = (
    *("capacity", "requestPolicy", "attribute", "consumesCounters", "compatibilityGroups"),
    *("mapping", "overhead"),
)


def device_rows(_: re.Match[str], rows: Table, __: str) -> Json:
    """Return the rows of a table as the parameters of devices."""
    made = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, *_PREFIXES))
        for name in ("allowMultipleAllocations", "bindsToNode"):
            if name in one:
                one[name] = flag(one[name])
        for name in ("bindingConditions", "bindingFailureConditions"):
            if name in one:
                one[name] = listed(one[name])
        if "generation" in one:
            one["generation"] = int(one["generation"])
        if "taints" in one:
            one["taints"] = taints(one["taints"])
        one["capacity"] = columns(row, "capacity")
        one["requestPolicy"] = {name: policy(text) for name, text in columns(row, "requestPolicy").items()}
        one["attributes"] = {name: attribute(text) for name, text in columns(row, "attribute").items()}
        one["consumesCounters"] = {
            name: named_amounts(text) for name, text in columns(row, "consumesCounters").items()
        }
        one["compatibilityGroups"] = {
            name: listed(text) for name, text in columns(row, "compatibilityGroups").items()
        }
        one["mappings"] = {name: mapping_in(text) for name, text in columns(row, "mapping").items()}
        one["overhead"] = {name: overhead_in(text) for name, text in columns(row, "overhead").items()}
        made.append(one)
    return made


def _counter_rows(_: re.Match[str], rows: Table, __: str) -> Json:
    made = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "counter"))
        if "generation" in one:
            one["generation"] = int(one["generation"])
        one["counters"] = columns(row, "counter")
        made.append(one)
    return made


def _pool_params(found: re.Match[str], _: Table, __: str) -> Json:
    driver = {"driver": found["driver"]} if found["driver"] else {}
    return {"pool": found["pool"], "resourceSliceCount": int(found["count"]), **driver}


DEVICES: tuple[Step, ...] = (
    Step("given", "devices", tuple[GivenDevice, ...], (phrase("the device[s]", device_rows),), _devices),
    Step(
        "given",
        "counterSets",
        tuple[GivenCounterSet, ...],
        (phrase("the counter set[s]", _counter_rows),),
        _counter_sets,
    ),
    Step(
        "given",
        "pool",
        GivenPool,
        (
            phrase(
                'pool "{pool}"[ of driver "{driver}"] has the resourceSliceCount {count}',
                _pool_params,
                count="[0-9]+",
            ),
        ),
        _pool,
    ),
)
"""The Given steps of devices and pools."""
