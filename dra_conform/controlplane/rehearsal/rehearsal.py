"""The preview of manifests on a simulated cluster, one set of files after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from dra_conform.controlplane.nodes_of_slices import nodes_of_slices
from dra_conform.controlplane.parts import Parts
from dra_conform.controlplane.progress import Progress, no_progress
from dra_conform.controlplane.rehearsal.applied_objects import applied, earlier_uids, without_unknown_users
from dra_conform.controlplane.rehearsal.lone_claims import invisible_pod, lone_claims, without_invisible_users
from dra_conform.controlplane.rehearsal.manifest_writes import ManifestWrites
from dra_conform.controlplane.rehearsal.pod_outcomes import PodOutcomes
from dra_conform.controlplane.rehearsal.rehearsed_pod import PodState, RehearsedPod
from dra_conform.controlplane.simulation.components import Components
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import allocation_of
from dra_conform.controlplane.simulation.running import RunningCluster
from dra_conform.kube.core import Node
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.garbage import without_collection
from dra_conform.kube.manifests import Loaded
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile

Json = Any


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a rehearsal.

    At the end `seconds` pass. `node`: no other node is there. `lone_claims`: claims that no pod uses are
    allocated too, once all pods have settled. `explain`: why claims do not fit, device by device.
    """

    profile: Profile
    seconds: int = 0
    seed: int = 0
    node: str = ""
    lone_claims: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The pods, those that were there before first, and the claims and pods that are there in the end.

    `lone_claims` has for each claim that no pod uses what came of the invisible pod that asked for it, under
    the name of the claim; without a node it was allocated before. `slices` are there in the end too.
    `nodes_made` are the nodes that no manifest describes. `refused` are the objects other than pods that the
    API server rejected, with what it said.
    """

    pods: tuple[RehearsedPod, ...]
    lone_claims: tuple[RehearsedPod, ...]
    objects: tuple[Json, ...]
    slices: tuple[Json, ...]
    nodes_made: tuple[str, ...]
    refused: tuple[str, ...]


def rehearse(
    sets: Sequence[Sequence[Loaded]], question: Question, progress: Progress = no_progress
) -> Rehearsal:
    """Apply sets of manifests, as `as_stored` has them, and let the cluster settle after each.

    Objects with a UID come from a cluster: they are there from the beginning, as they are written. Where no
    manifest describes a node, those that slices name are made. Raises InputError for a workload with an
    impossible number of pods.
    """
    everything = [item for one in sets for item in one]
    made = [one for one in nodes_of_slices(everything) if question.node in ("", one["metadata"]["name"])]
    nodes = [item.object for item in everything if isinstance(item.object, Node)]
    nodes = [one for one in nodes if question.node in ("", one.metadata.name)] + [decode(one) for one in made]
    names = {one.metadata.name for one in nodes}
    written = [
        [raw for raw in applied(one, nodes) if raw["kind"] != "Node" or raw["metadata"]["name"] in names]
        for one in sets
    ]
    uids = {str(item.raw["metadata"].get("uid", "")) for item in everything if "metadata" in item.raw}
    with without_collection():
        return _Story(question, progress).rehearsal(made, list(_with_uids(written, uids)))


def _with_uids(sets: Sequence[Sequence[Json]], uids: set[str]) -> Iterator[list[Json]]:
    """The objects with the UIDs by which others know them, and without users that nobody describes."""
    earlier = earlier_uids(raw for one in sets for raw in one)
    known = {*uids, *earlier.values()}
    for one in sets:
        yield [without_unknown_users(_with_uid(raw, earlier), known) for raw in one]


def _with_uid(raw: Json, earlier: Mapping[Key, str]) -> Json:
    uid = earlier.get(key_in(raw)) if raw["kind"] == "Pod" else None
    return with_field(raw, "metadata.uid", uid) if uid else raw


class _Story:
    """A cluster that is begun for one question."""

    def __init__(self, question: Question, progress: Progress) -> None:
        self._question = question
        self._progress = progress
        self._cluster = RunningCluster(
            Parts(), Components({}, question.profile), question.seed, self._scheduling
        )
        self._server = self._cluster.server
        self._writes = ManifestWrites(self._server)
        self._outcomes = PodOutcomes(self._cluster, question.profile, explain=question.explain)

    def rehearsal(self, made: Sequence[Json], sets: Sequence[Sequence[Json]]) -> Rehearsal:
        """Apply nodes that were made and the sets, and tell what comes of them."""
        there = self._writes.load(raw for one in sets for raw in one)
        self._apply(made, sets)
        pods = [self._outcomes.of(raw) for raw in there if raw["kind"] == "Pod"]
        created = ((raw, written) for raw, written in self._writes.created if raw["kind"] == "Pod")
        pods += [self._outcomes.of_created(raw, written) for raw, written in created]
        stored = self._server.all("Pod")
        lone = list(self._lone_claims(stored)) if self._question.lone_claims else []
        return Rehearsal(
            pods=tuple(pods),
            lone_claims=tuple(lone),
            objects=(*stored, *map(without_invisible_users, self._server.all("ResourceClaim"))),
            slices=tuple(self._server.all("ResourceSlice")),
            nodes_made=tuple(node["metadata"]["name"] for node in made),
            refused=tuple(self._writes.rejected),
        )

    def _apply(self, made: Sequence[Json], sets: Sequence[Sequence[Json]]) -> None:
        total = len(made) + sum(map(len, sets))
        done = count(1)
        for raw in made:
            self._write(raw, next(done), total)
        for one in sets:
            for raw in one:
                self._write(raw, next(done), total)
            self._settle()
        if self._question.seconds:
            self._cluster.clock.advance(self._question.seconds)
            self._settle()

    def _write(self, raw: Json, number: int, total: int) -> None:
        self._writes.apply(raw)
        self._progress("applying manifests", number, total)

    def _settle(self) -> None:
        self._cluster.settle()
        self._outcomes.look()

    def _scheduling(self, done: int, total: int) -> None:
        self._progress("scheduling pods", done, total)

    def _lone_claims(self, pods: Sequence[Json]) -> Iterator[RehearsedPod]:
        claims = list(lone_claims(self._server.all("ResourceClaim"), pods))
        asking = {key_in(one): invisible_pod(one) for one in claims if allocation_of(one) is None}
        for pod in asking.values():
            self._server.load(pod)
        self._settle()
        for claim in claims:
            name = "/".join(key_in(claim)[1:])
            pod = asking.get(key_in(claim))
            if pod is None:
                yield RehearsedPod(name, PodState.RUNNING, claims=(claim,), wants_devices=True)
                continue
            found = self._outcomes.of(self._server.get(key_in(pod)))
            yield replace(found, key=name, claims=tuple(map(without_invisible_users, found.claims)))
