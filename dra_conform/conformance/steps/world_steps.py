"""The Given steps of nodes, DeviceClasses, DeviceTaintRules, configuration, feature gates and objects."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dra_conform.conformance.steps.given import DRIVER, RESOURCE, Given, cel_selectors
from dra_conform.conformance.steps.step import AMOUNTS, Params, Step, StepError, Table, amounts, given, listed
from dra_conform.conformance.steps.table_cells import plain, taints
from dra_conform.kube.gates import GATES
from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import parse_yaml


class GivenClass(Params, frozen=True, kw_only=True):
    """A DeviceClass; `extended_resource_name` is the extended resource that it backs."""

    name: str
    selectors: tuple[str, ...] = ()
    extended_resource_name: str = ""
    creation_timestamp: str = ""


def class_of(params: GivenClass) -> dict[str, Json]:
    """Return the DeviceClass as an API object."""
    spec: dict[str, Json] = {}
    if params.selectors:
        spec["selectors"] = cel_selectors(params.selectors)
    if params.extended_resource_name:
        spec["extendedResourceName"] = params.extended_resource_name
    metadata = {"name": params.name}
    if params.creation_timestamp:
        metadata["creationTimestamp"] = params.creation_timestamp
    return {"apiVersion": RESOURCE, "kind": "DeviceClass", "metadata": metadata, "spec": spec}


class AccountingClass(Params, frozen=True, kw_only=True):
    """The accounting of node resources of the devices of a DeviceClass, a future extension of KEP-5517.

    `policies` are accounting policies by resource.
    """

    device_class: str
    policies: dict[str, str] = {}
    manages_node_allocatable_resources: bool | None = None


def class_params(match: re.Match[str], _: Table, text: str) -> Json:
    """Return the parameters of a DeviceClass, with a selector in the doc string."""
    members = {"name": "name", "resource": "extendedResourceName", "created": "creationTimestamp"}
    params = {members[name]: value for name, value in match.groupdict().items() if value}
    return {**params, "selectors": [text.strip()] if text.strip() else []}


def _policy_of_class(match: re.Match[str], _: Table, __: str) -> Json:
    return {"deviceClass": match["class"], "policies": {match["resource"]: match["policy"]}}


def _managing_class(match: re.Match[str], _: Table, __: str) -> Json:
    return {"deviceClass": match["class"], "managesNodeAllocatableResources": True}


@given(
    'a DeviceClass "{name}"[ for extended resource "{resource}"][ created at "{created}"]'
    "[ with the selector]",
    class_params,
)
def device_class(given: Given, params: GivenClass) -> None:
    given.add(class_of(params))


@given(
    'DeviceClass "{class}" has the accounting policy {policy} for "{resource}"',
    _policy_of_class,
    policy=r"\S+",
)
@given('DeviceClass "{class}" manages node allocatable resources', _managing_class)
def accounting(given: Given, params: AccountingClass) -> None:
    spec = given.device_class(params.device_class)["spec"]
    if params.policies:
        spec.setdefault("nodeAllocatableResourceAccountingPolicies", {}).update(params.policies)
    if params.manages_node_allocatable_resources is not None:
        spec["managesNodeAllocatableResources"] = params.manages_node_allocatable_resources


class GivenNode(Params, frozen=True, kw_only=True):
    """A node with its labels and its `status.allocatable`."""

    name: str
    labels: dict[str, str] = {}
    allocatable: dict[str, Any] = {}


class GivenTaintRule(Params, frozen=True, kw_only=True):
    """A DeviceTaintRule; without driver, pool, device, DeviceClass and selectors it has no deviceSelector."""

    name: str
    taint: dict[str, str]
    driver: str | None = None
    pool: str | None = None
    device: str | None = None
    device_class_name: str | None = None
    selectors: tuple[str, ...] = ()


class GivenConfiguration(Params, frozen=True, kw_only=True):
    """Opaque parameters for a driver: an entry in `config` of a DeviceClass or a ResourceClaim."""

    device_class: str = ""
    resource_claim: str = ""
    driver: str = DRIVER
    parameters: dict[str, Any]
    requests: tuple[str, ...] = ()


def _node_params(match: re.Match[str], rows: Table, _: str) -> Json:
    allocatable = amounts(match.groupdict().get("amounts") or "")
    if any(set(row) != {"label", "value"} for row in rows):
        raise StepError(f"the table has the columns {', '.join(rows[0])}, expected label and value")
    return {
        "name": match["node"],
        "labels": {row["label"]: row["value"] for row in rows},
        "allocatable": allocatable,
    }


def _taint_rule_params(match: re.Match[str], rows: Table, _: str) -> Json:
    if len(rows) != 1:
        raise StepError(f"the table of the DeviceTaintRule has {len(rows)} rows, expected one")
    params: dict[str, Json] = dict(plain(rows[0]))
    params["name"] = match["name"]
    taints_of_rule = taints(str(params.get("taint", "")))
    if len(taints_of_rule) != 1:
        raise StepError(
            f"the DeviceTaintRule has {len(taints_of_rule)} taints, "
            "expected one taint such as key=value:NoSchedule"
        )
    params["taint"] = taints_of_rule[0]
    if "selector" in params:
        params["selectors"] = [params.pop("selector")]
    return params


def _profile_of(owner: str, member: str) -> Callable[[re.Match[str], Table, str], Json]:
    def params(match: re.Match[str], _: Table, __: str) -> Json:
        requests = listed(match.groupdict().get("requests") or "")
        return {member: match[owner], "parameters": {"profile": match["profile"]}, "requests": requests}

    return params


def _yaml_objects(_: re.Match[str], __: Table, text: str) -> Json:
    return [document.value for document in parse_yaml(text, "the objects")]


@given('a node "{node}"[ with the labels]', _node_params)
@given('a node "{node}" with allocatable {amounts}', _node_params, amounts=AMOUNTS)
def node(given: Given, params: GivenNode) -> None:
    metadata: dict[str, Json] = {"name": params.name}
    if params.labels:
        metadata["labels"] = dict(params.labels)
    status: dict[str, Json] = {}
    if params.allocatable:
        status["allocatable"] = {name: str(amount) for name, amount in params.allocatable.items()}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": metadata}
    given.add({**node, **({"status": status} if status else {})})


@given('a DeviceTaintRule "{name}" with', _taint_rule_params)
def device_taint_rule(given: Given, params: GivenTaintRule) -> None:
    criteria = {
        "driver": params.driver,
        "pool": params.pool,
        "device": params.device,
        "deviceClassName": params.device_class_name,
    }
    selector: dict[str, Json] = {name: value for name, value in criteria.items() if value is not None}
    if params.selectors:
        selector["selectors"] = cel_selectors(params.selectors)
    spec: dict[str, Json] = {"deviceSelector": selector} if selector else {}
    given.add(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceTaintRule",
            "metadata": {"name": params.name},
            "spec": {**spec, "taint": dict(params.taint)},
        }
    )


@given('DeviceClass "{class}" is configured with profile "{profile}"', _profile_of("class", "deviceClass"))
@given(
    'ResourceClaim "{claim}" is configured with profile "{profile}"[ for the requests "{requests}"]',
    _profile_of("claim", "resourceClaim"),
)
def config(given: Given, params: GivenConfiguration) -> None:
    if bool(params.device_class) == bool(params.resource_claim) or (params.device_class and params.requests):
        raise StepError("needs one owner, expected deviceClass, or resourceClaim with optional requests")
    entry: dict[str, Json] = {"opaque": {"driver": params.driver, "parameters": dict(params.parameters)}}
    if params.requests:
        entry["requests"] = list(params.requests)
    owner = (
        given.device_class(params.device_class)["spec"]
        if params.device_class
        else given.claim(params.resource_claim)["spec"]["devices"]
    )
    owner.setdefault("config", []).append(entry)


@given("the object[s]", _yaml_objects)
def objects(given: Given, params: tuple[dict[str, Any], ...]) -> None:
    for raw in params:
        given.add(raw)


@given('the fixture "{name}"')
def fixture(given: Given, params: str) -> None:
    for raw in given.fixture(params):
        given.add(raw)


@given(
    'the feature gate "{gate}" is {state}',
    lambda match, _, __: {match["gate"]: match["state"] == "on"},
    state="on|off",
)
def feature_gates(given: Given, params: dict[str, bool]) -> None:
    for name, on in params.items():
        if name not in GATES:
            raise StepError(f"unknown feature gate {name!r}, expected one of {', '.join(GATES)}")
        given.gates[name] = on


@given("objects that the API server rejects, because {reason}", reason=".+")
def rejected_objects(given: Given, params: str) -> None:
    given.not_admitted = params


WORLD: tuple[Step, ...] = (
    node,
    device_class,
    accounting,
    device_taint_rule,
    config,
    objects,
    fixture,
    feature_gates,
    rejected_objects,
)
"""The Given steps of other objects than devices and ResourceClaims."""
