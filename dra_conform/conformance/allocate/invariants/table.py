"""The table of all invariants of an allocation.

Each invariant is a function from a `JudgedAnswer` to violations with their requirements. Invariants use only
the scalar capacity rule and the CEL interpreter, and depend on no allocator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dra_conform.conformance.allocate.invariants.capacity_not_overcommitted import (
    consumed_capacity_complete,
    exclusive_capacity_suffices,
    shared_capacity_not_overcommitted,
)
from dra_conform.conformance.allocate.invariants.configuration_complete import configuration_complete
from dra_conform.conformance.allocate.invariants.constraints_hold import constraints_hold
from dra_conform.conformance.allocate.invariants.counters_not_overcommitted import counters_not_overcommitted
from dra_conform.conformance.allocate.invariants.groups_compatible import groups_compatible, groups_recorded
from dra_conform.conformance.allocate.invariants.pools_usable import (
    all_devices_allocated,
    all_mode_needs_complete_pools,
    devices_exist,
)
from dra_conform.conformance.allocate.invariants.requests_satisfied import (
    admin_access_as_requested,
    admin_access_once_per_claim,
    exclusive_device_once,
    features_enabled,
    requests_satisfied,
    selectors_hold,
    share_ids_distinct,
)
from dra_conform.conformance.allocate.invariants.result_fields import (
    allocated_in_the_past,
    binding_conditions_copied,
    node_selector_fits,
    results_limited,
)
from dra_conform.conformance.allocate.invariants.taints_tolerated import taints_tolerated, tolerations_copied
from dra_conform.conformance.allocate.invariants.violation import Invariant, Violation
from dra_conform.conformance.allocate.judged_answer import JudgedAnswer


@dataclass(frozen=True, slots=True)
class NamedInvariant:
    """An invariant with its name in reports."""

    name: str
    check: Invariant


INVARIANTS: tuple[NamedInvariant, ...] = (
    NamedInvariant("features-enabled", features_enabled),
    NamedInvariant("devices-exist", devices_exist),
    NamedInvariant("requests-satisfied", requests_satisfied),
    NamedInvariant("results-limited", results_limited),
    NamedInvariant("admin-access-as-requested", admin_access_as_requested),
    NamedInvariant("admin-access-once-per-claim", admin_access_once_per_claim),
    NamedInvariant("all-devices-allocated", all_devices_allocated),
    NamedInvariant("all-mode-needs-complete-pools", all_mode_needs_complete_pools),
    NamedInvariant("selectors-hold", selectors_hold),
    NamedInvariant("exclusive-device-once", exclusive_device_once),
    NamedInvariant("share-ids-distinct", share_ids_distinct),
    NamedInvariant("consumed-capacity-complete", consumed_capacity_complete),
    NamedInvariant("shared-capacity-not-overcommitted", shared_capacity_not_overcommitted),
    NamedInvariant("exclusive-capacity-suffices", exclusive_capacity_suffices),
    NamedInvariant("counters-not-overcommitted", counters_not_overcommitted),
    NamedInvariant("groups-compatible", groups_compatible),
    NamedInvariant("groups-recorded", groups_recorded),
    NamedInvariant("taints-tolerated", taints_tolerated),
    NamedInvariant("tolerations-copied", tolerations_copied),
    NamedInvariant("constraints-hold", constraints_hold),
    NamedInvariant("binding-conditions-copied", binding_conditions_copied),
    NamedInvariant("node-selector-fits", node_selector_fits),
    NamedInvariant("allocated-in-the-past", allocated_in_the_past),
    NamedInvariant("configuration-complete", configuration_complete),
)


def violations(answer: JudgedAnswer) -> Iterator[tuple[str, Violation]]:
    """Yield the violations of all invariants, each with the name of its invariant."""
    return ((item.name, violation) for item in INVARIANTS for violation in item.check(answer))
