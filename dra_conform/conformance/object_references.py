"""The names by which a case refers to objects: given names, or the owner of a generated object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.steps.given import NAMESPACE
from dra_conform.conformance.steps.step import Params, StepError
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS

EXTENDED = "extended resources"
"""The name of an extended-resource claim in cases: `extended resources of pod p`."""
ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name"

_NAMESPACED = frozenset({"Pod", "ResourceClaim", "ResourceClaimTemplate", "ResourceQuota"})
_NAME = re.compile(r"(?:(?P<namespace>[^/ ]+)/)?(?:(?P<entry>.+) of pod )?(?P<name>[^/]+)")


def reference(kind: str, name: str) -> dict[str, str]:
    """Return the reference to an object in its wire form.

    A generated ResourceClaim is named by its entry in `resourceClaims` of the pod: `gpu of pod p`.
    """
    match = _NAME.fullmatch(name)
    namespace = (match and match["namespace"]) or NAMESPACE
    if kind == "ResourceClaim" and match and match["entry"]:
        pod = f"{namespace}/{match['name']}"
        return _generated_claim(kind, pod, match["entry"])
    if kind in _NAMESPACED:
        return {"kind": kind, "name": match["name"] if match else name, "namespace": namespace}
    return {"kind": kind, "name": name}


class ObjectReference(Params, frozen=True, kw_only=True):
    """An object: its kind, and its name in the case."""

    kind: str
    name: str

    @property
    def reference(self) -> dict[str, str]:
        """Return the reference in its wire form; raises StepError for an unknown kind."""
        return reference(of_kind(self.kind), self.name)


def of_kind(kind: str) -> str:
    """Return the kind; raises StepError for an unknown kind."""
    if kind not in COLLECTIONS:
        raise StepError(f"unknown kind {kind!r}, expected one of {', '.join(COLLECTIONS)}")
    return kind


def _generated_claim(kind: str, pod: str, entry: str) -> dict[str, str]:
    return (
        {"kind": kind, "specialOf": pod}
        if entry == EXTENDED
        else {"kind": kind, "forPod": pod, "entry": entry}
    )


def find_object(objects: Mapping[str, Sequence[Json]], ref: Mapping[str, str]) -> Json | None:
    """Return the object of a reference, None if it does not exist."""
    return next(iter(find_objects(objects, ref)), None)


def find_objects(objects: Mapping[str, Sequence[Json]], ref: Mapping[str, str]) -> list[Json]:
    """Return the objects of a reference. There are several only if the cluster generated too many.

    An object that is being deleted is returned only if there is no other object.
    """
    matching = list(_matching(objects, ref))
    return [raw for raw in matching if not is_terminating(raw)] or matching


def _matching(objects: Mapping[str, Sequence[Json]], ref: Mapping[str, str]) -> Iterator[Json]:
    for raw in objects.get(COLLECTIONS[ref["kind"]], ()):
        metadata = raw.get("metadata") or {}
        annotations = metadata.get("annotations") or {}
        if "name" in ref:
            if metadata.get("name") == ref["name"] and key_of(raw) == _key(ref):
                yield raw
        elif owner_of(raw) == (ref.get("forPod") or ref.get("specialOf")):
            if "specialOf" in ref and is_extended_resource_claim(raw):
                yield raw
            if "forPod" in ref and annotations.get(ENTRY_ANNOTATION) == ref["entry"]:
                yield raw


def _key(ref: Mapping[str, str]) -> str:
    return f"{ref['namespace']}/{ref['name']}" if "namespace" in ref else ref["name"]


def is_terminating(raw: Json) -> bool:
    """Whether an object is being deleted and has finalizers."""
    return "deletionTimestamp" in (raw.get("metadata") or {})


def key_of(raw: Json) -> str:
    """Return `namespace/name` of an object, or its name if its kind has no namespaces."""
    metadata = raw.get("metadata") or {}
    name = str(metadata.get("name"))
    return f"{metadata.get('namespace') or NAMESPACE}/{name}" if raw.get("kind") in _NAMESPACED else name


def owner_of(raw: Json) -> str:
    """Return `namespace/name` of the pod that owns a ResourceClaim, empty if there is none."""
    metadata = raw.get("metadata") or {}
    for owner in metadata.get("ownerReferences") or ():
        if owner.get("kind") == "Pod":
            return f"{metadata.get('namespace') or NAMESPACE}/{owner.get('name')}"
    return ""
