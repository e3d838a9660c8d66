"""Device classes as steps say them."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import RESOURCE, Given, cel_selectors
from dra_conform.conformance.steps.step import Json, Params, Phrase, Table, phrase


class GivenClass(Params, frozen=True, kw_only=True):
    """A device class; `resource` is the extended resource it stands for, `created` when it was created."""

    name: str
    selectors: tuple[str, ...] = ()
    resource: str = ""
    created: str = ""


def class_of(params: GivenClass) -> dict[str, Json]:
    """The class as an API object."""
    spec: dict[str, Json] = {}
    if params.selectors:
        spec["selectors"] = cel_selectors(params.selectors)
    if params.resource:
        spec["extendedResourceName"] = params.resource
    metadata = {"name": params.name}
    if params.created:
        metadata["creationTimestamp"] = params.created
    return {"apiVersion": RESOURCE, "kind": "DeviceClass", "metadata": metadata, "spec": spec}


class CountingClass(Params, frozen=True, kw_only=True):
    """How a class counts what its devices take of their nodes, which KEP-5517 sketches.

    `policies` are by resource; `manages`: the class is marked as one that manages resources of nodes.
    """

    class_: str
    policies: dict[str, str] = {}
    manages: bool | None = None


def count_by_class(given: Given, params: CountingClass) -> None:
    """Write it into a given class; raises StepError."""
    spec = given.device_class(params.class_)["spec"]
    if params.policies:
        spec.setdefault("nodeAllocatableResourceAccountingPolicies", {}).update(params.policies)
    if params.manages is not None:
        spec["managesNodeAllocatableResources"] = params.manages


def counting_phrases() -> tuple[Phrase, ...]:
    """The ways to say how a class counts."""
    return (
        phrase('device class "{class}" counts "{resource}" as {policy}', _policy_of_class, policy=r"\S+"),
        phrase(
            'device class "{class}" manages resources of nodes',
            lambda found, _, __: {"class": found["class"], "manages": True},
        ),
    )


def _policy_of_class(found: re.Match[str], _: Table, __: str) -> Json:
    return {"class": found["class"], "policies": {found["resource"]: found["policy"]}}


def class_phrases() -> tuple[Phrase, ...]:
    """The ways to say a class that is given."""
    words = 'a device class "{name}"[ for "{resource}"][ created at "{created}"][ that selects]'
    return (phrase(words, _class_params),)


def created_class_phrases() -> tuple[Phrase, ...]:
    """The ways to say a class that is created in a story."""
    return (phrase('a device class "{name}"[ for "{resource}"] is created[ that selects]', _class_params),)


def _class_params(found: re.Match[str], _: Table, text: str) -> Json:
    said = {name: value for name, value in found.groupdict().items() if value}
    return {**said, "selectors": [text.strip()] if text.strip() else []}
