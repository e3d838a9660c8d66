"""The given steps: nodes, classes, devices, claims, what is held, gates, and objects as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from dra_conform.conformance.building import DRIVER, POOL, CaseBuilder, StepError, claim_key, share_id
from dra_conform.conformance.vocabulary import (
    AMOUNTS,
    Json,
    Params,
    Step,
    Table,
    amounts,
    listed,
    phrase,
)
from dra_conform.kube.gates import GATES
from dra_conform.kube.yaml import parse_yaml

Amount = Any
"""A quantity as written: a text or a number. The objects made of it are checked as a whole."""


class Node(Params, frozen=True, kw_only=True):
    name: str
    labels: dict[str, str] = {}


class DeviceClass(Params, frozen=True, kw_only=True):
    name: str
    selectors: tuple[str, ...] = ()


class Policy(Params, frozen=True, kw_only=True):
    """A request policy; `values` are its validValues, min, max and step its validRange."""

    default: Amount = None
    min: Amount = None
    max: Amount = None
    step: Amount = None
    values: tuple[Amount, ...] = ()


class Device(Params, frozen=True, kw_only=True):
    device: str
    driver: str = DRIVER
    pool: str = POOL
    slice: str = ""
    node: str = ""
    shared: bool | None = None
    capacity: dict[str, Amount] = {}
    policy: dict[str, Policy] = {}
    attributes: dict[str, dict[str, Any]] = {}


class ClaimRequest(Params, frozen=True, kw_only=True):
    request: str = "r0"
    class_: str = ""
    count: int = 1
    mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()


class Claim(Params, frozen=True, kw_only=True):
    """A claim: with `requests`, or with one request `r0` whose members stand beside the name."""

    name: str
    requests: tuple[ClaimRequest, ...] = ()
    class_: str = ""
    count: int = 1
    mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()


class Constraint(Params, frozen=True, kw_only=True):
    claim: str
    distinct: str | None = None
    match: str | None = None
    requests: tuple[str, ...] = ()


class HeldDevice(Params, frozen=True, kw_only=True):
    device: str
    driver: str = DRIVER
    pool: str = POOL
    request: str = "r0"
    consumed: dict[str, Amount] | None = None
    share: str = ""


class Held(Params, frozen=True, kw_only=True):
    claim: str
    devices: tuple[HeldDevice, ...]


def _node(case: CaseBuilder, params: Node) -> None:
    metadata: dict[str, Json] = {"name": params.name}
    if params.labels:
        metadata["labels"] = dict(params.labels)
    case.add({"apiVersion": "v1", "kind": "Node", "metadata": metadata})


def _class(case: CaseBuilder, params: DeviceClass) -> None:
    selectors = _selectors(params.selectors)
    case.add(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": params.name},
            **({"spec": {"selectors": selectors}} if selectors else {}),
        }
    )


def _selectors(expressions: tuple[str, ...]) -> list[Json]:
    return [{"cel": {"expression": text}} for text in expressions]


def _devices(case: CaseBuilder, params: tuple[Device, ...]) -> None:
    for one in params:
        unknown = one.policy.keys() - one.capacity.keys()
        if unknown:
            raise StepError(
                f"device {one.device} has a policy for {', '.join(sorted(unknown))} and no capacity"
            )
        body: dict[str, Json] = {"name": one.device}
        if one.attributes:
            body["attributes"] = {name: dict(value) for name, value in one.attributes.items()}
        if one.capacity:
            body["capacity"] = {
                name: {
                    "value": _amount(value),
                    **({"requestPolicy": _policy(one.policy[name])} if name in one.policy else {}),
                }
                for name, value in one.capacity.items()
            }
        if one.shared is not None:
            body["allowMultipleAllocations"] = one.shared
        case.devices.append(
            {"driver": one.driver, "pool": one.pool, "slice": one.slice, "node": one.node, "body": body}
        )


def _policy(policy: Policy) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if policy.default is not None:
        made["default"] = _amount(policy.default)
    if policy.values:
        made["validValues"] = [_amount(value) for value in policy.values]
    bounds = {"min": policy.min, "max": policy.max, "step": policy.step}
    given = {name: _amount(value) for name, value in bounds.items() if value is not None}
    if given:
        made["validRange"] = given
    return made


def _amount(value: Amount) -> str:
    return str(value)


def _request(case: CaseBuilder, name: str, asked: ClaimRequest | Claim) -> dict[str, Json]:
    exactly: dict[str, Json] = {
        "deviceClassName": case.class_name(asked.class_),
        "allocationMode": asked.mode,
    }
    if asked.mode == "ExactCount":
        exactly["count"] = asked.count
    if asked.selectors:
        exactly["selectors"] = _selectors(asked.selectors)
    if not isinstance(asked.capacity, UnsetType):
        wanted = {key: _amount(value) for key, value in asked.capacity.items()}
        exactly["capacity"] = {"requests": wanted} if wanted else {}
    return {"name": name, "exactly": exactly}


def _claim(case: CaseBuilder, params: Claim) -> None:
    if params.requests:
        made = [_request(case, one.request, one) for one in params.requests]
    else:
        made = [_request(case, "r0", params)]
    case.add_claim(params.name, made)


def _constraint(case: CaseBuilder, params: Constraint) -> None:
    if (params.distinct is None) == (params.match is None):
        raise StepError("has both or neither of distinct and match, expected one of them")
    made: dict[str, Json] = {"requests": list(params.requests)} if params.requests else {}
    if params.distinct is not None:
        made["distinctAttribute"] = params.distinct
    else:
        made["matchAttribute"] = params.match
    case.claim(params.claim)["spec"]["devices"].setdefault("constraints", []).append(made)


def _held(case: CaseBuilder, params: Held) -> None:
    results = []
    for one in params.devices:
        result: dict[str, Json] = {
            "request": one.request,
            "driver": one.driver,
            "pool": one.pool,
            "device": one.device,
        }
        if one.share:
            result["shareID"] = share_id(one.share)
        if one.consumed is not None:
            result["consumedCapacity"] = {key: _amount(value) for key, value in one.consumed.items()}
        results.append(result)
    if claim_key(params.claim) not in case.claims:
        names = dict.fromkeys(one.request for one in params.devices)
        requests = [
            _request(
                case,
                name,
                ClaimRequest(request=name, count=sum(one.request == name for one in params.devices)),
            )
            for name in names
        ]
        case.add_claim(params.claim, requests)
    case.claim(params.claim)["status"] = {"allocation": {"devices": {"results": results}}}


def _gate(case: CaseBuilder, params: dict[str, bool]) -> None:
    for name, on in params.items():
        if name not in GATES:
            raise StepError(f"gate {name!r} is unknown, expected one of {', '.join(GATES)}")
        case.gates[name] = on


def _objects(case: CaseBuilder, params: tuple[dict[str, Any], ...]) -> None:
    for raw in params:
        case.add(raw)


def _fixture(case: CaseBuilder, params: str) -> None:
    for raw in case.fixture(params):
        case.add(raw)


def _node_params(found: re.Match[str], rows: Table, _: str) -> Json:
    return {"name": found["node"], "labels": {row["label"]: row["value"] for row in rows}}


def _class_params(found: re.Match[str], _: Table, text: str) -> Json:
    return {"name": found["name"], "selectors": [text.strip()] if text.strip() else []}


_FLAGS = {"yes": True, "no": False}


def columns(row: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The filled cells of the columns `PREFIX name`, by name."""
    return {
        column.removeprefix(f"{prefix} "): cell
        for column, cell in row.items()
        if column.startswith(f"{prefix} ") and cell
    }


def plain(row: Mapping[str, str], *prefixes: str) -> dict[str, str]:
    """The filled cells of all other columns."""
    return {
        column: cell
        for column, cell in row.items()
        if cell and not any(column.startswith(f"{prefix} ") for prefix in prefixes)
    }


def flag(text: str) -> bool:
    """`yes` or `no`; raises StepError."""
    if text not in _FLAGS:
        raise StepError(f"is {text!r}, expected yes or no")
    return _FLAGS[text]


def _device_rows(_: re.Match[str], rows: Table, __: str) -> Json:
    made = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "capacity", "policy", "attribute"))
        if "shared" in one:
            one["shared"] = flag(one["shared"])
        one["capacity"] = columns(row, "capacity")
        one["policy"] = {name: _policy_params(text) for name, text in columns(row, "policy").items()}
        one["attributes"] = {name: _attribute(text) for name, text in columns(row, "attribute").items()}
        made.append(one)
    return made


def _policy_params(text: str) -> Json:
    """`default 2, values 1 2 4` or `default 1, min 1, step 4, max 9` or `empty`."""
    made: dict[str, Json] = {}
    for part in listed(text) if text != "empty" else ():
        name, _, rest = part.partition(" ")
        made[name] = rest.split() if name == "values" else rest
    return made


def _attribute(text: str) -> Json:
    kind, _, value = text.partition(" ")
    match kind:
        case "int":
            return {"int": int(value)}
        case "bool":
            return {"bool": value == "true"}
        case "string" | "version":
            return {kind: value}
    raise StepError(f"attribute {text!r}, expected int, bool, string or version and a value")


def _asking(found: re.Match[str], _: Table, __: str) -> Json:
    return {"name": found["claim"], "capacity": amounts(found["amounts"])}


def _claim_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    requests = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "capacity"))
        if "count" in one:
            one["count"] = int(one["count"])
        if "selector" in one:
            one["selectors"] = [one.pop("selector")]
        wanted = columns(row, "capacity")
        if wanted:
            one["capacity"] = wanted
        requests.append(one)
    return {"name": found["claim"], "requests": requests}


def _constraint_params(found: re.Match[str], _: Table, __: str) -> Json:
    kind = "distinct" if found["kind"] == "distinct" else "match"
    return {"claim": found["claim"], kind: found["attribute"], "requests": listed(found["requests"] or "")}


def _held_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    devices = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "consumed"))
        consumed = columns(row, "consumed")
        if consumed:
            one["consumed"] = consumed
        devices.append(one)
    return {"claim": found["claim"], "devices": devices}


def _yaml_objects(_: re.Match[str], __: Table, text: str) -> Json:
    return [document.value for document in parse_yaml(text, "the objects")]


GIVEN: tuple[Step, ...] = (
    Step(
        "given",
        "node",
        Node,
        (phrase('a node "{node}"[ with the labels]', _node_params),),
        _node,
    ),
    Step(
        "given",
        "class",
        DeviceClass,
        (phrase('a device class "{name}"[ that selects]', _class_params),),
        _class,
    ),
    Step("given", "devices", tuple[Device, ...], (phrase("the device[s]", _device_rows),), _devices),
    Step(
        "given",
        "objects",
        tuple[dict[str, Any], ...],
        (phrase("the object[s]", _yaml_objects),),
        _objects,
    ),
    Step(
        "given",
        "fixture",
        str,
        (phrase('the fixture "{name}"', lambda found, _, __: found["name"]),),
        _fixture,
    ),
    Step(
        "given",
        "claim",
        Claim,
        (
            phrase('a claim "{claim}" asking {amounts}', _asking, amounts=AMOUNTS),
            phrase('a claim "{claim}" asking no capacity', lambda found, _, __: {"name": found["claim"]}),
            phrase(
                'a claim "{claim}" asking an empty capacity',
                lambda found, _, __: {"name": found["claim"], "capacity": {}},
            ),
            phrase('a claim "{claim}" with the request[s]', _claim_rows),
        ),
        _claim,
    ),
    Step(
        "given",
        "constraint",
        Constraint,
        (
            phrase(
                'claim "{claim}" needs {kind} "{attribute}"[ among the requests "{requests}"]',
                _constraint_params,
                kind="distinct|matching",
            ),
        ),
        _constraint,
    ),
    Step("given", "held", Held, (phrase('claim "{claim}" already holds', _held_rows),), _held),
    Step(
        "given",
        "gate",
        dict[str, bool],
        (
            phrase(
                'the feature gate "{gate}" is {state}',
                lambda found, _, __: {found["gate"]: found["state"] == "on"},
                state="on|off",
            ),
        ),
        _gate,
    ),
)
"""The given steps."""
