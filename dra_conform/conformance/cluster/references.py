"""The names by which a case refers to objects: given names, or the owner of a generated object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.steps.given import NAMESPACE
from dra_conform.conformance.steps.step import Params, StepError
from dra_conform.kube.extended_resources import is_special
from dra_conform.kube.objects import COLLECTIONS

Json = Any

EXTENDED = "extended resources"
"""The name of an extended-resource claim in cases: `extended resources of pod p`."""
ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name"

_NAMESPACED = frozenset({"Pod", "ResourceClaim", "ResourceClaimTemplate", "ResourceQuota"})
_NAME = re.compile(r"(?:(?P<namespace>[^/ ]+)/)?(?:(?P<entry>.+) of pod )?(?P<name>[^/]+)")


def reference(kind: str, name: str) -> dict[str, str]:
    """Return the reference to an object in its wire form.

    A generated ResourceClaim is named by its entry in `resourceClaims` of the pod: `gpu of pod p`.
    """
    found = _NAME.fullmatch(name)
    namespace = (found and found["namespace"]) or NAMESPACE
    if kind == "ResourceClaim" and found and found["entry"]:
        pod = f"{namespace}/{found['name']}"
        return _made(kind, pod, found["entry"])
    if kind in _NAMESPACED:
        return {"kind": kind, "name": found["name"] if found else name, "namespace": namespace}
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
    """Return the kind; raises StepError for an unknown one."""
    if kind not in COLLECTIONS:
        raise StepError(f"unknown kind {kind!r}, expected one of {', '.join(COLLECTIONS)}")
    return kind


def _made(kind: str, pod: str, entry: str) -> dict[str, str]:
    return (
        {"kind": kind, "specialOf": pod}
        if entry == EXTENDED
        else {"kind": kind, "forPod": pod, "entry": entry}
    )


def found(objects: Mapping[str, Sequence[Json]], meant: Mapping[str, str]) -> Json | None:
    """Return the object of a reference, None if it does not exist."""
    return next(iter(all_found(objects, meant)), None)


def all_found(objects: Mapping[str, Sequence[Json]], meant: Mapping[str, str]) -> list[Json]:
    """Return the objects of a reference. There are several only if the cluster generated too many.

    An object that is being deleted is returned only if there is no other one.
    """
    meaning = list(_meaning(objects, meant))
    return [one for one in meaning if not on_its_way_out(one)] or meaning


def _meaning(objects: Mapping[str, Sequence[Json]], meant: Mapping[str, str]) -> Iterator[Json]:
    for one in objects.get(COLLECTIONS[meant["kind"]], ()):
        metadata = one.get("metadata") or {}
        annotations = metadata.get("annotations") or {}
        if "name" in meant:
            if metadata.get("name") == meant["name"] and key_of(one) == _key(meant):
                yield one
        elif owner_of(one) == (meant.get("forPod") or meant.get("specialOf")):
            if "specialOf" in meant and is_special(one):
                yield one
            if "forPod" in meant and annotations.get(ENTRY_ANNOTATION) == meant["entry"]:
                yield one


def _key(meant: Mapping[str, str]) -> str:
    return f"{meant['namespace']}/{meant['name']}" if "namespace" in meant else meant["name"]


def on_its_way_out(one: Json) -> bool:
    """Whether an object is being deleted and has finalizers."""
    return "deletionTimestamp" in (one.get("metadata") or {})


def key_of(one: Json) -> str:
    """Return `namespace/name` of an object, or its name if its kind has no namespaces."""
    metadata = one.get("metadata") or {}
    name = str(metadata.get("name"))
    return f"{metadata.get('namespace') or NAMESPACE}/{name}" if one.get("kind") in _NAMESPACED else name


def owner_of(one: Json) -> str:
    """Return `namespace/name` of the pod that owns a ResourceClaim, empty if there is none."""
    metadata = one.get("metadata") or {}
    for owner in metadata.get("ownerReferences") or ():
        if owner.get("kind") == "Pod":
            return f"{metadata.get('namespace') or NAMESPACE}/{owner.get('name')}"
    return ""
