"""The invariants of allocated claims: they keep their allocation, and a rejected write changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.cluster.invariants.held_devices import results_of
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.cluster.references import found, reference
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile

Json = Any

_FIXED = ("request", "driver", "pool", "device")
"""The fields of a result that every API server serves."""


def allocations_unchanged(story: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The allocation of a claim does not change while a pod has it reserved.

    As long as all components are of one release, that is every field of it; other releases do not serve all.
    A pod that waits for its devices to be ready may in between have given them back and got them anew.
    """
    for before, state in story.changes:
        for key, claim in state.claims.items():
            old = before.claims.get(key)
            if old is None or not results_of(old):
                continue
            users = _users(old) & _users(claim)
            if not users or (_waits(old) and not _any_assigned(before, key, users)):
                continue
            if _compared(old, whole=story.one_release) != _compared(claim, whole=story.one_release):
                yield state.act, f"the allocation of claim {key} has changed while it is reserved"


def _waits(claim: Json) -> bool:
    """Whether devices of the claim have to be made ready first."""
    return any(result.get("bindingConditions") for result in results_of(claim))


def _any_assigned(state: State, claim: str, users: set[tuple[str, str]]) -> bool:
    """Whether any of the pods, which are in the namespace of the claim, has a node."""
    namespace, _, _ = claim.partition("/")
    pods = (state.pods.get(f"{namespace}/{name}", {}) for name, _ in users)
    return any(pod.get("spec", {}).get("nodeName") for pod in pods)


def _users(claim: Json) -> set[tuple[str, str]]:
    reserved = field_at(claim, "status.reservedFor")
    return {(one.get("name"), one.get("uid")) for one in (() if reserved is ABSENT else reserved)}


def _compared(claim: Json, *, whole: bool) -> Json:
    if whole:
        return field_at(claim, "status.allocation")
    return [tuple(result.get(name) for name in _FIXED) for result in results_of(claim)]


def refused_writes_leave_no_trace(story: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """Between two states with nothing but refused writes between them, their objects are the same."""
    for before, state in story.changes:
        acts = range(before.act + 1, state.act)
        if all(_refused(story, act) for act in acts):
            for act in acts:
                written = _written(story.actions[act])
                if written is not None and _content(before, written) != _content(state, written):
                    yield act, f"the write of {written['kind']} was rejected, and yet something has changed"


def _refused(story: ObservedScenario, act: int) -> bool:
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
