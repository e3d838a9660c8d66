"""The invariant of nodes: the node resource usage of their pods does not exceed allocatable (KEP-5517).

Usage includes containers, pod-level requests, overhead and ResourceClaims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.footprint import ClaimResourceUsage, CountingFailed, claims_of, counted, footprint, recorded
from dra_conform.footprint.amounts import added
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.footprint.policy_ledger import PolicyLedger, PolicyMissing, with_parts
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.resource import DeviceClass, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

_GATE = "DRANodeAllocatableResources"


def nodes_not_overcommitted(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """The usage of the pods on a node stays within its allocatable, for each resource that a new pod uses.

    KEP-5517/accounting/ledger-is-sum-of-footprints. Not checked if components may compute usage differently,
    or if a device may have changed after its allocation.
    """
    if not scenario.one_release or scenario.switches(_GATE) or _devices_change(scenario):
        return
    for before, state in scenario.changes:
        try:
            yield from ((state.step, message) for message in _overcommitted(before, state, profile))
        except (DecodeErrors, QuantityError, CountingFailed, PolicyMissing):
            continue  # other checks report malformed objects


def _devices_change(scenario: ObservedScenario) -> bool:
    """Whether the published content of a device changes."""
    published: dict[tuple[str, str, str], Json] = {}
    for state in scenario.states:
        for raw in state.objects.get("resourceSlices", ()):
            spec = raw.get("spec") or {}
            for device in spec.get("devices") or ():
                key = (spec.get("driver", ""), (spec.get("pool") or {}).get("name", ""), device.get("name"))
                if published.setdefault(key, device) != device:
                    return True
    return False


def _overcommitted(before: State, state: State, profile: Profile) -> Iterator[str]:
    usage = _NodeUsage(state, NodeResourceSwitches.of(profile))
    bound_before = {key for key, pod in before.pods.items() if (pod.get("spec") or {}).get("nodeName")}
    for node in usage.nodes:
        on_node = {key: pod for key, pod in usage.pods.items() if pod.spec.node_name == node.metadata.name}
        used_by_new = usage.used_by([pod for key, pod in on_node.items() if key not in bound_before])
        total = usage.used_by(list(on_node.values()))
        for name, allocatable in sorted((node.status.allocatable if node.status else {}).items()):
            if "/" not in name and used_by_new.get(name) and total[name] > allocatable:
                yield (
                    f"the pods on node {node.metadata.name} use {total[name]} of {name}, "
                    f"expected at most {allocatable}"
                )


class _NodeUsage:
    """The nodes and pods of a state, and the node resource usage of pods."""

    def __init__(self, state: State, switches: NodeResourceSwitches) -> None:
        self.nodes: list[Node] = [decode(raw) for raw in state.objects.get("nodes", ())]
        pods: dict[str, Pod] = {key: decode(raw) for key, raw in state.pods.items()}
        self.pods = {key: pod for key, pod in pods.items() if not _finished(pod)}
        self._switches = switches
        self._claims: dict[str, ResourceClaim] = {key: decode(raw) for key, raw in state.claims.items()}
        self._devices = DevicesInSlices(map(decode, state.objects.get("resourceSlices", ())), switches)
        classes = map(decode, state.objects.get("deviceClasses", ()))
        self._classes: dict[str, DeviceClass] = {item.metadata.name: item for item in classes}

    def used_by(self, pods: Sequence[Pod]) -> dict[str, Quantity]:
        """Return the total node resource usage of pods."""
        if not self._switches.policies:
            return added(*(footprint(pod, self._amounts(pod)) for pod in pods))
        ledger = PolicyLedger()
        for pod in pods:
            claims, amounts = self._claims_of(pod), self._amounts(pod)
            ledger.add(
                pod,
                [
                    with_parts(usage, claims[usage.claim], self._devices, self._classes, self._switches)
                    for usage in amounts
                ],
            )
        return ledger.taken

    def _amounts(self, pod: Pod) -> list[ClaimResourceUsage]:
        """Return the usage of the ResourceClaims of a pod, or the recorded usage if the release counts it."""
        if not self._switches.earlier_allocations:
            return recorded(pod, self._switches)
        if not self._switches.claims_count:
            return []
        entries: dict[str, list[str]] = {}
        for entry, name in claims_of(pod):
            entries.setdefault(name, []).append(entry)
        claims = {
            name: (entries.get(name, ()), claim.allocation)
            for name, claim in self._claims_of(pod).items()
            if claim.allocation is not None
        }
        return counted(pod, claims, self._devices, self._switches)

    def _claims_of(self, pod: Pod) -> dict[str, ResourceClaim]:
        """Return the claims that count for a pod by name, including an extended-resource claim that the pod
        status records. A scheduler may leave such claims out
        (KEP-5517/accounting/extended-resource-backed-claim).
        """
        special = pod.status.extended_resource_claim_status if pod.status else None
        statuses = pod.status.node_allocatable_resource_claim_statuses if pod.status else ()
        entries = {status.resource_claim_name for status in statuses}
        names = [name for _, name in claims_of(pod)]
        names += [special.resource_claim_name] if special and special.resource_claim_name in entries else []
        known = {name: self._claims.get(f"{pod.metadata.namespace or 'default'}/{name}") for name in names}
        return {name: claim for name, claim in known.items() if claim is not None}


def _finished(pod: Pod) -> bool:
    return pod.status is not None and pod.status.phase in ("Succeeded", "Failed")
