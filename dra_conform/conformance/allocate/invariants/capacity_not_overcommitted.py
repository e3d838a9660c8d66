"""The invariants of consumable capacity (KEP-5075): correct consumption, and no overcommitted capacity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.capacity import Consumed, PolicyViolation, consume
from dra_conform.conformance.allocate.case_objects import DeviceKey, PublishedDevice
from dra_conform.conformance.allocate.invariants.violation import Violation, requires
from dra_conform.conformance.allocate.judged_answer import (
    AllocatedDevice,
    JudgedAnswer,
    RequestContent,
    key_of,
)
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ALL, CapacityRequestPolicyRange, DeviceCapacity


def policy_requirement(
    capacity: DeviceCapacity, requested: Quantity | None, expected: Consumed | PolicyViolation
) -> str:
    """Return the most specific requirement about the consumed quantity, or why no quantity is valid.

    `requested` is None if the request does not name the capacity.
    """
    policy = capacity.request_policy
    if requested is None:
        default = policy is not None and policy.default is not None
        rule = "policy-default-used-when-absent" if default else "no-policy-no-request-full-capacity"
        return f"KEP-5075/default/{rule}"
    if policy is not None and policy.valid_range is not None:
        return f"KEP-5075/rounding/{_of_range(policy.valid_range, requested, expected)}"
    if policy is not None and policy.valid_values:
        return f"KEP-5075/rounding/{_of_values(policy.valid_values, requested, expected)}"
    return "KEP-5075/rounding/no-policy-as-is"


def _of_range(
    valid: CapacityRequestPolicyRange, requested: Quantity, expected: Consumed | PolicyViolation
) -> str:
    if isinstance(expected, PolicyViolation):
        within = valid.max is None or requested <= valid.max
        return "rounded-past-max-refused" if within else "above-max-refused"
    if valid.min is not None and requested < valid.min:
        return "below-min-goes-to-min"
    if valid.step is None:
        return "no-step-as-is"
    return "on-step-unchanged" if expected.amount == requested else "step-up"


def _of_values(
    values: tuple[Quantity, ...], requested: Quantity, expected: Consumed | PolicyViolation
) -> str:
    if isinstance(expected, PolicyViolation):
        return "valid-values-above-all-refused"
    if requested < min(values):
        return "valid-values-below-all"
    return "valid-values-exact" if expected.amount == requested else "valid-values-between"


_UNKNOWN_CAPACITY = "KEP-5075/filter/unknown-capacity-ineligible"
_FILTER = "KEP-5075/filter/dedicated-greater-or-equal"


def requested(
    answer: JudgedAnswer, request: RequestContent | None, published: PublishedDevice | None
) -> dict[str, Quantity]:
    """Return the requested capacity by capacity name of the device; unknown names stay unchanged."""
    if not answer.switches.features.consumable_capacity or request is None or request.capacity is None:
        return {}
    asked = request.capacity.requests
    if not answer.switches.capacity.bare_names_in_driver_domain or published is None:
        return dict(asked)
    driver = published.key[0]
    names_on_device = {_qualified_name(driver, name): name for name in published.device.capacity}
    return {
        names_on_device.get(_qualified_name(driver, name), name): amount for name, amount in asked.items()
    }


def _qualified_name(driver: str, name: str) -> str:
    return name if "/" in name else f"{driver}/{name}"


def consumed_capacity_complete(answer: JudgedAnswer) -> Iterator[Violation]:
    """A shared allocation records each capacity with the rounded quantity; an exclusive one none.

    A shared allocation with adminAccess that consumes nothing may record none.
    KEP-5075/status/consumed-capacity-*, KEP-5075/rounding/*, KEP-5075/default/*.
    """
    for allocated in answer.allocated_devices:
        if allocated.published is None or allocated.request is None:
            continue
        recorded = allocated.result.consumed_capacity or {}
        if not answer.is_shared(allocated):
            if recorded:
                yield Violation(
                    "KEP-5075/status/consumed-capacity-only-for-shared",
                    f"{allocated.label}: exclusive device {allocated.key[2]} has consumedCapacity, "
                    "expected none",
                )
            continue
        capacities = allocated.published.device.capacity
        asked = requested(answer, allocated.request, allocated.published)
        for name in asked:
            if name not in capacities:
                message = f"{allocated.label}: device {allocated.key[2]} lacks the requested capacity {name}"
                yield Violation(_UNKNOWN_CAPACITY, message)
        for name in recorded:
            if name not in capacities:
                yield Violation(
                    "KEP-5075/status/consumed-capacity-names-from-device",
                    f"{allocated.label}: consumedCapacity has {name}, which device {allocated.key[2]} lacks",
                )
        if allocated.is_admin and answer.switches.admin_consumes_nothing and not recorded:
            continue
        for name, capacity in capacities.items():
            expected = consume(capacity, asked.get(name), answer.switches.capacity.arithmetic)
            if isinstance(expected, PolicyViolation):
                yield Violation(
                    policy_requirement(capacity, asked.get(name), expected),
                    f"{allocated.label}: {name} of device {allocated.key[2]}: {expected.message}",
                )
            elif name not in recorded:
                entries = "zero-entries" if not expected.amount else "all-entries"
                yield Violation(
                    f"KEP-5075/status/consumed-capacity-{entries}",
                    f"{allocated.label}: consumedCapacity lacks {name}, expected {expected.amount}",
                )
            elif recorded[name] != _as_recorded(expected.amount, answer):
                yield Violation(
                    policy_requirement(capacity, asked.get(name), expected),
                    f"{allocated.label}: consumedCapacity {name} of device {allocated.key[2]} is "
                    f"{recorded[name]}, "
                    f"expected {expected.amount}",
                )


def _as_recorded(amount: Quantity, answer: JudgedAnswer) -> Quantity:
    return amount.as_written_by_go() if answer.switches.capacity.zeros_lost else amount


@requires("KEP-5075/capacity-accounting/sum-within-value")
def shared_capacity_not_overcommitted(answer: JudgedAnswer) -> Iterator[str]:
    """All shared allocations of a device stay within its capacity."""
    total = shared_capacity(answer)
    consumers = {
        allocated.key: allocated for allocated in answer.allocated_devices if _consumes(answer, allocated)
    }
    unchecked = _unchecked_devices(answer)
    for key, allocated in consumers.items():
        if key in unchecked:
            continue
        capacities = allocated.published.device.capacity if allocated.published else {}
        for name, capacity in capacities.items():
            used = total[key].get(name)
            if used is not None and used > capacity.value:
                yield (
                    f"{allocated.label}: shared allocations of device {key[2]} consume {used} of {name}, "
                    f"expected at most {capacity.value}"
                )
    for allocated in answer.allocated_devices:
        if answer.is_shared(allocated) and not _consumes(answer, allocated):
            yield from _too_small(allocated)


def _unchecked_devices(answer: JudgedAnswer) -> frozenset[DeviceKey]:
    """Return the devices whose capacity the release does not check (switch `checks_another_device`)."""
    if not answer.switches.capacity.checks_another_device:
        return frozenset()
    return frozenset(
        allocated.key
        for allocated in answer.allocated_devices
        if allocated.request and allocated.request.allocation_mode == ALL
    )


def _too_small(allocated: AllocatedDevice) -> Iterator[str]:
    """Yield each quantity of a shared allocation that exceeds the capacity, without other allocations."""
    capacities = allocated.published.device.capacity if allocated.published else {}
    for name, amount in (allocated.result.consumed_capacity or {}).items():
        value = capacities[name].value if name in capacities else amount
        if amount > value:
            yield (
                f"{allocated.label}: the shared allocation of device {allocated.key[2]} consumes "
                f"{amount} of {name}, "
                f"expected at most {value}"
            )


Amounts = dict[DeviceKey, dict[str, Quantity]]
"""Sums of consumed capacity, by device and capacity name."""


def shared_capacity_before(answer: JudgedAnswer) -> Amounts:
    """Return the capacity that shared allocations consumed before the answer."""
    total: Amounts = {}
    for result in answer.allocated_before:
        if result.share_id:
            key = key_of(result)
            _add(total, key, _counted(answer, key, result.consumed_capacity or {}))
    return total


def _counted(answer: JudgedAnswer, key: DeviceKey, recorded: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Return the consumption of an earlier shared allocation by the current capacity names of its device."""
    switches, published = answer.switches.capacity, answer.devices.get(key)
    counted = {name: _at_least_zero(amount) for name, amount in recorded.items()}
    counted = dict(recorded) if switches.negative_shares_add_capacity else counted
    if not switches.bare_names_in_driver_domain or published is None:
        return counted
    capacities = published.device.capacity
    names_on_device = {_qualified_name(key[0], name): name for name in capacities}
    renamed: dict[str, Quantity] = {}
    for name, amount in counted.items():
        present = name if name in capacities else names_on_device.get(_qualified_name(key[0], name), name)
        renamed[present] = renamed[present] + amount if present in renamed else amount
    return renamed


def _at_least_zero(amount: Quantity) -> Quantity:
    return amount if amount.nano > 0 else Quantity(0)


def shared_capacity(answer: JudgedAnswer) -> Amounts:
    """Return the capacity that all shared allocations consume, including those of the answer."""
    total = shared_capacity_before(answer)
    for allocated in answer.allocated_devices:
        if _consumes(answer, allocated):
            _add(total, allocated.key, allocated.result.consumed_capacity or {})
    return total


def _consumes(answer: JudgedAnswer, allocated: AllocatedDevice) -> bool:
    """Whether the shared allocation consumes capacity. With adminAccess it may not."""
    return answer.is_shared(allocated) and not (allocated.is_admin and answer.switches.admin_consumes_nothing)


def _add(total: Amounts, key: DeviceKey, amounts: Mapping[str, Quantity]) -> None:
    device_sums = total.setdefault(key, {})
    for name, amount in amounts.items():
        device_sums[name] = device_sums[name] + amount if name in device_sums else amount


def exclusive_capacity_suffices(answer: JudgedAnswer) -> Iterator[Violation]:
    """On an exclusive device a capacity request is a filter: the value must be at least the quantity.

    KEP-5075/filter/dedicated-greater-or-equal, KEP-5075/filter/unknown-capacity-ineligible. If request
    policies apply to exclusive devices, each capacity must suffice for the rounded request together with
    earlier shared allocations.
    """
    switches = answer.switches
    earlier = shared_capacity_before(answer) if switches.capacity.policy_on_exclusive else {}
    for allocated in answer.allocated_devices:
        if allocated.published is None or answer.is_shared(allocated):
            continue
        capacities = allocated.published.device.capacity
        asked = requested(answer, allocated.request, allocated.published)
        device = allocated.key[2]
        yield from (
            Violation(
                _UNKNOWN_CAPACITY, f"{allocated.label}: device {device} lacks the requested capacity {name}"
            )
            for name in asked
            if name not in capacities
        )
        for name, capacity in capacities.items():
            where = f"{allocated.label}: {name} of device {device}"
            if not (switches.capacity.policy_on_exclusive and switches.features.consumable_capacity):
                if name in asked and asked[name] > capacity.value:
                    message = f"{where} is {capacity.value}, expected at least {asked[name]}"
                    yield Violation(_FILTER, message)
                continue
            expected = consume(capacity, asked.get(name), switches.capacity.arithmetic)
            in_use = earlier.get(allocated.key, {}).get(name, Quantity(0))
            if isinstance(expected, PolicyViolation):
                yield Violation(_FILTER, f"{where}: {expected.message}")
            elif expected.amount + in_use > capacity.value:
                earlier_shares = f" in addition to {in_use} of earlier shared allocations" if in_use else ""
                message = f"{where} is {capacity.value}, expected at least {expected.amount}{earlier_shares}"
                yield Violation(_FILTER, message)
