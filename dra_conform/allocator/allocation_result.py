"""The `status.allocation` of a claim, built from the devices that the search chose."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.allocator.claim_plan import ClaimPlan, Slot
from dra_conform.allocator.compatibility_groups import recorded_groups
from dra_conform.allocator.device_choices import ChosenDevice
from dra_conform.allocator.node_devices import NodeDevices
from dra_conform.kube.category import Category
from dra_conform.kube.meta import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
    ResourceClaim,
)
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import GroupSemantics

FROM_CLASS = "FromClass"
FROM_CLAIM = "FromClaim"


class ShareIDs:
    """A generator of share IDs: UUIDs computed from the seed, the claim and the index of the result in it."""

    def __init__(self, seed: int) -> None:
        self._prefix = hashlib.blake2b(f"share {seed} ".encode(), digest_size=16)

    def new(self, claim: ResourceClaim, place: int, used: set[str]) -> str:
        """Return an ID that is not in `used`, and add it there."""
        state = self._prefix.copy()
        state.update(f"{claim.metadata.uid} {claim.key} {place}".encode())
        while True:
            text = state.hexdigest()
            # The form of a random UUID: version 4, variant 1.
            share_id = f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"
            if share_id not in used:
                used.add(share_id)
                return share_id
            state.update(b"again")


def allocation_of(
    plan: ClaimPlan,
    chosen: Sequence[ChosenDevice],
    devices: NodeDevices,
    *,
    switches: AllocationSwitches,
    share_ids: ShareIDs,
    used: set[str],
) -> AllocationResult:
    """Return the allocation of a claim. `used` are the share IDs that exist already.

    Raises Stop for a node selector with several terms.
    """
    results = tuple(
        _result(plan.claim, place, device, devices, switches=switches, share_ids=share_ids, used=used)
        for place, device in enumerate(chosen)
    )
    return AllocationResult(
        devices=DeviceAllocationResult(results=results, config=_config(plan, chosen, switches)),
        node_selector=_node_selector(plan, chosen, devices, switches),
    )


def _result(
    claim: ResourceClaim,
    place: int,
    chosen: ChosenDevice,
    devices: NodeDevices,
    *,
    switches: AllocationSwitches,
    share_ids: ShareIDs,
    used: set[str],
) -> DeviceRequestAllocationResult:
    slot, index = chosen.slot, chosen.index
    driver, pool, name = devices.keys[index]
    device = devices.devices[index]
    shared = devices.shared[index]
    return DeviceRequestAllocationResult(
        request=slot.name,
        driver=driver,
        pool=pool,
        device=name,
        admin_access=True if slot.admin else None,
        tolerations=slot.tolerations if switches.taints.tolerations_recorded else (),
        binding_conditions=device.binding_conditions,
        binding_failure_conditions=device.binding_failure_conditions,
        share_id=share_ids.new(claim, place, used) if shared else None,
        consumed_capacity=(
            _recorded(slot.needs.consumed(index), switches) if shared and device.capacity else None
        ),
        compatibility_groups=(
            recorded_groups(device)
            if switches.groups is GroupSemantics.RECORDED and device.consumes_counters
            else None
        ),
    )


def _recorded(consumed: dict[str, Quantity], switches: AllocationSwitches) -> dict[str, Quantity]:
    if not switches.capacity.zeros_lost:
        return consumed
    return {name: quantity.as_written_by_go() for name, quantity in consumed.items()}


def _config(
    plan: ClaimPlan, chosen: Sequence[ChosenDevice], switches: AllocationSwitches
) -> tuple[DeviceAllocationConfiguration, ...]:
    claim = plan.claim.spec.devices
    classes_of_all = (slot.device_class for request in plan.requests for slot in request.slots)
    if not claim.config and not any(device_class.spec.config for device_class in classes_of_all):
        return ()
    slots = _used_slots(plan, chosen)
    names: dict[str, list[str]] = {}
    classes = {}
    for slot in slots:
        names.setdefault(slot.device_class.metadata.name, []).append(slot.name)
        classes[slot.device_class.metadata.name] = slot.device_class
    all_requests = {slot.request for slot in slots}

    def recorded(requests: tuple[str, ...]) -> tuple[str, ...]:
        covered = {slot.request for slot in slots if slot.request in requests or slot.name in requests}
        return () if switches.results.config_clears_requests and covered == all_requests else requests

    entries = [
        DeviceAllocationConfiguration(
            source=FROM_CLASS, requests=recorded(tuple(requests)), opaque=entry.opaque
        )
        for name, requests in names.items()
        for entry in classes[name].spec.config
    ]
    for item in claim.config:
        matching = sum(slot.request in item.requests or slot.name in item.requests for slot in slots)
        times = 1 if not item.requests else matching if switches.results.config_repeats else min(matching, 1)
        entry = DeviceAllocationConfiguration(
            source=FROM_CLAIM, requests=recorded(item.requests), opaque=item.opaque
        )
        entries += [entry] * times
    return tuple(entries)


def _used_slots(plan: ClaimPlan, chosen: Sequence[ChosenDevice]) -> list[Slot]:
    """Return the slot of each request: its only slot, or that of the chosen subrequest."""
    used: dict[str, Slot] = {}
    for chosen_device in chosen:
        used.setdefault(chosen_device.slot.request, chosen_device.slot)
    return [used.get(request.name, request.slots[0]) for request in plan.requests]


def _node_selector(
    plan: ClaimPlan, chosen: Sequence[ChosenDevice], devices: NodeDevices, switches: AllocationSwitches
) -> NodeSelector | None:
    expressions: list[NodeSelectorRequirement] = []
    fields: list[NodeSelectorRequirement] = []
    for chosen_device in chosen:
        index = chosen_device.index
        device, spec = devices.devices[index], devices.slices[index].spec
        source = device if spec.per_device_node_selection else spec
        if source.node_name is not None or (device.binds_to_node and switches.results.binds_to_node):
            return _single_node(devices.node.metadata.name)
        terms = source.node_selector.node_selector_terms if source.node_selector is not None else ()
        if len(terms) > 1:
            raise Stop(
                Failed(
                    Category.UNSUPPORTED_REQUEST,
                    f"create NodeSelector for claim {plan.claim.metadata.name}: "
                    f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms",
                )
            )
        for term in terms:
            _extend(expressions, term.match_expressions)
            _extend(fields, term.match_fields)
    if not expressions and not fields:
        return None
    term = NodeSelectorTerm(match_expressions=tuple(expressions), match_fields=tuple(fields))
    return NodeSelector(node_selector_terms=(term,))


@lru_cache(maxsize=256)
def _single_node(node: str) -> NodeSelector:
    by_name = NodeSelectorRequirement(key="metadata.name", operator="In", values=(node,))
    return NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(by_name,)),))


def _extend(requirements: list[NodeSelectorRequirement], more: tuple[NodeSelectorRequirement, ...]) -> None:
    """Append the requirements that are not in the list yet."""
    known = {(item.key, item.operator, frozenset(item.values)) for item in requirements}
    for item in more:
        key = (item.key, item.operator, frozenset(item.values))
        if key not in known:
            known.add(key)
            requirements.append(item)
