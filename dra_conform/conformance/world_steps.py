"""The given steps of the world: nodes, classes, devices, feature gates, and objects as they are."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.building import DRIVER, POOL, CaseBuilder, StepError, cel_selectors
from dra_conform.conformance.cells import columns, flag, plain
from dra_conform.conformance.vocabulary import Amount, Json, Params, Step, Table, listed, phrase
from dra_conform.kube.gates import GATES
from dra_conform.kube.yaml import parse_yaml


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


def _node(case: CaseBuilder, params: Node) -> None:
    metadata: dict[str, Json] = {"name": params.name}
    if params.labels:
        metadata["labels"] = dict(params.labels)
    case.add({"apiVersion": "v1", "kind": "Node", "metadata": metadata})


def _class(case: CaseBuilder, params: DeviceClass) -> None:
    selectors = cel_selectors(params.selectors)
    case.add(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": params.name},
            "spec": {"selectors": selectors} if selectors else {},
        }
    )


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
                    "value": str(value),
                    **({"requestPolicy": _policy(one.policy[name])} if name in one.policy else {}),
                }
                for name, value in one.capacity.items()
            }
        if one.shared is not None:
            body["allowMultipleAllocations"] = one.shared
        if any((one.driver, one.pool, one.device) == _identity(other) for other in case.devices):
            raise StepError(f"device {one.driver}/{one.pool}/{one.device} is given twice, expected it once")
        case.devices.append(
            {"driver": one.driver, "pool": one.pool, "slice": one.slice, "node": one.node, "body": body}
        )


def _identity(placed: dict[str, Json]) -> tuple[str, str, str]:
    return placed["driver"], placed["pool"], placed["body"]["name"]


def _policy(policy: Policy) -> dict[str, Json]:
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
            if value not in ("true", "false"):
                raise StepError(f"attribute {text!r}, expected bool true or bool false")
            return {"bool": value == "true"}
        case "string" | "version":
            return {kind: value}
    raise StepError(f"attribute {text!r}, expected int, bool, string or version and a value")


def _yaml_objects(_: re.Match[str], __: Table, text: str) -> Json:
    return [document.value for document in parse_yaml(text, "the objects")]


WORLD: tuple[Step, ...] = (
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
"""The given steps that are not about claims."""
