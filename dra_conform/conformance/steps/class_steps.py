"""Device classes as steps say them."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import RESOURCE, cel_selectors
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
