"""The table of all invariants of an allocation.

Each invariant is a function from a `Decided` to sentences about what it breaks. They use the scalar
capacity rule and the selector interpreter only, and know nothing of how anyone allocates.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform import cel
from dra_conform.conformance.allocate.invariants.admin_access import admin_access_as_asked, admin_once_a_claim
from dra_conform.conformance.allocate.invariants.all_devices import all_devices_taken
from dra_conform.conformance.allocate.invariants.capacity_not_oversold import (
    consumed_capacity_complete,
    dedicated_capacity_suffices,
    shared_capacity_not_oversold,
)
from dra_conform.conformance.allocate.invariants.configuration_complete import configuration_complete
from dra_conform.conformance.allocate.invariants.constraints_hold import constraints_hold
from dra_conform.conformance.allocate.invariants.counters_not_oversold import counters_not_oversold
from dra_conform.conformance.allocate.invariants.features_enabled import features_enabled
from dra_conform.conformance.allocate.invariants.groups_compatible import groups_compatible, groups_recorded
from dra_conform.conformance.allocate.invariants.pools_usable import all_mode_waits_for_pools, devices_exist
from dra_conform.conformance.allocate.invariants.result_fields import (
    allocated_in_the_past,
    binding_conditions_copied,
    node_selector_fits,
    results_limited,
)
from dra_conform.conformance.allocate.invariants.taints_tolerated import taints_tolerated, tolerations_copied
from dra_conform.conformance.allocate.judged_answer import Decided, Taken
from dra_conform.kube.resource import ALL, DeviceSelector

Invariant = Callable[[Decided], Iterator[str]]


def requests_served(decided: Decided) -> Iterator[str]:
    """Each request gets as many devices as it asks for, each device once (KEP-5075/allocation/count-*)."""
    for key, claim in decided.asked.items():
        mine = [taken for taken in decided.taken if taken.claim == key]
        for taken in mine:
            if taken.request is None:
                yield f"{taken.label}: the claim has no request {taken.result.request!r}"
        for request in claim.spec.devices.requests:
            if decided.goes_astray(request):
                continue
            served = [taken for taken in mine if taken.parent == request.name]
            chosen = {taken.result.request for taken in served}
            if len(chosen) > 1:
                yield f"claim {key}: several subrequests serve request {request.name}: {sorted(chosen)}"
            asked = request.exactly or (served[0].request if served else None)
            if asked is None:
                yield f"claim {key}: request {request.name} got no device"
            elif asked.allocation_mode != ALL and len(served) != (asked.count or 1):
                yield (
                    f"claim {key}: request {request.name} asks for {asked.count or 1} device(s) "
                    f"and got {len(served)}"
                )
            elif asked.allocation_mode == ALL and not served:
                yield f"claim {key}: request {request.name} asks for all devices and got none"
            if decided.rules.capacity.one_share_a_request:
                yield from _repeated(served)


def _repeated(served: Sequence[Taken]) -> Iterator[str]:
    seen = set()
    for taken in served:
        if taken.key in seen:
            yield f"{taken.label}: device {'/'.join(taken.key)} serves the same request twice"
        seen.add(taken.key)


def selectors_hold(decided: Decided) -> Iterator[str]:
    """Class selectors and request selectors are true for every device."""
    for taken in decided.taken:
        if taken.placed is None or taken.request is None:
            continue
        device_class = decided.world.classes.get(taken.request.device_class_name)
        if device_class is None:
            yield f"{taken.label}: there is no device class {taken.request.device_class_name!r}"
            continue
        try:
            view = cel.device_of(taken.key[0], decided.as_seen(taken.placed.device))
        except cel.EvaluationError as error:
            yield f"{taken.label}: no selector can be evaluated on {'/'.join(taken.key)}: {error}"
            continue
        yield from _selects(decided, taken, "class", device_class.spec.selectors, view)
        yield from _selects(decided, taken, "request", taken.request.selectors, view)


def _selects(
    decided: Decided, taken: Taken, owner: str, selectors: Sequence[DeviceSelector], view: cel.DeviceView
) -> Iterator[str]:
    for selector in selectors:
        text = selector.cel.expression if selector.cel else ""
        try:
            if not decided.compiled(text).evaluate(view):
                yield f"{taken.label}: the {owner} selector is false for {'/'.join(taken.key)}: {text}"
        except (cel.CompileError, cel.EvaluationError) as error:
            yield f"{taken.label}: the {owner} selector {text} ends in an error: {error}"


def dedicated_only_once(decided: Decided) -> Iterator[str]:
    """A device without multiple allocations has one holder; a shared one has no exclusive holder.

    KEP-5075/allocation/dedicated-only-once, KEP-5075/capacity-accounting/in-use-check-uses-shared-results.
    """
    exclusive: dict[object, str] = {}
    shares: dict[object, str] = {}
    for result in decided.held:
        key = (result.driver, result.pool, result.device)
        is_share = result.share_id and decided.rules.features.consumable_capacity
        (shares if is_share else exclusive)[key] = "an allocated claim"
    for taken in decided.taken:
        where = "/".join(taken.key)
        if taken.is_admin:
            continue
        if taken.key in exclusive:
            yield f"{taken.label}: device {where} is allocated to {exclusive[taken.key]}"
        if decided.is_shared(taken):
            continue
        if decided.rules.capacity.shares_block_dedicated and taken.key in shares:
            yield f"{taken.label}: exclusive device {where} has shared allocations of {shares[taken.key]}"
        exclusive[taken.key] = taken.label


def share_ids_tell_apart(decided: Decided) -> Iterator[str]:
    """Shares have a share ID, a UID unique on the device; dedicated devices have none.

    KEP-5075/status/share-id-set-for-shared, -absent-for-dedicated, -unique-per-device, -is-uid.
    """
    used = {
        (result.driver, result.pool, result.device, result.share_id.lower())
        for result in decided.held
        if result.share_id
    }
    for taken in decided.taken:
        share = taken.result.share_id
        where = "/".join(taken.key)
        if taken.placed is None:
            continue
        if not decided.is_shared(taken):
            if share:
                yield f"{taken.label}: device {where} is not shared and has the share ID {share}"
            continue
        if not share:
            yield f"{taken.label}: the shared allocation of device {where} has no share ID"
            continue
        if not _is_uid(share):
            yield f"{taken.label}: share ID {share!r} is not a UID"
        name = (*taken.key, share.lower())
        if name in used:
            yield f"{taken.label}: share ID {share} of device {where} is already used"
        used.add(name)


def _is_uid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Named:
    name: str
    check: Invariant


INVARIANTS: tuple[Named, ...] = (
    Named("features-enabled", features_enabled),
    Named("devices-exist", devices_exist),
    Named("requests-served", requests_served),
    Named("results-limited", results_limited),
    Named("admin-access-as-asked", admin_access_as_asked),
    Named("admin-once-a-claim", admin_once_a_claim),
    Named("all-devices-taken", all_devices_taken),
    Named("all-mode-waits-for-pools", all_mode_waits_for_pools),
    Named("selectors-hold", selectors_hold),
    Named("dedicated-only-once", dedicated_only_once),
    Named("share-ids-tell-apart", share_ids_tell_apart),
    Named("consumed-capacity-complete", consumed_capacity_complete),
    Named("shared-capacity-not-oversold", shared_capacity_not_oversold),
    Named("dedicated-capacity-suffices", dedicated_capacity_suffices),
    Named("counters-not-oversold", counters_not_oversold),
    Named("groups-compatible", groups_compatible),
    Named("groups-recorded", groups_recorded),
    Named("taints-tolerated", taints_tolerated),
    Named("tolerations-copied", tolerations_copied),
    Named("constraints-hold", constraints_hold),
    Named("binding-conditions-copied", binding_conditions_copied),
    Named("node-selector-fits", node_selector_fits),
    Named("allocated-in-the-past", allocated_in_the_past),
    Named("configuration-complete", configuration_complete),
)


def broken(decided: Decided) -> Mapping[str, tuple[str, ...]]:
    """The invariants that the allocation breaks, by name, with what is wrong."""
    found = {item.name: tuple(item.check(decided)) for item in INVARIANTS}
    return {name: sentences for name, sentences in found.items() if sentences}
