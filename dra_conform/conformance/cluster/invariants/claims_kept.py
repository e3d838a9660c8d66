"""What is allocated stays as it is while it is used, and a write that was refused has changed nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.cluster.invariants.held_devices import results_of
from dra_conform.conformance.cluster.references import found, reference
from dra_conform.conformance.cluster.told import State, Told
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile

Json = Any

_FIXED = ("request", "driver", "pool", "device")
"""The fields of a result that every API server serves."""


def allocations_unchanged(story: Told, _: Profile) -> Iterator[tuple[int, str]]:
    """The allocation of a claim does not change while a pod on a node, or who else, has it reserved.

    A pod that waits to be bound may lose the devices and get others (API/binding/failure). As long as all
    components are of one release, that is every field of it; other releases do not serve all.
    """
    for before, state in story.changes:
        for key, claim in state.claims.items():
            old = before.claims.get(key)
            if old is None or not _users(old, before) & _users(claim, before) or not results_of(old):
                continue
            if _compared(old, whole=story.one_release) != _compared(claim, whole=story.one_release):
                yield state.act, f"the allocation of claim {key} has changed while it is reserved"


def _users(claim: Json, before: State) -> set[tuple[str, str]]:
    """Whom a claim is reserved for, without pods that had no node before."""
    reserved = field_at(claim, "status.reservedFor")
    waiting = {field_at(pod, "metadata.uid") for pod in before.pods.values() if _waits(pod)}
    users = {(one.get("name"), one.get("uid")) for one in (() if reserved is ABSENT else reserved)}
    return {user for user in users if user[1] not in waiting}


def _waits(pod: Json) -> bool:
    return field_at(pod, "spec.nodeName") in (ABSENT, "")


def _compared(claim: Json, *, whole: bool) -> Json:
    if whole:
        return field_at(claim, "status.allocation")
    return [tuple(result.get(name) for name in _FIXED) for result in results_of(claim)]


def refused_writes_leave_no_trace(story: Told, _: Profile) -> Iterator[tuple[int, str]]:
    """Between two states with nothing but refused writes between them, their objects are the same."""
    for before, state in story.changes:
        acts = range(before.act + 1, state.act)
        if all(_refused(story, act) for act in acts):
            for act in acts:
                written = _written(story.actions[act])
                if written is not None and _content(before, written) != _content(state, written):
                    yield act, f"the write of {written['kind']} was refused, and yet something has changed"


def _refused(story: Told, act: int) -> bool:
    observed = story.observations[act]
    return isinstance(observed, AdmissionAnswer) and observed.outcome is Admission.REJECTED


def _written(action: Mapping[str, Json]) -> Mapping[str, str] | None:
    """What is written, if it has a kind and a name."""
    if "of" in action:
        of: Mapping[str, str] = action["of"]
        return of
    kind, name = field_at(action, "object.kind"), field_at(action, "object.metadata.name")
    namespace = field_at(action, "object.metadata.namespace")
    if kind not in COLLECTIONS or not isinstance(name, str):
        return None
    return reference(kind, name if namespace is ABSENT else f"{namespace}/{name}")


def _content(state: State, meant: Mapping[str, str]) -> Json:
    one = found(state.objects, meant)
    return None if one is None else (one.get("spec"), field_at(one, "status.allocation"))
