"""The invariant of ResourceClaims that the cluster generates from templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario
from dra_conform.conformance.cluster.references import (
    ENTRY_ANNOTATION,
    is_terminating,
    owner_of,
)
from dra_conform.kube.profile import Profile


def generated_claims_owned(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """A generated ResourceClaim is owned by its pod, and each entry of a pod has one ResourceClaim.

    A ResourceClaim that is being deleted and has finalizers does not count.
    DRA/template/one-claim-per-pod, DRA/template/claim-bound-to-pod-lifetime.
    """
    setup = scenario.states[0].claims
    for state in scenario.states[1:]:
        counts: Counter[tuple[str, str]] = Counter()
        for key, claim in state.claims.items():
            entry = _annotations(claim).get(ENTRY_ANNOTATION)
            if entry is None or key in setup or is_terminating(claim):
                continue
            owner = owner_of(claim)
            if owner:
                counts[owner, entry] += 1
            else:
                yield (
                    state.step,
                    f"ResourceClaim {key} of the entry {entry} has no pod as owner",
                )
        for (owner, entry), count in counts.items():
            if count > 1:
                yield state.step, f"the entry {entry} of pod {owner} has {count} ResourceClaims, expected one"


def _annotations(claim: dict[str, dict[str, dict[str, str]]]) -> dict[str, str]:
    return (claim.get("metadata") or {}).get("annotations") or {}
