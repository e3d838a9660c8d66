"""The table of all invariants of an allocation.

Each invariant is a function from a `JudgedAnswer` to messages about violations. Invariants use only the
scalar capacity rule and the CEL interpreter, and depend on no allocator.
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
from dra_conform.conformance.allocate.judged_answer import AllocatedDevice, JudgedAnswer
from dra_conform.kube.resource import ALL, DeviceSelector

Invariant = Callable[[JudgedAnswer], Iterator[str]]


def requests_served(answer: JudgedAnswer) -> Iterator[str]:
    """Each request is allocated the requested number of devices, each once (KEP-5075/allocation/count-*)."""
    for key, claim in answer.claims.items():
        of_claim = [allocated for allocated in answer.allocated_devices if allocated.claim == key]
        for allocated in of_claim:
            if allocated.request is None:
                yield (
                    f"{allocated.label}: the ResourceClaim has no such request, "
                    "expected a request of its spec"
                )
        for request in claim.spec.devices.requests:
            if answer.allocates_unspecified_devices(request):
                continue
            where = f"ResourceClaim {key}, request {request.name}"
            of_request = [allocated for allocated in of_claim if allocated.parent == request.name]
            request_names = {allocated.result.request for allocated in of_request}
            if len(request_names) > 1:
                yield (
                    f"{where}: got devices of several subrequests, expected devices of only one: "
                    f"{', '.join(sorted(request_names))}"
                )
            content = request.exactly or (of_request[0].request if of_request else None)
            if content is None:
                yield f"{where}: got no device, expected the devices of one subrequest"
            elif content.allocation_mode != ALL and len(of_request) != (content.count or 1):
                yield f"{where}: expected {content.count or 1} device(s), got {len(of_request)}"
            elif content.allocation_mode == ALL and not of_request:
                yield f"{where}: allocationMode All got no device, expected at least one"
            if answer.rules.capacity.one_share_a_request:
                yield from _repeated(of_request)


def _repeated(allocated_devices: Sequence[AllocatedDevice]) -> Iterator[str]:
    seen = set()
    for allocated in allocated_devices:
        if allocated.key in seen:
            yield f"{allocated.label}: device {'/'.join(allocated.key)} is allocated to the request twice"
        seen.add(allocated.key)


def selectors_hold(answer: JudgedAnswer) -> Iterator[str]:
    """The selectors of the DeviceClass and of the request are true for each device."""
    for allocated in answer.allocated_devices:
        if allocated.published is None or allocated.request is None:
            continue
        device_class = answer.objects.classes.get(allocated.request.device_class_name)
        if device_class is None:
            yield f"{allocated.label}: DeviceClass {allocated.request.device_class_name!r} does not exist"
            continue
        try:
            view = cel.device_of(allocated.key[0], answer.as_seen(allocated.published.device))
        except cel.EvaluationError as error:
            yield (
                f"{allocated.label}: selectors cannot be evaluated for device "
                f"{'/'.join(allocated.key)}: {error}"
            )
            continue
        yield from _selects(answer, allocated, "DeviceClass", device_class.spec.selectors, view)
        yield from _selects(answer, allocated, "request", allocated.request.selectors, view)


def _selects(
    answer: JudgedAnswer,
    allocated: AllocatedDevice,
    owner: str,
    selectors: Sequence[DeviceSelector],
    view: cel.DeviceView,
) -> Iterator[str]:
    for selector in selectors:
        text = selector.cel.expression if selector.cel else ""
        try:
            if not answer.compiled(text).evaluate(view):
                device = "/".join(allocated.key)
                yield f"{allocated.label}: the selector of the {owner} is false for device {device}: {text}"
        except (cel.CompileError, cel.EvaluationError) as error:
            yield f"{allocated.label}: the selector of the {owner} fails with an error: {text}: {error}"


def dedicated_only_once(answer: JudgedAnswer) -> Iterator[str]:
    """An exclusive device is allocated once; a device with shared allocations has no exclusive one.

    KEP-5075/allocation/dedicated-only-once, KEP-5075/capacity-accounting/in-use-check-uses-shared-results.
    """
    exclusive: dict[object, str] = {}
    shares: dict[object, str] = {}
    for result in answer.allocated_before:
        key = (result.driver, result.pool, result.device)
        is_shared = result.share_id and answer.rules.features.consumable_capacity
        (shares if is_shared else exclusive)[key] = "an allocated ResourceClaim"
    for allocated in answer.allocated_devices:
        device = "/".join(allocated.key)
        if allocated.is_admin:
            continue
        if allocated.key in exclusive:
            yield f"{allocated.label}: device {device} is already allocated to {exclusive[allocated.key]}"
        if answer.is_shared(allocated):
            continue
        if answer.rules.capacity.shares_block_exclusive and allocated.key in shares:
            yield (
                f"{allocated.label}: exclusive device {device} has shared allocations of "
                f"{shares[allocated.key]}"
            )
        exclusive[allocated.key] = allocated.label


def share_ids_tell_apart(answer: JudgedAnswer) -> Iterator[str]:
    """A shared allocation has a share ID, a UID that is unique on the device; an exclusive one has none.

    KEP-5075/status/share-id-set-for-shared, -absent-for-dedicated, -unique-per-device, -is-uid.
    """
    used = {
        (result.driver, result.pool, result.device, result.share_id.lower())
        for result in answer.allocated_before
        if result.share_id
    }
    for allocated in answer.allocated_devices:
        share_id = allocated.result.share_id
        device = "/".join(allocated.key)
        if allocated.published is None:
            continue
        if not answer.is_shared(allocated):
            if share_id:
                yield (
                    f"{allocated.label}: device {device} is exclusive, but its result has the share "
                    f"ID {share_id}"
                )
            continue
        if not share_id:
            yield f"{allocated.label}: the shared allocation of device {device} has no share ID"
            continue
        if not _is_uid(share_id):
            yield f"{allocated.label}: share ID is {share_id!r}, expected a UID"
        used_id = (*allocated.key, share_id.lower())
        if used_id in used:
            yield (
                f"{allocated.label}: share ID {share_id} of device {device} is used twice, expected a "
                "unique share ID"
            )
        used.add(used_id)


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


def violations(answer: JudgedAnswer) -> Mapping[str, tuple[str, ...]]:
    """Return the violated invariants by name, with their messages."""
    messages = {item.name: tuple(item.check(answer)) for item in INVARIANTS}
    return {name: texts for name, texts in messages.items() if texts}
