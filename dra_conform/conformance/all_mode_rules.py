"""The invariant of allocation mode All: every matching device, not a choice of them."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform import cel
from dra_conform.capacity import Consumed, consume
from dra_conform.conformance.capacity_rules import requested
from dra_conform.conformance.decision import Decided, Taken
from dra_conform.conformance.world import Placed
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ALL, DeviceCapacity


def all_devices_taken(decided: Decided) -> Iterator[str]:
    """A request for all devices takes each that matches and has the asked capacity in its value.

    KEP-5075/allocation/all-mode-fails-on-unavailable-device; releases that leave out exhausted devices are
    held to the devices they took.
    """
    if decided.rules.all_drops_exhausted:
        return
    for key, claim in decided.asked.items():
        for request in claim.spec.devices.requests:
            served = [taken for taken in decided.taken if taken.claim == key and taken.parent == request.name]
            if not served or served[0].request is None or served[0].request.allocation_mode != ALL:
                continue
            have = {taken.key for taken in served}
            for device_key, placed in decided.world.devices.items():
                if device_key not in have and _matches(decided, served[0], placed):
                    yield (
                        f"claim {key}: request {request.name} asks for all devices "
                        f"and leaves out {'/'.join(device_key)}"
                    )


def _matches(decided: Decided, example: Taken, placed: Placed) -> bool:
    request = example.request
    if request is None or not placed.reaches(decided.node):
        return False
    device_class = decided.world.classes.get(request.device_class_name)
    selectors = (*(device_class.spec.selectors if device_class else ()), *request.selectors)
    try:
        view = cel.device_of(placed.key[0], decided.as_seen(placed.device))
        if not all(cel.compile(item.cel.expression).evaluate(view) for item in selectors if item.cel):
            return False
    except (cel.CompileError, cel.EvaluationError):
        return False
    as_if = Taken(example.claim, example.result, request, placed)
    capacities = placed.device.capacity
    return all(
        name in capacities
        and capacities[name].value >= amount
        and _allowed(decided, capacities[name], amount)
        for name, amount in requested(decided, as_if).items()
    )


def _allowed(decided: Decided, capacity: DeviceCapacity, amount: Quantity) -> bool:
    """Whether the device counts among the matching ones although its policy may refuse the amount."""
    if not decided.rules.all_drops_refused:
        return True
    right = consume(capacity, amount, decided.rules.arithmetic)
    return isinstance(right, Consumed) and right.amount <= capacity.value
