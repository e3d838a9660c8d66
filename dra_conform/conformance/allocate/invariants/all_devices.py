"""The invariant of allocation mode All: every matching device is allocated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform import cel
from dra_conform.capacity import Consumed, consume
from dra_conform.conformance.allocate.invariants.capacity_not_oversold import all_shares, requested
from dra_conform.conformance.allocate.judged_answer import Asked, Decided
from dra_conform.conformance.allocate.judged_world import Placed
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ALL, DeviceCapacity
from dra_conform.kube.switch_values import AllCapacity, GroupReading


def all_devices_taken(decided: Decided) -> Iterator[str]:
    """A request with allocationMode All is allocated each matching device whose capacity value suffices.

    KEP-5075/allocation/all-mode-fails-on-unavailable-device. Some releases skip exhausted devices: there a
    device may be left out if its capacity does not suffice together with all shared allocations, including
    those of the answer. Devices with binding conditions are left out while this feature is off. Devices with
    compatibility groups may be left out (KEP-5963/feature-gate/off-skips-declaring-devices).
    """
    used = all_shares(decided) if decided.rules.all_mode.capacity is AllCapacity.REMAINING else {}
    for key, claim in decided.asked.items():
        for request in claim.spec.devices.requests:
            served = [taken for taken in decided.taken if taken.claim == key and taken.parent == request.name]
            wanted = served[0].request if served else None
            if (
                wanted is None
                or wanted.allocation_mode != ALL
                or decided.allocates_unspecified_devices(request)
            ):
                continue
            have = {taken.key for taken in served}
            for device_key, placed in decided.devices.items():
                if device_key not in have and _matches(decided, wanted, placed, used.get(device_key, {})):
                    yield (
                        f"ResourceClaim {key}, request {request.name}: allocationMode All leaves out "
                        f"the matching device {'/'.join(device_key)}"
                    )


def _matches(decided: Decided, request: Asked, placed: Placed, used: Mapping[str, Quantity]) -> bool:
    if not placed.reaches(decided.node):
        return False
    if placed.device.binding_conditions and not decided.rules.features.binding_conditions:
        return False
    if decided.rules.groups is GroupReading.REFUSED and _has_groups(placed):
        return False
    device_class = decided.world.classes.get(request.device_class_name)
    selectors = (*(device_class.spec.selectors if device_class else ()), *request.selectors)
    try:
        view = cel.device_of(placed.key[0], decided.as_seen(placed.device))
        if not all(decided.compiled(item.cel.expression).evaluate(view) for item in selectors if item.cel):
            return False
    except (cel.CompileError, cel.EvaluationError):
        return False
    asked = requested(decided, request, placed)
    capacities = placed.device.capacity
    if any(name not in capacities for name in asked):
        return False
    if decided.rules.all_mode.capacity is AllCapacity.VALUE or not decided.rules.features.consumable_capacity:
        return all(capacities[name].value >= amount for name, amount in asked.items())
    return all(
        _suffices(decided, capacity, asked.get(name), used.get(name, Quantity(0)))
        for name, capacity in capacities.items()
    )


def _has_groups(placed: Placed) -> bool:
    return any(one.compatibility_groups for one in placed.device.consumes_counters)


def _suffices(decided: Decided, capacity: DeviceCapacity, asked: Quantity | None, used: Quantity) -> bool:
    right = consume(capacity, asked, decided.rules.capacity.arithmetic)
    return isinstance(right, Consumed) and right.amount + used <= capacity.value
