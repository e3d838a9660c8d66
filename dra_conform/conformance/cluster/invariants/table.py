"""The table of all invariants of a cluster in a steady state.

Each invariant is a function from an `ObservedScenario` to violations: the step after which the invariant is
violated, and a message. Invariants hold in each interpretation of the specification and in each release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dra_conform.conformance.cluster.invariants.claims_kept import (
    allocations_unchanged,
    refused_writes_leave_no_trace,
)
from dra_conform.conformance.cluster.invariants.devices_sold_once import (
    capacity_not_oversold,
    counters_not_oversold,
    devices_not_sold_twice,
)
from dra_conform.conformance.cluster.invariants.extended_resource_claims import (
    one_extended_resource_claim,
    special_claims_owned,
    special_claims_told,
)
from dra_conform.conformance.cluster.invariants.generated_claims import (
    generated_claims_owned,
)
from dra_conform.conformance.cluster.invariants.nodes_not_oversold import nodes_not_oversold
from dra_conform.conformance.cluster.invariants.pods_served import (
    reserved_for_existing_pods,
    running_pods_have_claims,
)
from dra_conform.conformance.cluster.invariants.quotas_counted import quotas_count_what_exists
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario
from dra_conform.conformance.verdict import Finding
from dra_conform.kube.profile import Profile

Broken = Iterator[tuple[int, str]]
Invariant = Callable[[ObservedScenario, Profile], Broken]

INVARIANTS: Mapping[str, Invariant] = {
    "devices-not-sold-twice": devices_not_sold_twice,
    "capacity-not-oversold": capacity_not_oversold,
    "counters-not-oversold": counters_not_oversold,
    "nodes-not-oversold": nodes_not_oversold,
    "running-pods-have-claims": running_pods_have_claims,
    "reserved-for-existing-pods": reserved_for_existing_pods,
    "allocations-unchanged": allocations_unchanged,
    "refused-writes-leave-no-trace": refused_writes_leave_no_trace,
    "one-extended-resource-claim": one_extended_resource_claim,
    "special-claims-owned": special_claims_owned,
    "special-claims-told": special_claims_told,
    "generated-claims-owned": generated_claims_owned,
    "quotas-count-what-exists": quotas_count_what_exists,
}


def broken(scenario: ObservedScenario, profile: Profile) -> Iterator[Finding]:
    """Yield the violations of all invariants in a scenario."""
    for name, check in INVARIANTS.items():
        for act, message in check(scenario, profile):
            yield Finding(name, message, act=act)
