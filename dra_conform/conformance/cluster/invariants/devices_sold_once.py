"""The invariants of devices: no device, capacity or counter is allocated twice.

Only what was allocated in the story counts as sold: what is given is trusted. A device that was published
anew is left alone, because the documents let what is allocated stay as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.allocate.rules import Rules
from dra_conform.conformance.cluster.invariants.held_devices import DeviceKey, HeldByClaim, held_devices
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.switch_values import CounterScope

Json = Any

NOTHING = Quantity.parse("0")


def devices_not_sold_twice(story: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """A dedicated device has one holder; a device with an exclusive holder has no shares besides.

    KEP-5075/allocation/dedicated-only-once.
    """
    blocked_by_shares = story.one_release and Rules.of(profile).capacity.shares_block_dedicated
    for before, state in story.changes:
        for device, holders in _by_device(before, state).items():
            exclusive = [one for one in holders if not one.share]
            others = [one for one in holders if one.share]
            where = "/".join(device)
            if len(exclusive) > 1 and any(one.is_new for one in exclusive):
                claims = ", ".join(one.claim for one in exclusive)
                yield state.act, f"device {where} is allocated to several claims: {claims}"
            late = [one for one in others if one.is_new]
            if exclusive and late:
                yield (
                    state.act,
                    f"device {where} of claim {exclusive[0].claim} is shared with {late[0].claim}",
                )
            elif blocked_by_shares and others and any(one.is_new for one in exclusive):
                held = f"device {where}, of which {others[0].claim} has a share"
                yield state.act, f"{held}, is given to {exclusive[0].claim}"


def capacity_not_oversold(story: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """All shares of a device together stay within its capacity (KEP-5075/capacity-accounting/*)."""
    if Rules.of(profile).capacity.checks_another_device or not story.one_release:
        return
    for before, state in story.changes:
        published = _unchanged_devices(story, state)
        for device, holders in _by_device(before, state).items():
            shares = [one for one in holders if one.share]
            if device not in published or not any(one.is_new for one in shares):
                continue
            for name, capacity in (published[device].get("capacity") or {}).items():
                used = sum((_amount(one.consumed.get(name)) for one in shares), NOTHING)
                if used > _amount(capacity.get("value")):
                    what = f"{name} of device {'/'.join(device)} is {capacity['value']}"
                    yield state.act, f"{what}, its shares consume {used}"


def counters_not_oversold(story: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """All devices in use together stay within the counters of their pool (DRA/partitionable/*)."""
    rules = Rules.of(profile).counters
    gate = "DRAPartitionableDevices"
    if rules.scope is not CounterScope.POOL or not rules.shares_draw or not profile.enabled(gate):
        return
    if story.switches(gate) or not story.one_release:
        return
    for before, state in story.changes:
        published = _unchanged_devices(story, state)
        draws: dict[tuple[str, ...], Quantity] = defaultdict(lambda: NOTHING)
        changed = set()
        for device, holders in _by_device(before, state).items():
            for consumed in published.get(device, {}).get("consumesCounters") or ():
                for name, counter in (consumed.get("counters") or {}).items():
                    place = (*device[:2], consumed["counterSet"], name)
                    draws[place] = draws[place] + _amount(counter.get("value"))
                    if any(one.is_new for one in holders):
                        changed.add(place)
        available = _counters(story, state)
        for place in changed & available.keys():
            if draws[place] > available[place]:
                what = f"counter {'/'.join(place)} is {available[place]}"
                yield state.act, f"{what}, the devices in use consume {draws[place]}"


def _by_device(before: State, state: State) -> Mapping[DeviceKey, list[HeldByClaim]]:
    found: dict[DeviceKey, list[HeldByClaim]] = defaultdict(list)
    for one in held_devices(before, state):
        found[one.device].append(one)
    return found


def _unchanged_devices(story: ObservedScenario, state: State) -> Mapping[DeviceKey, Json]:
    """The devices that have been published in one way only, up to this state."""
    found: dict[DeviceKey, Json] = {}
    changed: set[DeviceKey] = set()
    for slice_ in _slices(story, state):
        spec = slice_["spec"]
        for device in spec.get("devices") or ():
            key = (spec["driver"], spec["pool"]["name"], device["name"])
            if found.setdefault(key, device) != device:
                changed.add(key)
    return {key: device for key, device in found.items() if key not in changed}


def _counters(story: ObservedScenario, state: State) -> Mapping[tuple[str, ...], Quantity]:
    """The counters that have been published with one value only, up to this state."""
    found: dict[tuple[str, ...], set[Quantity]] = defaultdict(set)
    for slice_ in _slices(story, state):
        spec = slice_["spec"]
        for counter_set in spec.get("sharedCounters") or ():
            for name, counter in (counter_set.get("counters") or {}).items():
                place = (spec["driver"], spec["pool"]["name"], counter_set["name"], name)
                found[place].add(_amount(counter.get("value")))
    return {place: next(iter(values)) for place, values in found.items() if len(values) == 1}


def _slices(story: ObservedScenario, state: State) -> Iterator[Json]:
    for earlier in story.states:
        if earlier.act <= state.act:
            for one in earlier.objects.get("resourceSlices", ()):
                if field_at(one, "spec.pool.name") is not ABSENT:
                    yield one


def _amount(value: Json) -> Quantity:
    """The amount; nothing where it is none, which is for others to say."""
    try:
        return Quantity.parse(str(value or 0))
    except QuantityError:
        return NOTHING
