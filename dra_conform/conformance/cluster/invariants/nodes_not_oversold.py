"""The invariant of nodes: their pods fit, however they request resources (KEP-5517).

Containers, what pods request as a whole, overhead and what claims hold there count together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.footprint import (
    ClaimAmounts,
    CountingFailed,
    FootprintRules,
    claims_of,
    counted,
    footprint,
    recorded,
)
from dra_conform.footprint.amounts import added
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.footprint.policy_ledger import PolicyLedger
from dra_conform.footprint.policy_parts import PolicyMissing, with_parts
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.resource import DeviceClass, ResourceClaim

Json = Any

_GATE = "DRANodeAllocatableResources"


def nodes_not_oversold(story: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """What the pods on a node take stays within its allocatable, of all that a new pod takes some of.

    KEP-5517/accounting/ledger-is-sum-of-footprints. Left alone where components may count differently, and
    where what devices take may have changed since they were allocated.
    """
    if not story.one_release or story.switches(_GATE) or _devices_change(story):
        return
    for before, state in story.changes:
        try:
            yield from ((state.act, message) for message in _oversold(before, state, profile))
        except (DecodeErrors, QuantityError, CountingFailed, PolicyMissing):
            continue  # what cannot be read or counted is for others to say


def _devices_change(story: ObservedScenario) -> bool:
    """Whether a device is published in two ways."""
    known: dict[tuple[str, str, str], Json] = {}
    for state in story.states:
        for one in state.objects.get("resourceSlices", ()):
            spec = one.get("spec") or {}
            for device in spec.get("devices") or ():
                key = (spec.get("driver", ""), (spec.get("pool") or {}).get("name", ""), device.get("name"))
                if known.setdefault(key, device) != device:
                    return True
    return False


def _oversold(before: State, state: State, profile: Profile) -> Iterator[str]:
    world = _Charging(state, FootprintRules.of(profile))
    placed = {key for key, one in before.pods.items() if (one.get("spec") or {}).get("nodeName")}
    for node in world.nodes:
        on_node = {key: pod for key, pod in world.pods.items() if pod.spec.node_name == node.metadata.name}
        new = world.taken([pod for key, pod in on_node.items() if key not in placed])
        total = world.taken(list(on_node.values()))
        for name, offered in sorted((node.status.allocatable if node.status else {}).items()):
            if "/" not in name and new.get(name) and total[name] > offered:
                yield f"node {node.metadata.name} has {offered} of {name}, its pods take {total[name]}"


class _Charging:
    """The nodes and pods of a state, and what pods are charged there."""

    def __init__(self, state: State, rules: FootprintRules) -> None:
        self.nodes: list[Node] = [decode(one) for one in state.objects.get("nodes", ())]
        pods: dict[str, Pod] = {key: decode(one) for key, one in state.pods.items()}
        self.pods = {key: pod for key, pod in pods.items() if not _finished(pod)}
        self._rules = rules
        self._claims: dict[str, ResourceClaim] = {key: decode(one) for key, one in state.claims.items()}
        self._devices = DevicesInSlices(map(decode, state.objects.get("resourceSlices", ())), rules)
        classes = map(decode, state.objects.get("deviceClasses", ()))
        self._classes: dict[str, DeviceClass] = {one.metadata.name: one for one in classes}

    def taken(self, pods: Sequence[Pod]) -> dict[str, Quantity]:
        """What these pods take together."""
        if not self._rules.policies:
            return added(*(footprint(pod, self._amounts(pod)) for pod in pods))
        ledger = PolicyLedger()
        for pod in pods:
            held, amounts = self._held(pod), self._amounts(pod)
            ledger.add(
                pod,
                [
                    with_parts(one, held[one.claim], self._devices, self._classes, self._rules)
                    for one in amounts
                ],
            )
        return ledger.taken

    def _amounts(self, pod: Pod) -> list[ClaimAmounts]:
        """What the claims of a pod hold, or where a release does not count all of that, what is recorded."""
        if not self._rules.earlier_allocations:
            return recorded(pod, self._rules)
        if not self._rules.claims_count:
            return []
        entries: dict[str, list[str]] = {}
        for entry, name in claims_of(pod):
            entries.setdefault(name, []).append(entry)
        held = {
            name: (entries.get(name, ()), claim.allocation)
            for name, claim in self._held(pod).items()
            if claim.allocation is not None
        }
        return counted(pod, held, self._devices, self._rules)

    def _held(self, pod: Pod) -> dict[str, ResourceClaim]:
        special = pod.status.extended_resource_claim_status if pod.status else None
        names = [name for _, name in claims_of(pod)] + ([special.resource_claim_name] if special else [])
        known = {name: self._claims.get(f"{pod.metadata.namespace or 'default'}/{name}") for name in names}
        return {name: claim for name, claim in known.items() if claim is not None}


def _finished(pod: Pod) -> bool:
    return pod.status is not None and pod.status.phase in ("Succeeded", "Failed")
