"""The objects to apply of each set of manifests, and the pods to delete because their workload changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import decode
from dra_conform.previews.nodes_of_slices import nodes_of_slices
from dra_conform.previews.rehearsal.applied_objects import applied, earlier_uids, without_unknown_users
from dra_conform.previews.rehearsal.limit_ranges import LimitRanges
from dra_conform.previews.workload_owners import Workload, workload_of
from dra_conform.previews.workload_pods import WorkloadPods, pod_templates, why_no_pods


@dataclass(frozen=True, slots=True)
class ManifestSet:
    """The pods of earlier sets to delete first, and the v1 objects to apply."""

    deleted: Sequence[Key]
    objects: Sequence[Json]


@dataclass(frozen=True, slots=True)
class ObjectsToApply:
    """The sets of manifests as objects, with nodes that are added because the manifests have none.

    `workloads` has the workload of each of its pods. `notes` are for users.
    """

    added: Sequence[Json]
    sets: Sequence[ManifestSet]
    workloads: Mapping[Key, Workload]
    notes: Sequence[str]

    def objects(self) -> Iterator[Json]:
        """Yield the objects of all sets."""
        for each in self.sets:
            yield from each.objects


def objects_to_apply(sets: Sequence[Sequence[LoadedObject]], node: str = "") -> ObjectsToApply:
    """Return the objects to apply of each set of manifests; workloads count as their pods.

    If a later set has a workload again, the pods that it does not have any more or that have changed are
    deleted. `node` is the only node if set. Raises InputError for a workload with an invalid number of pods.
    """
    everything = [item for manifests in sets for item in manifests]
    added = [raw for raw in nodes_of_slices(everything) if node in ("", raw["metadata"]["name"])]
    nodes = [item.object for item in everything if isinstance(item.object, Node)]
    nodes = [item for item in nodes if node in ("", item.metadata.name)]
    nodes += [decode(raw) for raw in added]
    collected = _Collected(WorkloadPods(everything, nodes), {item.metadata.name for item in nodes})
    collected_sets = [collected.of(manifests) for manifests in sets]
    metadata = (item.raw.get("metadata") for item in everything)
    uids = {str(each.get("uid", "")) for each in metadata if isinstance(each, dict)}
    return ObjectsToApply(
        added, list(_with_uids(collected_sets, uids)), collected.workloads, list(collected.notes())
    )


class _Collected:
    """Collects the objects of one set after the other, with the pods of each workload."""

    def __init__(self, workload_pods: WorkloadPods, nodes: set[str]) -> None:
        self.workloads: dict[Key, Workload] = {}
        self._workload_pods = workload_pods
        self._nodes = nodes
        self._pods: dict[Workload, dict[Key, Json]] = {}
        """The pods of each workload after its last set."""
        self._empty: dict[Workload, str] = {}
        """The reasons of workloads without pods."""
        self._changed: dict[Workload, None] = {}
        self._limit_ranges = LimitRanges()
        self._templates: dict[Workload, Sequence[Json]] = {}
        """The pod templates of each workload in its last manifest."""
        self._written: dict[Key, tuple[Json, Json]] = {}
        """The pods as written, and with the defaults of LimitRanges."""

    def of(self, manifests: Iterable[LoadedObject]) -> ManifestSet:
        """Return the changes of a set."""
        deleted: list[Key] = []
        objects: dict[Key | int, Json] = {}
        numbers = count()
        for item in manifests:
            workload = workload_of(item)
            self._limit_ranges.add(item)
            deleted += self._replaced_pods(workload, item) if workload is not None else ()
            written = list(map(self._with_defaults, applied(item, self._workload_pods)))
            if workload is not None:
                deleted += self._changed_pods(workload, written, objects)
                if not written and not self._workload_pods.is_controlled(item):
                    self._empty[workload] = why_no_pods(item)
            for raw in written:
                if raw["kind"] != "Node" or raw["metadata"]["name"] in self._nodes:
                    objects[key_in(raw) if workload is not None else next(numbers)] = raw
        return ManifestSet(deleted, list(objects.values()))

    def _replaced_pods(self, workload: Workload, item: LoadedObject) -> Iterator[Key]:
        """Yield the existing pods of a workload that was applied before with another template."""
        templates = pod_templates(item)
        before = self._templates.get(workload)
        self._templates[workload] = templates
        if before is not None and not _is_part(templates, before):
            yield from self._existing_keys(workload, self._workload_pods.forget(workload))

    def _existing_keys(self, workload: Workload, pods: Iterable[Pod]) -> Iterator[Key]:
        for pod in pods:
            self._changed[workload] = None
            yield key_of("Pod", pod.metadata.name, pod.metadata.namespace or "default")

    def _with_defaults(self, raw: Json) -> Json:
        """Return a pod with the defaults of the LimitRanges that existed when it was written first."""
        if raw["kind"] != "Pod":
            return raw
        before, stored = self._written.get(key_in(raw), (None, None))
        if before != raw or not raw["metadata"].get("name"):
            stored = self._limit_ranges.applied_to(raw)
            self._written[key_in(raw)] = raw, stored
        return stored

    def _changed_pods(
        self, workload: Workload, written: Sequence[Json], objects: dict[Key | int, Json]
    ) -> Iterator[Key]:
        """Yield the pods of earlier sets that a workload no longer has; those of this set are removed."""
        pods = {key_in(raw): raw for raw in written}
        if workload in self._pods:
            yield from self._existing_keys(workload, self._workload_pods.take_surplus(workload))
        for key, raw in self._pods.get(workload, {}).items():
            if key in objects:
                del objects[key]
            elif pods.get(key) != raw:
                self._changed[workload] = None
                yield key
        self._pods[workload] = pods
        self.workloads |= dict.fromkeys(pods, workload)

    def notes(self) -> Iterator[str]:
        """Yield notes about LimitRanges, workloads without pods, and workloads that were applied again."""
        yield from self._limit_ranges.notes()
        for workload, reason in self._empty.items():
            if reason:
                yield f"note: {workload} has no new pods, because {reason}"
        if self._changed:
            yield (
                "note: rolling updates are not simulated; changed pods were deleted before new ones were "
                f"created: {listed(list(map(str, self._changed)))}"
            )


def _is_part(new: Json, old: Json) -> bool:
    """Whether an object has all fields of a manifest with these values: then applying it changes nothing."""
    if isinstance(new, Mapping) and isinstance(old, Mapping):
        return all(name in old and _is_part(value, old[name]) for name, value in new.items())
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and all(map(_is_part, new, old))
    return bool(new == old)


def _with_uids(sets: Sequence[ManifestSet], uids: set[str]) -> Iterator[ManifestSet]:
    """Yield the sets with the UIDs of pods as claims name them, and without unknown owners and consumers."""
    earlier = earlier_uids(raw for each in sets for raw in each.objects)
    known = {*uids, *earlier.values()}
    for each in sets:
        objects = [without_unknown_users(_with_uid(raw, earlier), known) for raw in each.objects]
        yield replace(each, objects=objects)


def _with_uid(raw: Json, earlier: Mapping[Key, str]) -> Json:
    uid = earlier.get(key_in(raw)) if raw["kind"] == "Pod" else None
    return with_field(raw, "metadata.uid", uid) if uid else raw
