"""The invariants of requests: each is allocated its number of exclusive devices or shared allocations."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

from dra_conform import cel
from dra_conform.conformance.allocate.case_objects import DeviceKey
from dra_conform.conformance.allocate.invariants.violation import Violation, requires
from dra_conform.conformance.allocate.judged_answer import AllocatedDevice, JudgedAnswer
from dra_conform.kube.listing import counted
from dra_conform.kube.resource import ALL, DeviceSelector, DeviceSubRequest, ResourceClaim

_FALSE_SELECTOR = {
    "DeviceClass": "DRA/class/selects-by-attributes",
    "request": "DRA/selector/cel-on-attributes",
}
_FAILING_SELECTOR = "DRA/selector/non-boolean-or-failing-expression"
"""The requirements about selectors that do not select an allocated device."""


def features_enabled(answer: JudgedAnswer) -> Iterator[Violation]:
    """No subrequest and no device with counters or binding conditions is used while its gate is off.

    DRA/feature-gate/prioritized-list-components, DRA/feature-gate/partitionable-components,
    API/binding/needs-its-gates.
    """
    switches = answer.switches
    for allocated in answer.allocated_devices:
        if isinstance(allocated.request, DeviceSubRequest) and not switches.features.prioritized_list:
            yield Violation(
                "DRA/feature-gate/prioritized-list-components",
                f"{allocated.label}: a subrequest is allocated, but DRAPrioritizedList is off",
            )
        if allocated.published is None:
            continue
        device = allocated.published.device
        if device.consumes_counters and not switches.features.partitionable_devices:
            yield Violation(
                "DRA/feature-gate/partitionable-components",
                f"{allocated.label}: device {device.name} consumes counters, but "
                "DRAPartitionableDevices is off",
            )
        if device.binding_conditions and not switches.features.binding_conditions:
            yield Violation(
                "API/binding/needs-its-gates",
                f"{allocated.label}: device {device.name} has binding conditions, but "
                "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus is off",
            )


def requests_satisfied(answer: JudgedAnswer) -> Iterator[Violation]:
    """Each request is allocated the requested number of devices, each once.

    DRA/allocation-mode/*, DRA/prioritized-list/*, KEP-5075/allocation/count-needs-different-devices.
    """
    for key, claim in answer.claims.items():
        of_claim = [allocated for allocated in answer.allocated_devices if allocated.claim == key]
        for allocated in of_claim:
            if allocated.request is None:
                yield Violation(
                    _naming(claim, allocated.parent),
                    f"{allocated.label}: the ResourceClaim has no such request, "
                    "expected a request of its spec",
                )
        for request in claim.spec.devices.requests:
            if answer.allocates_unspecified_devices(request):
                continue
            where = f"ResourceClaim {key}, request {request.name}"
            of_request = [allocated for allocated in of_claim if allocated.parent == request.name]
            request_names = {allocated.result.request for allocated in of_request}
            if len(request_names) > 1:
                yield Violation(
                    "DRA/prioritized-list/counts-per-subrequest",
                    f"{where}: got devices of several subrequests, expected devices of only one: "
                    f"{', '.join(sorted(request_names))}",
                )
            content = request.exactly or (of_request[0].request if of_request else None)
            if content is None:
                message = f"{where}: got no device, expected the devices of one subrequest"
                yield Violation("DRA/prioritized-list/first-satisfiable-wins", message)
            elif content.allocation_mode != ALL and len(of_request) != (content.count or 1):
                message = f"{where}: expected {counted(content.count or 1, 'device')}, got {len(of_request)}"
                yield Violation("DRA/allocation-mode/exact-count", message)
            elif content.allocation_mode == ALL and not of_request:
                message = f"{where}: allocationMode All got no device, expected at least one"
                yield Violation("DRA/allocation-mode/all-needs-at-least-one", message)
            if answer.switches.capacity.one_share_a_request:
                yield from _repeated(of_request)


def _naming(claim: ResourceClaim, request: str) -> str:
    """Return the requirement about the names of requests in results."""
    lists = {known.name for known in claim.spec.devices.requests if known.first_available}
    recorded = "DRA/prioritized-list/chosen-alternative-recorded"
    return recorded if request in lists else "DRA/workflow/allocation-identifies-device"


def _repeated(allocated_devices: Sequence[AllocatedDevice]) -> Iterator[Violation]:
    seen = set()
    for allocated in allocated_devices:
        if allocated.key in seen:
            message = f"{allocated.label}: device {'/'.join(allocated.key)} is allocated to the request twice"
            yield Violation("KEP-5075/allocation/count-needs-different-devices", message)
        seen.add(allocated.key)


def admin_access_as_requested(answer: JudgedAnswer) -> Iterator[Violation]:
    """A result has adminAccess if and only if its request asks for it.

    DRA/admin-access/flag-visible-to-driver, DRA/admin-access/per-request.
    """
    for allocated in answer.allocated_devices:
        if allocated.request is not None and allocated.is_admin != bool(allocated.result.admin_access):
            wanted = "expected true" if allocated.is_admin else "expected none"
            yield Violation(
                f"DRA/admin-access/{'flag-visible-to-driver' if allocated.is_admin else 'per-request'}",
                f"{allocated.label}: adminAccess is "
                f"{str(bool(allocated.result.admin_access)).lower()}, {wanted}",
            )


@requires("KEP-5075/allocation/dedicated-only-once")
def admin_access_once_per_claim(answer: JudgedAnswer) -> Iterator[str]:
    """In Kubernetes releases a ResourceClaim is allocated an exclusive device at most once.

    This also applies to devices allocated with adminAccess.
    """
    if not answer.switches.admin_access_once_per_claim:
        return
    is_admin_by_device: dict[tuple[str, DeviceKey], bool] = {}
    for allocated in answer.allocated_devices:
        if allocated.published is None or answer.is_shared(allocated):
            continue
        earlier_is_admin = is_admin_by_device.get((allocated.claim, allocated.key))
        if earlier_is_admin is not None and (earlier_is_admin or allocated.is_admin):
            yield (
                f"{allocated.label}: device {'/'.join(allocated.key)} is allocated to the ResourceClaim twice"
                ", expected once even with adminAccess"
            )
        is_admin_by_device.setdefault((allocated.claim, allocated.key), allocated.is_admin)


def selectors_hold(answer: JudgedAnswer) -> Iterator[Violation]:
    """The selectors of the DeviceClass and of the request are true for each device.

    DRA/class/selects-by-attributes, DRA/selector/*.
    """
    for allocated in answer.allocated_devices:
        if allocated.published is None or allocated.request is None:
            continue
        device_class = answer.objects.classes.get(allocated.request.device_class_name)
        if device_class is None:
            message = f"{allocated.label}: DeviceClass {allocated.request.device_class_name!r} does not exist"
            yield Violation("DRA/claim/requests-select-from-class", message)
            continue
        try:
            view = cel.device_of(allocated.key[0], answer.as_seen(allocated.published.device))
        except cel.EvaluationError as error:
            yield Violation(
                _FAILING_SELECTOR,
                f"{allocated.label}: selectors cannot be evaluated for device "
                f"{'/'.join(allocated.key)}: {error}",
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
) -> Iterator[Violation]:
    for selector in selectors:
        text = selector.cel.expression if selector.cel else ""
        try:
            if not answer.compiled(text).evaluate(view):
                device = "/".join(allocated.key)
                yield Violation(
                    _FALSE_SELECTOR[owner],
                    f"{allocated.label}: the selector of the {owner} is false for device {device}: {text}",
                )
        except (cel.CompileError, cel.EvaluationError) as error:
            message = f"{allocated.label}: the selector of the {owner} fails with an error: {text}: {error}"
            yield Violation(_FAILING_SELECTOR, message)


def exclusive_device_once(answer: JudgedAnswer) -> Iterator[Violation]:
    """An exclusive device is allocated once; a device with shared allocations is not allocated exclusively.

    KEP-5075/allocation/dedicated-only-once, KEP-5075/capacity-accounting/in-use-check-uses-shared-results.
    """
    exclusive: dict[object, str] = {}
    shares: dict[object, str] = {}
    for claim, result in answer.objects.results_of_other_claims(answer.allocations):
        key = (result.driver, result.pool, result.device)
        is_shared = result.share_id and answer.switches.features.consumable_capacity
        (shares if is_shared else exclusive)[key] = f"ResourceClaim {claim}"
    for allocated in answer.allocated_devices:
        device = "/".join(allocated.key)
        if allocated.is_admin:
            continue
        if allocated.key in exclusive:
            yield Violation(
                "KEP-5075/allocation/dedicated-only-once",
                f"{allocated.label}: device {device} is already allocated to {exclusive[allocated.key]}",
            )
        if answer.is_shared(allocated):
            continue
        if answer.switches.capacity.shares_block_exclusive and allocated.key in shares:
            yield Violation(
                "KEP-5075/capacity-accounting/in-use-check-uses-shared-results",
                f"{allocated.label}: exclusive device {device} has shared allocations of "
                f"{shares[allocated.key]}",
            )
        exclusive[allocated.key] = allocated.label


def share_ids_distinct(answer: JudgedAnswer) -> Iterator[Violation]:
    """A shared allocation has a share ID, a UID unique on the device; an exclusive allocation has none.

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
                message = f"device {device} is exclusive, but its result has the share ID {share_id}"
                yield Violation(
                    "KEP-5075/status/share-id-absent-for-dedicated", f"{allocated.label}: {message}"
                )
            continue
        if not share_id:
            message = f"{allocated.label}: the shared allocation of device {device} has no share ID"
            yield Violation("KEP-5075/status/share-id-set-for-shared", message)
            continue
        if not _is_uid(share_id):
            message = f"{allocated.label}: share ID is {share_id!r}, expected a UID"
            yield Violation("KEP-5075/status/share-id-is-uid", message)
        used_id = (*allocated.key, share_id.lower())
        if used_id in used:
            yield Violation(
                "KEP-5075/status/share-id-unique-per-device",
                f"{allocated.label}: share ID {share_id} of device {device} is used twice, expected a "
                "unique share ID",
            )
        used.add(used_id)


def _is_uid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
