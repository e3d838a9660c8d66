"""The invariants of devices: no device, capacity or counter is overcommitted.

Only allocations of the scenario are checked, not those of the setup. Devices that were published again with
changes are not checked, because the specification keeps existing allocations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.allocate.rules import Rules
from dra_conform.conformance.cluster.invariants.allocated_devices import (
    DeviceKey,
    DeviceOfClaim,
    allocated_devices,
)
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.switch_values import CounterScope

Json = Any

NOTHING = Quantity.parse("0")


def devices_not_sold_twice(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """An exclusive device is allocated once, and a device is not both exclusive and shared.

    KEP-5075/allocation/dedicated-only-once.
    """
    blocked_by_shares = scenario.one_release and Rules.of(profile).capacity.shares_block_dedicated
    for before, state in scenario.changes:
        for device, holders in _by_device(before, state).items():
            exclusive = [one for one in holders if not one.share]
            others = [one for one in holders if one.share]
            where = "/".join(device)
            if len(exclusive) > 1 and any(one.is_new for one in exclusive):
                claims = ", ".join(one.claim for one in exclusive)
                yield state.act, f"exclusive device {where} is allocated to several ResourceClaims: {claims}"
            late = [one for one in others if one.is_new]
            if exclusive and late:
                yield (
                    state.act,
                    f"exclusive device {where} of ResourceClaim {exclusive[0].claim} is also "
                    f"allocated to {late[0].claim}",
                )
            elif blocked_by_shares and others and any(one.is_new for one in exclusive):
                yield (
                    state.act,
                    f"device {where} with a shared allocation to ResourceClaim {others[0].claim} "
                    f"is allocated exclusively to {exclusive[0].claim}",
                )


def capacity_not_oversold(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """All shared allocations of a device stay within its capacity (KEP-5075/capacity-accounting/*)."""
    if Rules.of(profile).capacity.checks_another_device or not scenario.one_release:
        return
    for before, state in scenario.changes:
        published = _unchanged_devices(scenario, state)
        for device, holders in _by_device(before, state).items():
            shares = [one for one in holders if one.share]
            if device not in published or not any(one.is_new for one in shares):
                continue
            for name, capacity in (published[device].get("capacity") or {}).items():
                used = sum((_amount(one.consumed.get(name)) for one in shares), NOTHING)
                if used > _amount(capacity.get("value")):
                    consumed = f"shared allocations of device {'/'.join(device)} consume {used} of {name}"
                    yield state.act, f"{consumed}, expected at most {capacity['value']}"


def counters_not_oversold(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """All allocated devices stay within the counters of their pool (DRA/partitionable/*)."""
    rules = Rules.of(profile).counters
    gate = "DRAPartitionableDevices"
    if rules.scope is not CounterScope.POOL or not rules.shares_draw or not profile.enabled(gate):
        return
    if scenario.switches(gate) or not scenario.one_release:
        return
    for before, state in scenario.changes:
        published = _unchanged_devices(scenario, state)
        draws: dict[tuple[str, ...], Quantity] = defaultdict(lambda: NOTHING)
        changed = set()
        for device, holders in _by_device(before, state).items():
            for consumed in published.get(device, {}).get("consumesCounters") or ():
                for name, counter in (consumed.get("counters") or {}).items():
                    place = (*device[:2], consumed["counterSet"], name)
                    draws[place] = draws[place] + _amount(counter.get("value"))
                    if any(one.is_new for one in holders):
                        changed.add(place)
        available = _counters(scenario, state)
        for place in changed & available.keys():
            if draws[place] > available[place]:
                consumed = f"allocated devices consume {draws[place]} of counter {'/'.join(place)}"
                yield state.act, f"{consumed}, expected at most {available[place]}"


def _by_device(before: State, state: State) -> Mapping[DeviceKey, list[DeviceOfClaim]]:
    found: dict[DeviceKey, list[DeviceOfClaim]] = defaultdict(list)
    for one in allocated_devices(before, state):
        found[one.device].append(one)
    return found


def _unchanged_devices(scenario: ObservedScenario, state: State) -> Mapping[DeviceKey, Json]:
    """Return the devices whose published content did not change until this state."""
    found: dict[DeviceKey, Json] = {}
    changed: set[DeviceKey] = set()
    for slice_ in _slices(scenario, state):
        spec = slice_["spec"]
        for device in spec.get("devices") or ():
            key = (spec["driver"], spec["pool"]["name"], device["name"])
            if found.setdefault(key, device) != device:
                changed.add(key)
    return {key: device for key, device in found.items() if key not in changed}


def _counters(scenario: ObservedScenario, state: State) -> Mapping[tuple[str, ...], Quantity]:
    """Return the counters whose published value did not change until this state."""
    found: dict[tuple[str, ...], set[Quantity]] = defaultdict(set)
    for slice_ in _slices(scenario, state):
        spec = slice_["spec"]
        for counter_set in spec.get("sharedCounters") or ():
            for name, counter in (counter_set.get("counters") or {}).items():
                place = (spec["driver"], spec["pool"]["name"], counter_set["name"], name)
                found[place].add(_amount(counter.get("value")))
    return {place: next(iter(values)) for place, values in found.items() if len(values) == 1}


def _slices(scenario: ObservedScenario, state: State) -> Iterator[Json]:
    for earlier in scenario.states:
        if earlier.act <= state.act:
            for one in earlier.objects.get("resourceSlices", ()):
                if field_at(one, "spec.pool.name") is not ABSENT:
                    yield one


def _amount(value: Json) -> Quantity:
    """Return the quantity; zero for a malformed one, which other checks report."""
    try:
        return Quantity.parse(str(value or 0))
    except QuantityError:
        return NOTHING
