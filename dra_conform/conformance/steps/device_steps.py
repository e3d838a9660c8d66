"""The given steps of what drivers publish: devices, counter sets, and how many slices a pool has."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.steps.given import DRIVER, POOL, Given
from dra_conform.conformance.steps.node_resources import (
    NeededBesides,
    TakenOfNode,
    needed,
    node_resources,
    taken,
)
from dra_conform.conformance.steps.publishing import Published
from dra_conform.conformance.steps.step import Amount, Json, Params, Step, StepError, Table, listed, phrase
from dra_conform.conformance.steps.table_cells import columns, flag, named_amounts, plain, taints


class GivenPolicy(Params, frozen=True, kw_only=True):
    """A request policy; `values` are its validValues, min, max and step its validRange."""

    default: Amount = None
    min: Amount = None
    max: Amount = None
    step: Amount = None
    values: tuple[Amount, ...] = ()


class GivenDevice(Params, frozen=True, kw_only=True):
    """A device. `counters` and `groups` are by counter set, `on` is its own choice of nodes.

    `takes` and `overhead` are by resource of the node.
    """

    device: str
    driver: str = DRIVER
    pool: str = POOL
    slice: str = ""
    node: str = ""
    on: str = ""
    generation: int = 1
    shared: bool | None = None
    capacity: dict[str, Amount] = {}
    policy: dict[str, GivenPolicy] = {}
    attributes: dict[str, dict[str, Any]] = {}
    counters: dict[str, dict[str, Amount]] = {}
    groups: dict[str, tuple[str, ...] | None] = {}
    taints: tuple[dict[str, str], ...] = ()
    binding: tuple[str, ...] | None = None
    failure: tuple[str, ...] | None = None
    binds: bool | None = None
    takes: dict[str, TakenOfNode] = {}
    overhead: dict[str, NeededBesides] = {}


class GivenCounterSet(Params, frozen=True, kw_only=True):
    """A counter set: what there is of each counter."""

    set: str
    counters: dict[str, Amount]
    driver: str = DRIVER
    pool: str = POOL
    slice: str = ""
    node: str = ""
    generation: int = 1


class GivenPool(Params, frozen=True, kw_only=True):
    """How many slices each slice of the pool says there are."""

    pool: str = POOL
    driver: str = DRIVER
    slices: int


def _devices(given: Given, params: tuple[GivenDevice, ...]) -> None:
    for one in params:
        given.publish(published_of(one))


def published_of(one: GivenDevice) -> Published:
    """The device and the slice it stands in; raises StepError."""
    if one.on and one.node:
        raise StepError(f"device {one.device} has node and on, expected one of them")
    return Published("devices", one.driver, one.pool, _body(one), one.slice, one.node, one.on, one.generation)


def _body(one: GivenDevice) -> dict[str, Json]:
    for what, names, known in (
        ("a policy for", one.policy, one.capacity),
        ("groups on", one.groups, one.counters),
    ):
        unknown = sorted(names.keys() - known.keys())
        if unknown:
            lack = "no capacity" if known is one.capacity else "no counters of it"
            raise StepError(f"device {one.device} has {what} {', '.join(unknown)} and {lack}")
    body: dict[str, Json] = {"name": one.device}
    if one.attributes:
        body["attributes"] = {name: dict(value) for name, value in one.attributes.items()}
    if one.capacity:
        body["capacity"] = {
            name: {
                "value": str(value),
                **({"requestPolicy": _policy(one.policy[name])} if name in one.policy else {}),
            }
            for name, value in one.capacity.items()
        }
    if one.shared is not None:
        body["allowMultipleAllocations"] = one.shared
    if one.counters:
        body["consumesCounters"] = [
            {
                "counterSet": name,
                "counters": _counters(counters),
                **({"compatibilityGroups": _groups(one.groups[name])} if name in one.groups else {}),
            }
            for name, counters in one.counters.items()
        ]
    if one.taints:
        body["taints"] = [dict(taint) for taint in one.taints]
    if one.binding is not None:
        body["bindingConditions"] = list(one.binding)
    if one.failure is not None:
        body["bindingFailureConditions"] = list(one.failure)
    if one.binds is not None:
        body["bindsToNode"] = one.binds
    return {**body, **node_resources(one.takes, one.overhead)}


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
        body = {"name": one.set, "counters": _counters(one.counters)}
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
    given.declared[params.driver, params.pool] = params.slices


_PREFIXES = ("capacity", "policy", "attribute", "counters", "groups", "takes", "overhead")


def device_rows(_: re.Match[str], rows: Table, __: str) -> Json:
    """A table of devices as parameters, one row each."""
    made = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, *_PREFIXES))
        for name in ("shared", "binds"):
            if name in one:
                one[name] = flag(one[name])
        for name in ("binding", "failure"):
            if name in one:
                one[name] = listed(one[name])
        if "generation" in one:
            one["generation"] = int(one["generation"])
        if "taints" in one:
            one["taints"] = taints(one["taints"])
        one["capacity"] = columns(row, "capacity")
        one["policy"] = {name: _policy_params(text) for name, text in columns(row, "policy").items()}
        one["attributes"] = {name: _attribute(text) for name, text in columns(row, "attribute").items()}
        one["counters"] = {name: named_amounts(text) for name, text in columns(row, "counters").items()}
        one["groups"] = {name: listed(text) for name, text in columns(row, "groups").items()}
        one["takes"] = {name: taken(text) for name, text in columns(row, "takes").items()}
        one["overhead"] = {name: needed(text) for name, text in columns(row, "overhead").items()}
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
    return {"pool": found["pool"], "slices": int(found["count"]), **driver}


def _policy_params(text: str) -> Json:
    """`default 2, values 1 2 4` or `default 1, min 1, step 4, max 9` or `empty`."""
    made: dict[str, Json] = {}
    for part in listed(text) if text != "empty" else ():
        name, _, rest = part.partition(" ")
        made[name] = rest.split() if name == "values" else rest
    return made


def _attribute(text: str) -> Json:
    """`int 1`, `bool true`, `string a b`, `version 1.0.0`; a list as `ints 1 2`, `strings a b`."""
    kind, _, value = text.partition(" ")
    match kind:
        case "int":
            return {"int": int(value)}
        case "bool":
            return {"bool": _bool(value, text)}
        case "string" | "version":
            return {kind: value}
        case "ints":
            return {"ints": [int(one) for one in value.split()]}
        case "bools":
            return {"bools": [_bool(one, text) for one in value.split()]}
        case "strings" | "versions":
            return {kind: value.split()}
    raise StepError(
        f"attribute {text!r}, expected int, bool, string or version, or ints, bools, strings or versions, "
        "and a value"
    )


def _bool(value: str, text: str) -> bool:
    if value not in ("true", "false"):
        raise StepError(f"attribute {text!r}, expected true or false")
    return value == "true"


DEVICES: tuple[Step, ...] = (
    Step("given", "devices", tuple[GivenDevice, ...], (phrase("the device[s]", device_rows),), _devices),
    Step(
        "given",
        "counters",
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
                'pool "{pool}"[ of driver "{driver}"] says it has {count} slice[s]',
                _pool_params,
                count="[0-9]+",
            ),
        ),
        _pool,
    ),
)
"""The given steps of devices and their pools."""
