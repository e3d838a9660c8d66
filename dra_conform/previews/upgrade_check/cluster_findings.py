"""What a cluster allocates, counts and evicts differently after a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.yaml import Path, written
from dra_conform.previews.dry_run.written_fields import field_changes, value_at
from dra_conform.previews.rehearsal import PodState
from dra_conform.previews.upgrade_check.cluster_states import (
    ALLOCATED,
    POD,
    QUOTA,
    ClusterStates,
    States,
    Subject,
)
from dra_conform.previews.upgrade_check.findings import (
    Aspect,
    DifferenceCause,
    Scope,
    StateByChange,
    UpgradeFinding,
    UpgradeSeverity,
    UpgradeStep,
    shown,
)
from dra_conform.previews.workload_pods import pods

Change = tuple[Path, Json, Json]
"""The path of a compared field, with its values before and after a step."""

_STATE: Path = ("state",)
_NODE: Path = ("node",)


class ClusterFindings:
    """Compares two kinds of clusters before and after each step.

    In one the objects exist before the step, and were written in the first release. In the other the
    manifests are applied to an empty cluster of each release.
    """

    def __init__(self, loaded: Sequence[LoadedObject], states: ClusterStates) -> None:
        self._states = states
        self._places = _places(loaded)
        self.moved: dict[str, None] = {}
        """The pods and claims that are on another node by chance, which are not compared."""

    def findings(self, step: UpgradeStep, number: int) -> Iterator[UpgradeFinding]:
        """Yield what differs in the step with this number."""
        states = self._states
        upgraded_to = states.upgraded_to and partial(states.upgraded_to, number)
        existing = StateByChange(step, upgraded_to)
        found = dict(self._changes(Scope.EXISTING, states.existing, number, existing, step))
        if states.new:
            created = StateByChange(step, states.created_in)
            for key, finding in self._changes(Scope.NEW, states.new, number, created, step):
                if key in found and found[key].after == finding.after:
                    found[key] = replace(found[key], scope=Scope.ALL)
                else:
                    found[*key, Scope.NEW] = finding
        yield from found.values()

    def _changes(
        self,
        scope: Scope,
        states: Sequence[States],
        number: int,
        by_change: StateByChange[States],
        step: UpgradeStep,
    ) -> Iterator[tuple[tuple[Any, ...], UpgradeFinding]]:
        before, after = states[number : number + 2]
        for subject in before:
            if subject not in after:
                continue
            if scope is Scope.NEW and self._is_moved(before[subject], after[subject]):
                self.moved[" ".join(subject)] = None
                continue
            for path, old, new in _differences(before[subject], after[subject]):
                cause = by_change.cause(partial(_has_value, subject, path, new))
                finding = self._finding(step, scope, subject, (path, old, new), after[subject], cause)
                yield (subject, path), finding

    def _is_moved(self, before: Json, after: Json) -> bool:
        """Whether an object may be on another node by chance."""
        nodes = [
            (state.get("node"), value_at(state, ("status", "allocation", "nodeSelector")))
            for state in (before, after)
        ]
        return self._states.nodes_by_chance and all(map(any, nodes)) and nodes[0] != nodes[1]

    def _finding(
        self,
        step: UpgradeStep,
        scope: Scope,
        subject: Subject,
        change: Change,
        state: Json,
        cause: DifferenceCause | None,
    ) -> UpgradeFinding:
        path, old, new = change
        kind, name = subject
        place = self._places.get((kind, name)) or self._places.get((POD, name.partition(":")[0]))
        severity, aspect = UpgradeSeverity.CHANGE, Aspect.ALLOCATED
        before, after = shown(old), shown(new)
        if kind == QUOTA:
            aspect = Aspect.COUNTED
        elif path == _STATE:
            severity = UpgradeSeverity.ERROR if old in (PodState.RUNNING, ALLOCATED) else UpgradeSeverity.NOTE
            if new == PodState.GONE and scope is Scope.EXISTING:
                aspect = Aspect.EVICTED
            before, after = old, ": ".join(filter(None, (new, state["message"])))
        shown_path = "status.phase" if path == _STATE and kind == POD else _shown_path(path, kind)
        file, line = (place.file, place.line) if place is not None else ("", None)
        causes = () if cause is None else (cause,)
        return UpgradeFinding(
            step, severity, aspect, scope, file, line, kind, name, shown_path, before, after, causes
        )


def _has_value(subject: Subject, path: Path, value: Json, states: States) -> bool:
    return subject in states and bool(value_at(states[subject], path) == value)


def _differences(before: Json, after: Json) -> Iterator[Change]:
    """Yield the differences of one object: only the state if it differs, otherwise each field.

    The allocation of a claim that a pod uses appears and disappears with the state of the pod.
    """
    if ("state" in before) != ("state" in after):
        return  # Only one of the clusters has a pod that uses the claim.
    if before.get("state") != after.get("state"):
        yield _STATE, before.get("state"), after.get("state")
        return
    if before.get("node") != after.get("node"):
        yield _NODE, before.get("node"), after.get("node")
    for change in field_changes(before["status"], after["status"]):
        if change.path == ("allocation",):
            continue
        yield ("status", *change.path), change.written, change.stored


def _shown_path(path: Path, kind: str) -> str:
    if path == _STATE:
        return "status.allocation"
    return "spec.nodeName" if path == _NODE and kind == POD else written(path)


def _places(loaded: Sequence[LoadedObject]) -> Mapping[Subject, LoadedObject]:
    """Return the manifest of each object, and of the pods of workloads."""
    nodes = [item.object for item in loaded if isinstance(item.object, Node)]
    places: dict[Subject, LoadedObject] = {}
    for item in loaded:
        metadata = item.raw.get("metadata") or {}
        places[item.kind, f"{metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"] = item
    for pod in pods(loaded, nodes):
        metadata = pod.pod.metadata
        places.setdefault((POD, f"{metadata.namespace or 'default'}/{metadata.name}"), pod.origin)
    return places
