"""Preview: apply manifests to a simulated cluster, one set of files after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from dra_conform.cluster_state.components import Components
from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.cluster_state.pods import allocation_of
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.profile import Profile
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.recorded_times import present_time, times_in_object
from dra_conform.previews.rehearsal.applied_objects import (
    ManifestWrites,
    is_placeholder,
    missing_namespaces,
    placeholder_pod,
    unused_claims,
    without_placeholder_users,
)
from dra_conform.previews.rehearsal.manifest_sets import ObjectsToApply, objects_to_apply
from dra_conform.previews.rehearsal.pod_outcomes import (
    PodOutcomes,
    PodState,
    RehearsedPod,
    device_objects,
)
from dra_conform.previews.rehearsal.recorded_usage import notes_on_quotas
from dra_conform.simulation.parts import Objects, Parts
from dra_conform.simulation.running import RunningCluster
from dra_conform.simulation.shared_state import START


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
    ResourceQuotas. `notes` tell users what the preview leaves out.
    """

    pods: tuple[RehearsedPod, ...]
    unused_claims: tuple[RehearsedPod, ...]
    objects: tuple[Json, ...]
    device_objects: Objects
    added_nodes: tuple[str, ...]
    rejected: tuple[tuple[Key, str], ...]
    quotas: tuple[Json, ...] = ()
    notes: tuple[str, ...] = ()


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
    written = objects_to_apply(sets, question.node)
    with without_garbage_collection():
        preview = _Preview(question, progress)
        first = preview.run(written)
        return [first, *map(preview.upgrade, later)]


_ENDED = (PodState.GONE, PodState.FAILED)


def _key(pod: RehearsedPod) -> Key:
    namespace, _, name = pod.key.partition("/")
    return key_of("Pod", name, namespace)


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
        self._written = ObjectsToApply((), (), {}, ())
        self._notes: tuple[str, ...] = ()
        self._existing: list[Json] = []
        self._unused: dict[Key, Json] | None = None
        """The claims that no pod uses, each with its placeholder pod, None for an allocated claim."""

    def run(self, written: ObjectsToApply) -> Rehearsal:
        """Apply the added nodes and the sets, and return the outcomes."""
        self._written = written
        now = present_time(chain.from_iterable(map(times_in_object, written.objects())))
        self._cluster.clock.advance((now - START).total_seconds())
        self._existing = self._writes.load(written.objects())
        self._notes = (*written.notes, *notes_on_quotas(self._existing, self._server))
        for namespace in missing_namespaces(written.objects()):
            self._server.load(namespace)
        self._apply(written)
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
            added_nodes=tuple(node["metadata"]["name"] for node in self._written.added),
            rejected=tuple(self._writes.rejected),
            quotas=tuple(self._server.all("ResourceQuota")),
            notes=(*self._notes, *self._lost_pods(pods)),
        )

    def _lost_pods(self, pods: Iterable[RehearsedPod]) -> Iterator[str]:
        """Yield a note on pods that their workload would replace."""
        ended = (_key(pod) for pod in pods if pod.state in _ENDED)
        workloads = (self._written.workloads.get(key) for key in ended)
        names = [*dict.fromkeys(str(workload) for workload in workloads if workload is not None)]
        if names:
            yield (
                "note: a cluster would create other pods in place of those that were evicted or failed; this "
                f"is not simulated: {listed(names)}"
            )

    def _apply(self, written: ObjectsToApply) -> None:
        total = len(written.added) + sum(len(each.objects) for each in written.sets)
        done = count(1)
        for raw in written.added:
            self._write(raw, next(done), total)
        for each in written.sets:
            if each.deleted:
                deleted = set(each.deleted)
                self._writes.delete(deleted)
                self._existing = [raw for raw in self._existing if key_in(raw) not in deleted]
                self._settle()
            uncounted = False
            for raw in each.objects:
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
