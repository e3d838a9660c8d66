"""The objects that applying manifests creates, with nodes and the pods of workloads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.apiserver.kinds import STRATEGIES
from dra_conform.controlplane.simulation.keys import Key, key_in, key_of
from dra_conform.controlplane.simulation.pods import owner_of, reservations_of, with_status
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


def earlier_uids(objects: Iterable[Json]) -> Mapping[Key, str]:
    """The UID of each pod without one that the claims made for it name as their owner, by the pod's key.

    Claims that were printed before, by kubectl or by an earlier preview, so find their pods again.
    """
    owners: dict[Key, str] = {}
    pods_without: set[Key] = set()
    for raw in objects:
        owner = owner_of(raw) if raw["kind"] == "ResourceClaim" else None
        if owner is not None and owner.get("uid"):
            owners.setdefault(key_of("Pod", owner["name"], raw["metadata"]["namespace"]), owner["uid"])
        if raw["kind"] == "Pod" and not raw["metadata"].get("uid"):
            pods_without.add(key_in(raw))
    return {key: uid for key, uid in owners.items() if key in pods_without}


def without_unknown_users(raw: Json, uids: Collection[str]) -> Json:
    """The object without owners and, of a ResourceClaim, reservations of pods that no manifest describes.

    The garbage collector would take the object for an orphan, and the claim controller would release the
    devices of the claim. `uids` are those of all manifests.
    """
    owners = raw["metadata"].get("ownerReferences") or ()
    known = [one for one in owners if one.get("kind") not in STRATEGIES or one.get("uid") in uids]
    if len(known) < len(owners):
        raw = with_field(raw, "metadata.ownerReferences", known)
    if raw["kind"] != "ResourceClaim":
        return raw
    users = reservations_of(raw)
    there = [one for one in users if one.get("resource") != "pods" or one.get("uid") in uids]
    return raw if len(there) == len(users) else with_status(raw, reservedFor=there or None)


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
