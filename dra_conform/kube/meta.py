"""The parts of meta/v1 and core/v1 that the kinds of resource.k8s.io use, and the validation of names in URL
paths."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec


def path_segment(text: str) -> tuple[str, ...]:
    """Return the errors of a string that must be one segment of a URL path; empty if it is valid."""
    if text in (".", "..") or "/" in text or "%" in text:
        return ("may not be '.' or '..' or contain '/' or '%'",)
    return ()


Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A 64-bit integer, the `int64` of the API."""


class ApiStruct(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True):
    """The base of all API types: camelCase in JSON, unknown fields are errors, defaults are omitted."""


class OwnerReference(ApiStruct, frozen=True, kw_only=True):
    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(ApiStruct, frozen=True, kw_only=True):
    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    finalizers: tuple[str, ...] = ()
    owner_references: tuple[OwnerReference, ...] = ()
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    managed_fields: tuple[Any, ...] = ()
    self_link: str = ""


class Condition(ApiStruct, frozen=True, kw_only=True):
    type: str
    status: str
    reason: str = ""
    message: str = ""
    observed_generation: int = 0
    last_transition_time: str | None = None


class NodeSelectorRequirement(ApiStruct, frozen=True, kw_only=True):
    key: str
    operator: str
    values: tuple[str, ...] = ()


class NodeSelectorTerm(ApiStruct, frozen=True, kw_only=True):
    match_expressions: tuple[NodeSelectorRequirement, ...] = ()
    match_fields: tuple[NodeSelectorRequirement, ...] = ()


class NodeSelector(ApiStruct, frozen=True, kw_only=True):
    """The NodeSelector of core/v1: terms are ORed, the requirements of a term are ANDed."""

    node_selector_terms: tuple[NodeSelectorTerm, ...] = ()
