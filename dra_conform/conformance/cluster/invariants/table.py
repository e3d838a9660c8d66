"""The table of all invariants of a cluster in a steady state.

Each invariant is a function from an `ObservedScenario` to violations: the step after which the invariant is
violated, and a message. Invariants hold in each interpretation of the specification and in each release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dra_conform.conformance.cluster.invariants.claims_kept import (
    allocations_unchanged,
    rejected_writes_change_nothing,
)
from dra_conform.conformance.cluster.invariants.claims_of_pods import (
    extended_resource_claims_in_status,
    extended_resource_claims_owned,
    generated_claims_owned,
    one_extended_resource_claim,
    reserved_for_existing_pods,
    running_pods_have_claims,
)
from dra_conform.conformance.cluster.invariants.devices_allocated_once import (
    capacity_not_overcommitted,
    counters_not_overcommitted,
    devices_not_allocated_twice,
)
from dra_conform.conformance.cluster.invariants.nodes_not_overcommitted import nodes_not_overcommitted
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.object_references import key_of
from dra_conform.conformance.verdict import Finding
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import UsageCounter, is_counted

_GATE = "DRAExtendedResource"


def quotas_count_what_exists(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """`status.used` of a ResourceQuota is the sum over ResourceClaims and pods of its namespace and scopes.

    KEP-5004/quota/no-double-count. Not checked if components may compute usage differently.
    """
    if not scenario.one_release or scenario.switches(_GATE):
        return
    for state in scenario.states[1:]:
        if not state.objects.get("resourceQuotas"):
            continue
        try:
            yield from ((state.step, message) for message in _miscounted(state, profile))
        except (DecodeErrors, QuantityError):
            continue  # other checks report malformed objects


def _miscounted(state: State, profile: Profile) -> Iterator[str]:
    classes, claims, pods = (
        tuple(map(decode, state.objects.get(name, ())))
        for name in ("deviceClasses", "resourceClaims", "pods")
    )
    counter = UsageCounter(classes, claims, pods, QuotaSwitches.of(profile))
    for quota in state.objects["resourceQuotas"]:
        usage = counter.of_quota(decode(quota))
        for name, used in ((quota.get("status") or {}).get("used") or {}).items():
            expected = usage.get(name, Quantity(0))
            if is_counted(name) and Quantity.parse(str(used)) != expected:
                yield f"ResourceQuota {key_of(quota)}: used {name} is {used}, expected {expected}"


Violations = Iterator[tuple[int, str]]
Invariant = Callable[[ObservedScenario, Profile], Violations]

INVARIANTS: Mapping[str, tuple[str, Invariant]] = {
    "devices-not-allocated-twice": ("KEP-5075/allocation/dedicated-only-once", devices_not_allocated_twice),
    "capacity-not-overcommitted": (
        "KEP-5075/capacity-accounting/sum-within-value",
        capacity_not_overcommitted,
    ),
    "counters-not-overcommitted": (
        "DRA/partitionable/allocatable-iff-enough-left",
        counters_not_overcommitted,
    ),
    "nodes-not-overcommitted": ("KEP-5517/accounting/ledger-is-sum-of-footprints", nodes_not_overcommitted),
    "running-pods-have-claims": ("DRA/workflow/allocation-written-before-binding", running_pods_have_claims),
    "reserved-for-existing-pods": ("API/reservation/of-each-user", reserved_for_existing_pods),
    "allocations-unchanged": ("API/allocation/immutable", allocations_unchanged),
    "rejected-writes-change-nothing": ("", rejected_writes_change_nothing),
    "one-extended-resource-claim": (
        "KEP-5004/special-claim/at-most-one-per-pod",
        one_extended_resource_claim,
    ),
    "extended-resource-claims-owned": (
        "KEP-5004/special-claim/namespace-and-owner",
        extended_resource_claims_owned,
    ),
    "extended-resource-claims-in-status": (
        "KEP-5004/pod-status/consistent-with-claim",
        extended_resource_claims_in_status,
    ),
    "generated-claims-owned": ("DRA/template/claim-bound-to-pod-lifetime", generated_claims_owned),
    "quotas-count-what-exists": ("KEP-5004/quota/no-double-count", quotas_count_what_exists),
}
"""Each invariant with the requirement that it checks, empty if it is a rule of the API in general."""


def violations(scenario: ObservedScenario, profile: Profile) -> Iterator[Finding]:
    """Yield the violations of all invariants in a scenario."""
    for name, (requirement, check) in INVARIANTS.items():
        for step, message in check(scenario, profile):
            yield Finding(name, message, case_step=step, requirement=requirement)
