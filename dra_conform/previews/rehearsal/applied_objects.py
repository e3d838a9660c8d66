"""The objects to apply for manifests, and their writes, as by `kubectl apply`.

Workloads are replaced by their pods, and each claim that no pod uses gets a placeholder pod.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from dra_conform.apiserver.kinds import STRATEGIES
from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.cluster_state.pods import (
    claim_keys,
    extended_resource_claim_key,
    owner_of,
    reservations_of,
    with_status,
)
from dra_conform.kube.core import Pod
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.kube.objects import encode
from dra_conform.kube.versions import from_v1
from dra_conform.previews.workload_pods import WorkloadPod, WorkloadPods
from dra_conform.simulation.server import Server, WriteResult

_PREFIX = "claim/"
"""The prefix of placeholder pods' names, which the API server would reject."""


def unused_claims(claims: Sequence[Json], pods: Sequence[Json]) -> Iterator[Json]:
    """Yield the claims that no pod names, that no pod owns, and that are not reserved."""
    used: set[Key | None] = {key for pod in pods for _, key in claim_keys(pod)}
    used |= {extended_resource_claim_key(pod) for pod in pods}
    for claim in claims:
        if key_in(claim) not in used and owner_of(claim) is None and not reservations_of(claim):
            yield claim


def placeholder_pod(claim: Json) -> Json:
    """Return a pod with the claim and no other requests; its name is invalid in manifests."""
    _, namespace, name = key_in(claim)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"{_PREFIX}{name}", "namespace": namespace},
        "spec": {"containers": [], "resourceClaims": [{"name": "claim", "resourceClaimName": name}]},
    }


def is_placeholder(pod: Json) -> bool:
    """Whether a pod is the placeholder of a claim."""
    name: str = pod["metadata"]["name"]
    return name.startswith(_PREFIX)


def without_placeholder_users(claim: Json) -> Json:
    """Return the claim without reservations for placeholder pods."""
    consumers = reservations_of(claim)
    kept = [consumer for consumer in consumers if not consumer["name"].startswith(_PREFIX)]
    return claim if len(kept) == len(consumers) else with_status(claim, reservedFor=kept or None)


def applied(item: LoadedObject, workloads: WorkloadPods) -> list[Json]:
    """Return the v1 object of a manifest, the pods of a workload instead of it, nothing for other kinds.

    Raises InputError as `WorkloadPods.of` does.
    """
    if item.kind in STRATEGIES and not isinstance(item.object, Pod | OtherObject):
        return [_applied(item.raw)]
    return [_applied(_pod(workload_pod)) for workload_pod in workloads.of(item)]


def earlier_uids(objects: Iterable[Json]) -> Mapping[Key, str]:
    """Return the UID of each pod without a UID, from the owner references of its claims.

    So claims printed by kubectl or by an earlier preview belong to their pods again.
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
    """Return the object without owners that are not in the manifests, and without reservations for such pods.

    Otherwise the garbage collector would delete the object, and the ResourceClaim controller would deallocate
    the claim. `uids` are the UIDs of all manifests.
    """
    owners = raw["metadata"].get("ownerReferences") or ()
    known = [owner for owner in owners if owner.get("kind") not in STRATEGIES or owner.get("uid") in uids]
    if len(known) < len(owners):
        raw = with_field(raw, "metadata.ownerReferences", known)
    if raw["kind"] != "ResourceClaim":
        return raw
    consumers = reservations_of(raw)
    kept = [
        consumer
        for consumer in consumers
        if consumer.get("resource") != "pods" or consumer.get("apiGroup") or consumer.get("uid") in uids
    ]
    return raw if len(kept) == len(consumers) else with_status(raw, reservedFor=kept or None)


def missing_namespaces(objects: Iterable[Json]) -> list[Json]:
    """Return the namespaces of objects that no manifest has, without labels: in a preview they exist."""
    keys = [key_in(raw) for raw in objects]
    known = {name for kind, _, name in keys if kind == "Namespace"}
    names = {namespace for _, namespace, _ in keys if namespace} - known
    return [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in sorted(names)]


def _pod(workload_pod: WorkloadPod) -> Json:
    if isinstance(workload_pod.origin.object, Pod):
        return workload_pod.origin.raw
    return {"apiVersion": "v1", "kind": "Pod", **encode(workload_pod.pod)}


def _applied(raw: Json) -> Json:
    """Return the object with the default namespace if it names none, and without `resourceVersion`.

    Without `resourceVersion` the object replaces any stored version.
    """
    metadata = {name: value for name, value in raw["metadata"].items() if name != "resourceVersion"}
    if STRATEGIES[raw["kind"]].namespaced:
        metadata.setdefault("namespace", "default")
    return {**raw, "metadata": metadata}


class ManifestWrites:
    """Applies objects one by one.

    `created` has each object of a create request with the answer of the API server. `rejected` has the
    keys and messages of rejected writes, but for the creation of pods.
    """

    def __init__(self, server: Server) -> None:
        self.created: list[tuple[Json, WriteResult]] = []
        self.rejected: list[tuple[Key, str]] = []
        self._server = server
        self._seen: dict[Key, Json] = {}

    def load(self, objects: Iterable[Json]) -> list[Json]:
        """Store the objects that have a UID as existing objects without admission, and return them."""
        existing: dict[Key, Json] = {}
        for raw in objects:
            if raw["metadata"].get("uid"):
                existing.setdefault(key_in(raw), raw)
        for raw in existing.values():
            self._server.load(raw)
        self._seen |= existing
        return list(existing.values())

    def delete(self, pods: Collection[Key]) -> None:
        """Delete pods that were applied before."""
        for key in pods:
            self._server.delete(key)
            self._seen.pop(key, None)
        self.created = [(raw, written) for raw, written in self.created if key_in(raw) not in pods]

    def apply(self, raw: Json) -> None:
        """Create a v1 object, or update an existing object that differs; its status is written separately.

        It is written in the newest version that the release serves.
        """
        named = bool(raw["metadata"].get("name"))
        key = key_in(raw)
        known = self._seen.get(key) if named else None
        if known is raw or known == raw:
            return
        sent = from_v1(raw, self._server.version_of(raw["kind"]))
        if known is None:
            written = self._server.create(sent)
            self.created.append((raw, written))
            if written["outcome"] == "rejected":
                if raw["kind"] != "Pod":
                    self._record_rejection(raw, written)
                return
        else:
            self._record_rejection(raw, self._server.update(sent))
        if named:
            if "status" in raw:
                self._record_rejection(raw, self._server.update(sent, "status"))
            self._seen[key] = raw

    def _record_rejection(self, raw: Json, written: WriteResult) -> None:
        if written["outcome"] == "rejected":
            self.rejected.append((key_in(raw), str(written.get("message", ""))))
