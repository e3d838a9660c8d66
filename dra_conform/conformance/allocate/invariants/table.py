"""The table of all invariants of an allocation.

Each invariant is a function from a `Decided` to messages about violations. Invariants use only the scalar
capacity rule and the selector interpreter, and depend on no allocator.
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
    """Each request is allocated the requested number of devices, each once (KEP-5075/allocation/count-*)."""
    for key, claim in decided.asked.items():
        mine = [taken for taken in decided.taken if taken.claim == key]
        for taken in mine:
            if taken.request is None:
                yield f"{taken.label}: the ResourceClaim has no such request"
        for request in claim.spec.devices.requests:
            if decided.allocates_unspecified_devices(request):
                continue
            where = f"ResourceClaim {key}, request {request.name}"
            served = [taken for taken in mine if taken.parent == request.name]
            chosen = {taken.result.request for taken in served}
            if len(chosen) > 1:
                yield f"{where}: devices of several subrequests, expected of one: {', '.join(sorted(chosen))}"
            asked = request.exactly or (served[0].request if served else None)
            if asked is None:
                yield f"{where}: got no device, expected those of one subrequest"
            elif asked.allocation_mode != ALL and len(served) != (asked.count or 1):
                yield f"{where}: expected {asked.count or 1} device(s), got {len(served)}"
            elif asked.allocation_mode == ALL and not served:
                yield f"{where}: allocationMode All got no device, expected at least one"
            if decided.rules.capacity.one_share_a_request:
                yield from _repeated(served)


def _repeated(served: Sequence[Taken]) -> Iterator[str]:
    seen = set()
    for taken in served:
        if taken.key in seen:
            yield f"{taken.label}: device {'/'.join(taken.key)} is allocated to the request twice"
        seen.add(taken.key)


def selectors_hold(decided: Decided) -> Iterator[str]:
    """The selectors of the DeviceClass and of the request are true for each device."""
    for taken in decided.taken:
        if taken.placed is None or taken.request is None:
            continue
        device_class = decided.world.classes.get(taken.request.device_class_name)
        if device_class is None:
            yield f"{taken.label}: DeviceClass {taken.request.device_class_name!r} does not exist"
            continue
        try:
            view = cel.device_of(taken.key[0], decided.as_seen(taken.placed.device))
        except cel.EvaluationError as error:
            yield f"{taken.label}: selectors cannot be evaluated for device {'/'.join(taken.key)}: {error}"
            continue
        yield from _selects(decided, taken, "DeviceClass", device_class.spec.selectors, view)
        yield from _selects(decided, taken, "request", taken.request.selectors, view)


def _selects(
    decided: Decided, taken: Taken, owner: str, selectors: Sequence[DeviceSelector], view: cel.DeviceView
) -> Iterator[str]:
    for selector in selectors:
        text = selector.cel.expression if selector.cel else ""
        try:
            if not decided.compiled(text).evaluate(view):
                device = "/".join(taken.key)
                yield f"{taken.label}: the selector of the {owner} is false for device {device}: {text}"
        except (cel.CompileError, cel.EvaluationError) as error:
            yield f"{taken.label}: the selector of the {owner} fails with an error: {text}: {error}"


def dedicated_only_once(decided: Decided) -> Iterator[str]:
    """An exclusive device is allocated once; a device with shared allocations has no exclusive one.

    KEP-5075/allocation/dedicated-only-once, KEP-5075/capacity-accounting/in-use-check-uses-shared-results.
    """
    exclusive: dict[object, str] = {}
    shares: dict[object, str] = {}
    for result in decided.held:
        key = (result.driver, result.pool, result.device)
        is_share = result.share_id and decided.rules.features.consumable_capacity
        (shares if is_share else exclusive)[key] = "an allocated ResourceClaim"
    for taken in decided.taken:
        where = "/".join(taken.key)
        if taken.is_admin:
            continue
        if taken.key in exclusive:
            yield f"{taken.label}: device {where} is already allocated to {exclusive[taken.key]}"
        if decided.is_shared(taken):
            continue
        if decided.rules.capacity.shares_block_dedicated and taken.key in shares:
            yield f"{taken.label}: exclusive device {where} has shared allocations of {shares[taken.key]}"
        exclusive[taken.key] = taken.label


def share_ids_tell_apart(decided: Decided) -> Iterator[str]:
    """A shared allocation has a share ID, a UID that is unique on the device; an exclusive one has none.

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
                yield f"{taken.label}: device {where} is exclusive, but its result has the share ID {share}"
            continue
        if not share:
            yield f"{taken.label}: the shared allocation of device {where} has no share ID"
            continue
        if not _is_uid(share):
            yield f"{taken.label}: share ID is {share!r}, expected a UID"
        name = (*taken.key, share.lower())
        if name in used:
            yield f"{taken.label}: share ID {share} of device {where} is used twice, expected a unique one"
        used.add(name)


def _is_uid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class NamedInvariant:
    """An invariant with its name in reports."""

    name: str
    check: Invariant


INVARIANTS: tuple[NamedInvariant, ...] = (
    NamedInvariant("features-enabled", features_enabled),
    NamedInvariant("devices-exist", devices_exist),
    NamedInvariant("requests-served", requests_served),
    NamedInvariant("results-limited", results_limited),
    NamedInvariant("admin-access-as-asked", admin_access_as_asked),
    NamedInvariant("admin-once-a-claim", admin_once_a_claim),
    NamedInvariant("all-devices-taken", all_devices_taken),
    NamedInvariant("all-mode-waits-for-pools", all_mode_waits_for_pools),
    NamedInvariant("selectors-hold", selectors_hold),
    NamedInvariant("dedicated-only-once", dedicated_only_once),
    NamedInvariant("share-ids-tell-apart", share_ids_tell_apart),
    NamedInvariant("consumed-capacity-complete", consumed_capacity_complete),
    NamedInvariant("shared-capacity-not-oversold", shared_capacity_not_oversold),
    NamedInvariant("dedicated-capacity-suffices", dedicated_capacity_suffices),
    NamedInvariant("counters-not-oversold", counters_not_oversold),
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


def broken(decided: Decided) -> Mapping[str, tuple[str, ...]]:
    """Return the violated invariants by name, with their messages."""
    found = {item.name: tuple(item.check(decided)) for item in INVARIANTS}
    return {name: sentences for name, sentences in found.items() if sentences}
