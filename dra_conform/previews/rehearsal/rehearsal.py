"""Preview: apply manifests to a simulated cluster, one set of files after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from dra_conform.cluster_state.components import Components
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import allocation_of
from dra_conform.kube.core import Node
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.previews.nodes_of_slices import nodes_of_slices
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.rehearsal.applied_objects import (
    ManifestWrites,
    applied,
    earlier_uids,
    is_placeholder,
    missing_namespaces,
    placeholder_pod,
    unused_claims,
    without_placeholder_users,
    without_unknown_users,
)
from dra_conform.previews.rehearsal.pod_outcomes import (
    PodOutcomes,
    PodState,
    RehearsedPod,
    device_objects,
)
from dra_conform.simulation.parts import Objects, Parts
from dra_conform.simulation.running import RunningCluster


@dataclass(frozen=True, slots=True)
class PreviewOptions:
    """The options of a preview: profile, seed, and what to explain.

    `seconds` is the time that passes at the end. `node` is the only node of the cluster if set.
    `unused_claims`: claims that no pod uses are also allocated, after all pods. `explain`: report the reasons
    by device why claims cannot be allocated, and why pods were evicted.
    """

    profile: Profile
    seconds: int = 0
    seed: int = 0
    node: str = ""
    unused_claims: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The result of a preview: the final pods, claims and other objects.

    `pods` has the existing pods first, then the created pods. `unused_claims` has an outcome for each claim
    that no pod uses, with the key of the claim; it has no node if the claim was allocated before. `objects`
    are the final pods and claims, `device_objects` the final objects that publish and taint devices by
    collection. `added_nodes` are not in the manifests. `rejected` has the keys and the messages of
    objects that the API server rejected, but for pods that it did not create. `quotas` are the final
    ResourceQuotas.
    """

    pods: tuple[RehearsedPod, ...]
    unused_claims: tuple[RehearsedPod, ...]
    objects: tuple[Json, ...]
    device_objects: Objects
    added_nodes: tuple[str, ...]
    rejected: tuple[tuple[Key, str], ...]
    quotas: tuple[Json, ...] = ()


def rehearse(
    sets: Sequence[Sequence[LoadedObject]], question: PreviewOptions, progress: Progress = no_progress
) -> Rehearsal:
    """Preview sets of manifests in the release of the question, as `rehearse_upgrades`."""
    return rehearse_upgrades(sets, question, (), progress)[0]


def rehearse_upgrades(
    sets: Sequence[Sequence[LoadedObject]],
    question: PreviewOptions,
    later: Sequence[Profile],
    progress: Progress = no_progress,
) -> list[Rehearsal]:
    """Return the state of a cluster in the release of the question, and after an upgrade to each profile.

    Apply sets of manifests from `as_stored`, and let the cluster reach a steady state after each set.

    Objects with a UID come from a cluster, so they exist before the first set and are not admitted. If the
    manifests have no Node, the nodes that ResourceSlices name are added. Raises InputError for a workload
    with an invalid number of pods.
    """
    added, written = objects_to_apply(sets, question.node)
    with without_garbage_collection():
        preview = _Preview(question, progress)
        first = preview.run(added, written)
        return [first, *map(preview.upgrade, later)]


def objects_to_apply(
    sets: Sequence[Sequence[LoadedObject]], node: str = ""
) -> tuple[list[Json], list[list[Json]]]:
    """Return the added nodes, and the v1 objects to apply of each set of manifests.

    `node` is the only node if set. Raises InputError for a workload with an invalid number of pods.
    """
    everything = [item for manifests in sets for item in manifests]
    added = [raw for raw in nodes_of_slices(everything) if node in ("", raw["metadata"]["name"])]
    nodes = [item.object for item in everything if isinstance(item.object, Node)]
    nodes = [item for item in nodes if node in ("", item.metadata.name)]
    nodes += [decode(raw) for raw in added]
    names = {item.metadata.name for item in nodes}
    written = [
        [
            raw
            for raw in applied(manifests, nodes)
            if raw["kind"] != "Node" or raw["metadata"]["name"] in names
        ]
        for manifests in sets
    ]
    metadata = (item.raw.get("metadata") for item in everything)
    uids = {str(each.get("uid", "")) for each in metadata if isinstance(each, dict)}
    return added, list(_with_uids(written, uids))


def _with_uids(sets: Sequence[Sequence[Json]], uids: set[str]) -> Iterator[list[Json]]:
    """Yield the sets with the UIDs of pods as claims name them, and without unknown owners and consumers."""
    earlier = earlier_uids(raw for objects in sets for raw in objects)
    known = {*uids, *earlier.values()}
    for objects in sets:
        yield [without_unknown_users(_with_uid(raw, earlier), known) for raw in objects]


def _with_uid(raw: Json, earlier: Mapping[Key, str]) -> Json:
    uid = earlier.get(key_in(raw)) if raw["kind"] == "Pod" else None
    return with_field(raw, "metadata.uid", uid) if uid else raw


class _Preview:
    """A simulated cluster for one preview."""

    def __init__(self, question: PreviewOptions, progress: Progress) -> None:
        self._question = question
        self._progress = progress
        self._cluster = RunningCluster(
            Parts(), Components({}, question.profile), question.seed, self._scheduling
        )
        self._server = self._cluster.server
        self._writes = ManifestWrites(self._server)
        self._outcomes = PodOutcomes(self._cluster, explain=question.explain)
        self._added: tuple[str, ...] = ()
        self._existing: list[Json] = []
        self._unused: dict[Key, Json] | None = None
        """The claims that no pod uses, each with its placeholder pod, None for an allocated claim."""

    def run(self, added: Sequence[Json], sets: Sequence[Sequence[Json]]) -> Rehearsal:
        """Apply the added nodes and the sets, and return the outcomes."""
        self._added = tuple(node["metadata"]["name"] for node in added)
        self._existing = self._writes.load(raw for objects in sets for raw in objects)
        for namespace in missing_namespaces(raw for objects in sets for raw in objects):
            self._server.load(namespace)
        self._apply(added, sets)
        return self._rehearsal()

    def upgrade(self, profile: Profile) -> Rehearsal:
        """Replace the components with those of a profile, and return the outcomes."""
        self._cluster.components.upgrade(profile)
        self._wait()
        return self._rehearsal()

    def _rehearsal(self) -> Rehearsal:
        pods = [self._outcomes.of(raw) for raw in self._existing if raw["kind"] == "Pod"]
        created = ((raw, written) for raw, written in self._writes.created if raw["kind"] == "Pod")
        pods += [self._outcomes.of_created(raw, written) for raw, written in created]
        unused = list(self._unused_claims()) if self._question.unused_claims else []
        stored = [pod for pod in self._server.all("Pod") if not is_placeholder(pod)]
        return Rehearsal(
            pods=tuple(pods),
            unused_claims=tuple(unused),
            objects=(*stored, *map(without_placeholder_users, self._server.all("ResourceClaim"))),
            device_objects=device_objects(self._server),
            added_nodes=self._added,
            rejected=tuple(self._writes.rejected),
            quotas=tuple(self._server.all("ResourceQuota")),
        )

    def _apply(self, added: Sequence[Json], sets: Sequence[Sequence[Json]]) -> None:
        total = len(added) + sum(map(len, sets))
        done = count(1)
        for raw in added:
            self._write(raw, next(done), total)
        for objects in sets:
            uncounted = False
            for raw in objects:
                is_quota = raw["kind"] == "ResourceQuota"
                if uncounted and not is_quota:
                    self._cluster.count_quotas()  # As in a cluster, where the next write comes later.
                uncounted = is_quota
                self._write(raw, next(done), total)
            if uncounted:
                self._cluster.count_quotas()
            self._settle()
        if self._question.seconds:
            self._wait()

    def _wait(self) -> None:
        self._cluster.clock.advance(self._question.seconds)
        self._settle()

    def _write(self, raw: Json, number: int, total: int) -> None:
        self._writes.apply(raw)
        self._progress("applying manifests", number, total)

    def _settle(self) -> None:
        self._cluster.settle()
        self._outcomes.update()

    def _scheduling(self, done: int, total: int) -> None:
        self._progress("scheduling pods", done, total)

    def _unused_claims(self) -> Iterator[RehearsedPod]:
        if self._unused is None:
            self._unused = self._with_placeholders()
            self._settle()
        for key, pod in self._unused.items():
            name = "/".join(key[1:])
            if pod is None:
                claim = self._server.get(key)
                claims = () if claim is None else (claim,)
                yield RehearsedPod(name, PodState.RUNNING, claims=claims, wants_devices=True)
                continue
            outcome = self._outcomes.of(pod)
            yield replace(outcome, key=name, claims=tuple(map(without_placeholder_users, outcome.claims)))

    def _with_placeholders(self) -> dict[Key, Json]:
        """Return the claims that no pod uses, each with its stored placeholder pod."""
        placeholders: dict[Key, Json] = {}
        for claim in unused_claims(self._server.all("ResourceClaim"), self._server.all("Pod")):
            placeholders[key_in(claim)] = None
            if allocation_of(claim) is None:
                pod = placeholder_pod(claim)
                self._server.load(pod)
                placeholders[key_in(claim)] = self._server.get(key_in(pod))
        return placeholders
