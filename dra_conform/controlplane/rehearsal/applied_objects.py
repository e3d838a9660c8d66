"""What applying manifests does: objects to create or update, nodes and the pods of workloads among them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from dra_conform.controlplane.apiserver.kinds import STRATEGIES
from dra_conform.controlplane.workload_pods import PodToPlace, pods
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.manifests import Loaded, OtherObject
from dra_conform.kube.objects import encode

Json = Any


def applied(loaded: Sequence[Loaded], nodes: Sequence[Node]) -> Iterator[Json]:
    """The v1 objects of manifests in their order, workloads as their pods; others are left out.

    `nodes` are all there are, for DaemonSets. Raises InputError as `pods` does.
    """
    for item in loaded:
        if item.kind in STRATEGIES and not isinstance(item.object, Pod | OtherObject):
            yield _applied(item.raw)
        for wanted in pods([item], nodes):
            yield _applied(_pod(wanted))


def with_owners(raw: Json, uids: Collection[str]) -> Json:
    """The object without references to owners that are not there: nobody gave a manifest of them, and the
    garbage collector would take the object for an orphan. `uids` are those of all manifests."""
    owners = raw["metadata"].get("ownerReferences") or ()
    known = [one for one in owners if one.get("kind") not in STRATEGIES or one.get("uid") in uids]
    return raw if len(known) == len(owners) else with_field(raw, "metadata.ownerReferences", known)


def _pod(wanted: PodToPlace) -> Json:
    if isinstance(wanted.origin.object, Pod):
        return wanted.origin.raw
    return {"apiVersion": "v1", "kind": "Pod", **encode(wanted.pod)}


def _applied(raw: Json) -> Json:
    """The object in the namespace that a client gives it where it names none, and whatever version of it is
    there already."""
    metadata = {name: value for name, value in raw["metadata"].items() if name != "resourceVersion"}
    if STRATEGIES[raw["kind"]].namespaced:
        metadata.setdefault("namespace", "default")
    return {**raw, "metadata": metadata}
