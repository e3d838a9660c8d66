"""The steps of DeviceClasses."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import RESOURCE, Given, cel_selectors
from dra_conform.conformance.steps.step import Params, Phrase, Table, phrase
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


def account_by_class(given: Given, params: AccountingClass) -> None:
    """Set the accounting of a DeviceClass of the setup; raises StepError."""
    spec = given.device_class(params.device_class)["spec"]
    if params.policies:
        spec.setdefault("nodeAllocatableResourceAccountingPolicies", {}).update(params.policies)
    if params.manages_node_allocatable_resources is not None:
        spec["managesNodeAllocatableResources"] = params.manages_node_allocatable_resources


def accounting_phrases() -> tuple[Phrase, ...]:
    """Return the phrases of the accounting of a DeviceClass."""
    return (
        phrase(
            'DeviceClass "{class}" has the accounting policy {policy} for "{resource}"',
            _policy_of_class,
            policy=r"\S+",
        ),
        phrase(
            'DeviceClass "{class}" manages node allocatable resources',
            lambda match, _, __: {"deviceClass": match["class"], "managesNodeAllocatableResources": True},
        ),
    )


def _policy_of_class(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    return {"deviceClass": match["class"], "policies": {match["resource"]: match["policy"]}}


def class_phrases() -> tuple[Phrase, ...]:
    """Return the phrases of a DeviceClass of the setup."""
    words = (
        'a DeviceClass "{name}"[ for extended resource "{resource}"][ created at "{created}"]'
        "[ with the selector]"
    )
    return (phrase(words, _class_params),)


def created_class_phrases() -> tuple[Phrase, ...]:
    """Return the phrases of a DeviceClass that a When step creates."""
    words = 'a DeviceClass "{name}"[ for extended resource "{resource}"] is created[ with the selector]'
    return (phrase(words, _class_params),)


def _class_params(match: re.Match[str], _: Table, text: str) -> CheckedJson:
    members = {"name": "name", "resource": "extendedResourceName", "created": "creationTimestamp"}
    params = {members[name]: value for name, value in match.groupdict().items() if value}
    return {**params, "selectors": [text.strip()] if text.strip() else []}
