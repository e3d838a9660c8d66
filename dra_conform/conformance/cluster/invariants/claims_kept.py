"""The invariants of allocated claims: they keep their allocation, and a rejected write changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.conformance.cluster.invariants.devices_allocated_once import results_of
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.object_references import find_object, reference
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile

_FIXED = ("request", "driver", "pool", "device")
"""The fields of a result that each release serves."""


def allocations_unchanged(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The allocation of a ResourceClaim does not change while it is reserved for a pod.

    All fields are compared if all components run one release, because another release may not serve all of
    them. While a pod waits for binding conditions, its devices may be released and allocated again.
    """
    for before, state in scenario.changes:
        for key, claim in state.claims.items():
            earlier = before.claims.get(key)
            if earlier is None or not results_of(earlier):
                continue
            users = _users(earlier) & _users(claim)
            if not users or (_has_binding_conditions(earlier) and not _any_bound(before, key, users)):
                continue
            if _compared(earlier, whole=scenario.one_release) != _compared(claim, whole=scenario.one_release):
                yield (
                    state.step,
                    f"the allocation of ResourceClaim {key} has changed, expected no change while reserved",
                )


def _has_binding_conditions(claim: Json) -> bool:
    """Whether the ResourceClaim has devices with binding conditions."""
    return any(result.get("bindingConditions") for result in results_of(claim))


def _any_bound(state: State, claim: str, users: set[tuple[str, str]]) -> bool:
    """Whether a pod that uses the ResourceClaim is bound to a node."""
    namespace, _, _ = claim.partition("/")
    pods = (state.pods.get(f"{namespace}/{name}", {}) for name, _ in users)
    return any(pod.get("spec", {}).get("nodeName") for pod in pods)


def _users(claim: Json) -> set[tuple[str, str]]:
    reserved = field_at(claim, "status.reservedFor")
    return {
        (consumer.get("name"), consumer.get("uid")) for consumer in (() if reserved is ABSENT else reserved)
    }


def _compared(claim: Json, *, whole: bool) -> Json:
    if whole:
        return field_at(claim, "status.allocation")
    return [tuple(result.get(name) for name in _FIXED) for result in results_of(claim)]


def rejected_writes_change_nothing(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """If all actions between two states are rejected writes, the objects do not change."""
    for before, state in scenario.changes:
        steps = range(before.step + 1, state.step)
        if all(_rejected(scenario, step) for step in steps):
            for step in steps:
                written = _written(scenario.actions[step])
                if written is not None and _content(before, written) != _content(state, written):
                    message = f"a write of {written['kind']} was rejected, but the object has changed"
                    yield step, f"{message}, expected no change"


def _rejected(scenario: ObservedScenario, step: int) -> bool:
    observed = scenario.observations[step]
    return isinstance(observed, AdmissionAnswer) and observed.outcome is Admission.REJECTED


def _written(action: Mapping[str, Json]) -> Mapping[str, str] | None:
    """Return the reference to the written object, if it has a kind and a name."""
    if "of" in action:
        ref: Mapping[str, str] = action["of"]
        return ref
    kind, name = field_at(action, "object.kind"), field_at(action, "object.metadata.name")
    namespace = field_at(action, "object.metadata.namespace")
    if kind not in COLLECTIONS or not isinstance(name, str):
        return None
    return reference(kind, name if namespace is ABSENT else f"{namespace}/{name}")


def _content(state: State, ref: Mapping[str, str]) -> Json:
    raw = find_object(state.objects, ref)
    return None if raw is None else (raw.get("spec"), field_at(raw, "status.allocation"))
