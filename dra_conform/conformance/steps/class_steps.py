"""The Given steps of DeviceClasses."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import RESOURCE, Given, cel_selectors
from dra_conform.conformance.steps.step import Params, Table, given
from dra_conform.kube.json_values import CheckedJson


class GivenClass(Params, frozen=True, kw_only=True):
    """A DeviceClass; `extended_resource_name` is the extended resource that it backs."""

    name: str
    selectors: tuple[str, ...] = ()
    extended_resource_name: str = ""
    creation_timestamp: str = ""


def class_of(params: GivenClass) -> dict[str, CheckedJson]:
    """Return the DeviceClass as an API object."""
    spec: dict[str, CheckedJson] = {}
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


def class_params(match: re.Match[str], _: Table, text: str) -> CheckedJson:
    """Return the parameters of a DeviceClass, with a selector in the doc string."""
    members = {"name": "name", "resource": "extendedResourceName", "created": "creationTimestamp"}
    params = {members[name]: value for name, value in match.groupdict().items() if value}
    return {**params, "selectors": [text.strip()] if text.strip() else []}


def _policy_of_class(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    return {"deviceClass": match["class"], "policies": {match["resource"]: match["policy"]}}


def _managing_class(match: re.Match[str], _: Table, __: str) -> CheckedJson:
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
