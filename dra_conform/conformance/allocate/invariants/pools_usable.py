"""The invariants of pools: devices are from usable pools, and allocationMode All needs complete pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform import cel
from dra_conform.capacity import Consumed, consume
from dra_conform.conformance.allocate.case_objects import PublishedDevice
from dra_conform.conformance.allocate.invariants.capacity_not_overcommitted import requested, shared_capacity
from dra_conform.conformance.allocate.invariants.violation import Violation, requires
from dra_conform.conformance.allocate.judged_answer import JudgedAnswer, RequestContent
from dra_conform.conformance.allocate.published_pools import selects_node
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ALL, DeviceCapacity
from dra_conform.kube.switches.values import AllModeCapacity, GroupSemantics


def devices_exist(answer: JudgedAnswer) -> Iterator[Violation]:
    """Each device is published in the current slices of a complete, valid pool and is available on the node.

    DRA/pool/highest-generation-only, DRA/pool/incomplete-exact-count, DRA/pool/duplicate-device-name,
    DRA/partitionable/devices-reference-counters, DRA/node-access/*.
    """
    for allocated in answer.allocated_devices:
        where = "/".join(allocated.key)
        if allocated.published is not None:
            if not allocated.published.selects(answer.node):
                selects = allocated.published.node_selector is not None
                yield Violation(
                    f"DRA/node-access/node-{'selector' if selects else 'name'}",
                    f"{allocated.label}: device {where} is not available on node {answer.node.metadata.name}",
                )
            continue
        pool = answer.pools.get(allocated.key[:2])
        if pool is not None and pool.problem(answer.switches):
            yield Violation(
                f"DRA/pool/{'duplicate-device-name' if pool.invalid else 'incomplete-exact-count'}",
                f"{allocated.label}: device {where} cannot be allocated: its pool "
                f"{pool.problem(answer.switches)}",
            )
        else:
            obsolete = any(
                device.name == allocated.key[2]
                for known in answer.objects.slices
                if (known.spec.driver, known.spec.pool.name) == allocated.key[:2]
                for device in known.spec.devices
            )
            yield Violation(
                "DRA/pool/highest-generation-only"
                if obsolete
                else "DRA/workflow/allocation-identifies-device",
                f"{allocated.label}: device {where} does not exist in a usable pool of the node",
            )


@requires("DRA/pool/incomplete-all-mode")
def all_mode_needs_complete_pools(answer: JudgedAnswer) -> Iterator[str]:
    """A request with allocationMode All is not allocated while a pool of the node is incomplete.

    In Kubernetes releases, this also applies while a pool is invalid.
    """
    fault = next(_faults(answer), "")
    if fault:
        requests = {
            (allocated.claim, allocated.parent): None
            for allocated in answer.allocated_devices
            if allocated.request is not None and allocated.request.allocation_mode == ALL
        }
        for claim, request in requests:
            yield f"ResourceClaim {claim}, request {request}: allocationMode All cannot be allocated: {fault}"


def _faults(answer: JudgedAnswer) -> Iterator[str]:
    switches = answer.switches
    for pool in answer.pools.values():
        fault = pool.missing or (pool.invalid if switches.all_mode.needs_valid_pools else "")
        if fault and any(
            selects_node(resource_slice, answer.node, switches) for resource_slice in pool.slices
        ):
            yield f"pool {pool.name} {fault}"


@requires("DRA/allocation-mode/all-on-a-node")
def all_devices_allocated(answer: JudgedAnswer) -> Iterator[str]:
    """A request with allocationMode All is allocated each matching device whose capacity value suffices.

    KEP-5075/allocation/all-mode-fails-on-unavailable-device. Some releases skip exhausted devices: with these
    releases, a device may be left out if its capacity does not suffice together with all shared allocations,
    including those of the answer. Devices with binding conditions and devices that consume counters may be
    left out while their feature is off (API/binding/needs-its-gates,
    DRA/feature-gate/partitionable-components), devices with compatibility groups, too
    (KEP-5963/feature-gate/off-skips-declaring-devices).
    """
    used = shared_capacity(answer) if answer.switches.all_mode.capacity is AllModeCapacity.REMAINING else {}
    for key, claim in answer.claims.items():
        for request in claim.spec.devices.requests:
            of_request = [
                allocated
                for allocated in answer.allocated_devices
                if allocated.claim == key and allocated.parent == request.name
            ]
            content = of_request[0].request if of_request else None
            if (
                content is None
                or content.allocation_mode != ALL
                or answer.allocates_unspecified_devices(request)
            ):
                continue
            allocated_keys = {allocated.key for allocated in of_request}
            for device_key, published in answer.devices.items():
                if (
                    device_key not in allocated_keys
                    and (key, of_request[0].result.request, device_key) not in answer.filtered
                    and _matches(answer, content, published, used.get(device_key, {}))
                ):
                    yield (
                        f"ResourceClaim {key}, request {request.name}: allocationMode All leaves out "
                        f"the matching device {'/'.join(device_key)}"
                    )


def _matches(
    answer: JudgedAnswer, request: RequestContent, published: PublishedDevice, used: Mapping[str, Quantity]
) -> bool:
    if not published.selects(answer.node):
        return False
    features, device = answer.switches.features, published.device
    if device.binding_conditions and not features.binding_conditions:
        return False
    if device.consumes_counters and not features.partitionable_devices:
        return False
    if answer.switches.groups is GroupSemantics.EXCLUDED and _has_groups(published):
        return False
    device_class = answer.objects.classes.get(request.device_class_name)
    selectors = (*(device_class.spec.selectors if device_class else ()), *request.selectors)
    try:
        view = cel.device_of(published.key[0], answer.as_seen(device))
        if not all(
            answer.compiled(selector.cel.expression).evaluate(view) for selector in selectors if selector.cel
        ):
            return False
    except (cel.CompileError, cel.EvaluationError):
        return False
    asked = requested(answer, request, published)
    capacities = device.capacity
    if any(name not in capacities for name in asked):
        return False
    if answer.switches.all_mode.capacity is AllModeCapacity.VALUE or not features.consumable_capacity:
        return all(capacities[name].value >= amount for name, amount in asked.items())
    return all(
        _suffices(answer, capacity, asked.get(name), used.get(name, Quantity(0)))
        for name, capacity in capacities.items()
    )


def _has_groups(published: PublishedDevice) -> bool:
    return any(consumption.compatibility_groups for consumption in published.device.consumes_counters)


def _suffices(answer: JudgedAnswer, capacity: DeviceCapacity, asked: Quantity | None, used: Quantity) -> bool:
    consumption = consume(capacity, asked, answer.switches.capacity.arithmetic)
    return isinstance(consumption, Consumed) and consumption.amount + used <= capacity.value
