"""The invariants of devices: no device, capacity or counter is overcommitted.

Only allocations of the scenario are checked, not those of the setup. Devices that were published again with
changes are not checked, because the specification keeps existing allocations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import CounterScope

DeviceKey = tuple[str, str, str]
"""The identity of a device: driver, pool, device."""


@dataclass(frozen=True, slots=True)
class DeviceOfClaim:
    """One device allocated to a ResourceClaim; `is_new`: it was not in the previous state."""

    claim: str
    device: DeviceKey
    share: str
    consumed: Json
    is_new: bool


_NAMES = ("driver", "pool", "device")


def results_of(claim: Json) -> list[Mapping[str, Json]]:
    """Return the results of a ResourceClaim that name a device; none if it is not allocated."""
    results = field_at(claim, "status.allocation.devices.results")
    if not isinstance(results, (list, tuple)):
        return []
    return [
        result
        for result in results
        if isinstance(result, Mapping) and all(result.get(name) for name in _NAMES)
    ]


def allocated_devices(before: State, state: State) -> Iterator[DeviceOfClaim]:
    """Yield allocated devices, without those with adminAccess (DRA/admin-access/does-not-consume)."""
    for key, claim in state.claims.items():
        earlier = results_of(before.claims.get(key))
        for result in results_of(claim):
            if not result.get("adminAccess"):
                yield DeviceOfClaim(
                    key,
                    (result["driver"], result["pool"], result["device"]),
                    result.get("shareID") or "",
                    result.get("consumedCapacity") or {},
                    result not in earlier,
                )


NOTHING = Quantity.parse("0")


def devices_not_allocated_twice(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """An exclusive device is allocated once, and a device is not both exclusive and shared.

    KEP-5075/allocation/dedicated-only-once.
    """
    blocked_by_shares = (
        scenario.one_release and AllocationSwitches.of(profile).capacity.shares_block_exclusive
    )
    for before, state in scenario.changes:
        for device, allocations in _by_device(before, state).items():
            exclusive = [allocated for allocated in allocations if not allocated.share]
            shared = [allocated for allocated in allocations if allocated.share]
            device_name = "/".join(device)
            if len(exclusive) > 1 and any(allocated.is_new for allocated in exclusive):
                claims = ", ".join(allocated.claim for allocated in exclusive)
                yield (
                    state.step,
                    f"exclusive device {device_name} is allocated to several ResourceClaims: {claims}",
                )
            new_shared = [allocated for allocated in shared if allocated.is_new]
            if exclusive and new_shared:
                yield (
                    state.step,
                    f"exclusive device {device_name} of ResourceClaim {exclusive[0].claim} is also "
                    f"allocated to {new_shared[0].claim}",
                )
            elif blocked_by_shares and shared and any(allocated.is_new for allocated in exclusive):
                yield (
                    state.step,
                    f"device {device_name} with a shared allocation to ResourceClaim {shared[0].claim} "
                    f"is allocated exclusively to {exclusive[0].claim}",
                )


def capacity_not_overcommitted(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """All shared allocations of a device stay within its capacity (KEP-5075/capacity-accounting/*)."""
    if AllocationSwitches.of(profile).capacity.checks_another_device or not scenario.one_release:
        return
    for before, state in scenario.changes:
        published = _unchanged_devices(scenario, state)
        for device, allocations in _by_device(before, state).items():
            shares = [allocated for allocated in allocations if allocated.share]
            if device not in published or not any(allocated.is_new for allocated in shares):
                continue
            for name, capacity in (published[device].get("capacity") or {}).items():
                used = sum((_amount(allocated.consumed.get(name)) for allocated in shares), NOTHING)
                if used > _amount(capacity.get("value")):
                    consumed = f"shared allocations of device {'/'.join(device)} consume {used} of {name}"
                    yield state.step, f"{consumed}, expected at most {capacity['value']}"


def counters_not_overcommitted(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """All allocated devices stay within the counters of their pool (DRA/partitionable/*)."""
    switches = AllocationSwitches.of(profile).counters
    gate = "DRAPartitionableDevices"
    if switches.scope is not CounterScope.POOL or not switches.shares_draw or not profile.enabled(gate):
        return
    if scenario.switches(gate) or not scenario.one_release:
        return
    for before, state in scenario.changes:
        published = _unchanged_devices(scenario, state)
        sums: dict[tuple[str, ...], Quantity] = defaultdict(lambda: NOTHING)
        changed = set()
        for device, allocations in _by_device(before, state).items():
            for consumption in published.get(device, {}).get("consumesCounters") or ():
                for name, counter in (consumption.get("counters") or {}).items():
                    counter_key = (*device[:2], consumption["counterSet"], name)
                    sums[counter_key] = sums[counter_key] + _amount(counter.get("value"))
                    if any(allocated.is_new for allocated in allocations):
                        changed.add(counter_key)
        available = _counters(scenario, state)
        for counter_key in changed & available.keys():
            if sums[counter_key] > available[counter_key]:
                message = f"allocated devices consume {sums[counter_key]} of counter {'/'.join(counter_key)}"
                yield state.step, f"{message}, expected at most {available[counter_key]}"


def _by_device(before: State, state: State) -> Mapping[DeviceKey, list[DeviceOfClaim]]:
    by_device: dict[DeviceKey, list[DeviceOfClaim]] = defaultdict(list)
    for allocated in allocated_devices(before, state):
        by_device[allocated.device].append(allocated)
    return by_device


def _unchanged_devices(scenario: ObservedScenario, state: State) -> Mapping[DeviceKey, Json]:
    """Return the devices of a state whose published content did not change until then.

    No document says what an allocated device consumes after its driver has removed it.
    """
    devices: dict[DeviceKey, Json] = {}
    changed: set[DeviceKey] = set()
    present: set[DeviceKey] = set()
    for step, resource_slice in _slices(scenario, state):
        spec = resource_slice["spec"]
        for device in spec.get("devices") or ():
            key = (spec["driver"], spec["pool"]["name"], device["name"])
            if step == state.step:
                present.add(key)
            if devices.setdefault(key, device) != device:
                changed.add(key)
    return {key: devices[key] for key in present - changed}


def _counters(scenario: ObservedScenario, state: State) -> Mapping[tuple[str, ...], Quantity]:
    """Return the counters whose published value did not change until this state."""
    published: dict[tuple[str, ...], set[Quantity]] = defaultdict(set)
    for _, resource_slice in _slices(scenario, state):
        spec = resource_slice["spec"]
        for counter_set in spec.get("sharedCounters") or ():
            for name, counter in (counter_set.get("counters") or {}).items():
                counter_key = (spec["driver"], spec["pool"]["name"], counter_set["name"], name)
                published[counter_key].add(_amount(counter.get("value")))
    return {counter_key: next(iter(values)) for counter_key, values in published.items() if len(values) == 1}


def _slices(scenario: ObservedScenario, state: State) -> Iterator[tuple[int, Json]]:
    """Yield each ResourceSlice of a state and of the states before it, with the step of its state."""
    for earlier in scenario.states:
        if earlier.step <= state.step:
            for raw in earlier.objects.get("resourceSlices", ()):
                if field_at(raw, "spec.pool.name") is not ABSENT:
                    yield earlier.step, raw


def _amount(value: Json) -> Quantity:
    """Return the quantity, or zero for a malformed quantity, which other checks report."""
    try:
        return Quantity.parse(str(value or 0))
    except QuantityError:
        return NOTHING
