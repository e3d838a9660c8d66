"""The node resource usage of the pods and nodes of a cluster, now and after changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.cluster_state.claim_accounting import AccountingFailed, PolicyAccounting, usage_of_claims
from dra_conform.footprint import ClaimResourceUsage, claims_of, recorded
from dra_conform.footprint.cluster_footprints import (
    ClusterFootprints,
    FootprintParts,
    Footprints,
    PolicyFootprints,
)
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended
from dra_conform.kube.listing import counted
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Quantity, quantity_of
from dra_conform.kube.resource import AllocationResult, Device, DeviceClass, ResourceClaim, ResourceSlice
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects
from dra_conform.previews.cluster_dump.reading import ClusterDump
from dra_conform.simulation.extended_resources.backing_classes import provided_by_node


class ClaimsOfPods:
    """Counts the claims of pods."""

    def __init__(self, objects: ClusterObjects, switches: NodeResourceSwitches) -> None:
        self._problems: list[str] = []
        self._unread = 0
        self._unmapped = 0
        self._switches = switches
        self._claims: Mapping[str, ResourceClaim] = objects.by_key(ResourceClaim)
        slices = objects.all(ResourceSlice)
        self._devices = DevicesInSlices(slices, switches) if slices else None
        devices = (device for each in slices for device in each.spec.devices)
        self._some_unmapped = any(_is_unmapped(device, switches) for device in devices)
        self._policies: PolicyAccounting | None = None
        if switches.policies and self._devices is not None:
            classes = objects.all(DeviceClass)
            self._policies = PolicyAccounting(self._claims.values(), classes, self._devices, switches)

    def of(self, pod: Pod) -> Sequence[ClaimResourceUsage]:
        """Return the usage of each claim as the status of the pod records it.

        Without a record it is computed from the allocations of the claims and the ResourceSlices. With
        accounting policies it is always computed, since the status does not record them.
        """
        recorded_claims = pod.status and pod.status.node_allocatable_resource_claim_statuses
        if recorded_claims and not self._switches.policies:
            usage = recorded(pod, self._switches)
            self._unread += not any(claim.resources or claim.overhead for claim in usage)
            return usage
        if self._devices is None:
            return ()
        self._unmapped += self._some_unmapped and self._has_unmapped(pod, self._devices)
        try:
            if self._policies is not None:
                return self._policies.of(pod, self._policies.allocated_claims(pod))
            return usage_of_claims(pod, self._allocations(pod), self._devices, self._switches)
        except AccountingFailed as error:
            key = f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
            self._problems.append(f"note: the claims of pod {key} do not count: {error}")
            return ()

    def notes(self) -> tuple[str, ...]:
        """Return notes on claims that are not counted, for the pods so far."""
        unread = {
            f"the status of {counted(self._unread, 'pod')} records claims": self._unread,
            f"allocated devices of {counted(self._unmapped, 'pod')} map to node resources": self._unmapped,
        }
        reason = "in a form that the profile does not read or count"
        expected = "expected --profile with the release of the cluster, --gates with its feature gates"
        notes = (f"note: {what} {reason}, {expected}" for what, number in unread.items() if number)
        return (*notes, *self._problems)

    def _has_unmapped(self, pod: Pod, devices: DevicesInSlices) -> bool:
        """Whether claims of the pod have a device whose mappings do not count."""
        allocated = (
            devices.get(result)
            for allocation in self._allocations(pod).values()
            for result in allocation.devices.results
        )
        return any(device is not None and _is_unmapped(device, self._switches) for device in allocated)

    def _allocations(self, pod: Pod) -> dict[str, AllocationResult]:
        """Return the allocations of the pod's claims by name, with that of its extended-resource claim."""
        extended = pod.status.extended_resource_claim_status if pod.status else None
        names = {name for _, name in claims_of(pod)} | ({extended.resource_claim_name} if extended else set())
        namespace = pod.metadata.namespace or "default"
        claims = {name: self._claims.get(f"{namespace}/{name}") for name in sorted(names)}
        return {
            name: claim.allocation for name, claim in claims.items() if claim is not None and claim.allocation
        }


def _is_unmapped(device: Device, switches: NodeResourceSwitches) -> bool:
    """Whether a device maps to node resources only in fields that do not count."""
    mappings, resources = device.node_allocatable_resource_mappings, device.node_allocatable_resources
    read = (resources if switches.overhead else mappings) if switches.claims_count else None
    return bool(mappings or resources) and not read


PODS = "pods"
"""The resource that counts the pods of a node."""

_ENDED = ("Succeeded", "Failed")


@dataclass(frozen=True, slots=True)
class NodeRow:
    """The usage of one resource of a node.

    `claims` is the part of `after` that claims use. `allocatable_before` and `allocatable` are None if the
    resource is not limited, such as an extended resource that a DeviceClass backs.
    """

    node: str
    resource: str
    before: Quantity
    after: Quantity
    claims: Quantity
    allocatable_before: Quantity | None
    allocatable: Quantity | None

    @property
    def over_before(self) -> bool:
        """Whether the usage exceeds what is allocatable now."""
        return self.allocatable_before is not None and self.before > self.allocatable_before

    @property
    def over(self) -> bool:
        """Whether the usage exceeds what is allocatable after changes."""
        return self.allocatable is not None and self.after > self.allocatable


@dataclass(frozen=True, slots=True)
class PodRow:
    """The usage of one resource by a pod after changes, with its parts; `node` is empty without a node.

    `pod_level` is None without a pod-level request, which replaces `containers` and `claims` in `total`.
    """

    namespace: str
    pod: str
    node: str
    resource: str
    containers: Quantity
    claims: Quantity
    pod_level: Quantity | None
    overhead: Quantity
    total: Quantity


@dataclass(frozen=True)
class NodeUsage:
    """The rows of nodes in the order of node and resource, and the pods after changes.

    `problems` has notes on claims that cannot be counted.
    """

    rows: tuple[NodeRow, ...]
    pods: Sequence[tuple[Pod, Sequence[ClaimResourceUsage]]]
    footprints: Footprints
    problems: tuple[str, ...]

    @property
    def unplaced(self) -> int:
        """The number of pods without a node, which count on no node."""
        return sum(not pod.spec.node_name for pod, _ in self.pods)

    def pod_rows(self) -> Iterator[PodRow]:
        """Yield the rows of all pods in the order of the dump, and of their resources by name."""
        for number, resource, parts in self.footprints.by_pod():
            yield _pod_row(self.pods[number][0], resource, parts)


def node_usage(dump: ClusterDump, profile: Profile) -> NodeUsage:
    """Count the usage of all pods that have not ended."""
    after = _Counted(dump.after, profile)
    before = after if dump.after is dump.now else _Counted(dump.now, profile)
    rows = tuple(_rows(before, after))
    return NodeUsage(rows, after.pods, after.footprints, after.problems)


class _Counted:
    """The usage and the allocatable resources of the nodes of a cluster."""

    def __init__(self, objects: ClusterObjects, profile: Profile) -> None:
        switches = NodeResourceSwitches.of(profile)
        claims = ClaimsOfPods(objects, switches)
        running = (pod for pod in objects.all(Pod) if pod.status is None or pod.status.phase not in _ENDED)
        self.pods = [(pod, claims.of(pod)) for pod in running]
        nodes = [pod.spec.node_name for pod, _ in self.pods]
        self.problems = claims.notes()
        self.footprints: Footprints
        if switches.policies:
            self.footprints = by_policies = PolicyFootprints(self.pods)
            self.problems += tuple(map(_overdrawn, by_policies.overdrawn(nodes).items()))
        else:
            self.footprints = ClusterFootprints(self.pods, switches)
        self.totals = {key: total for key, total in self.footprints.by_group(nodes).items() if key[0]}
        for node in filter(None, nodes):
            number, _ = self.totals.get((node, PODS), (0, 0))
            self.totals[node, PODS] = number + NANO, 0
        self._nodes = objects.by_key(Node)
        classes = objects.all(DeviceClass) if profile.enabled("DRAExtendedResource") else ()
        self._backed = {each.spec.extended_resource_name for each in classes}
        self._extended_switches = ExtendedResourceSwitches.of(profile)

    def allocatable(self, node: str, resource: str) -> Quantity | None:
        """Return what a node has of a resource, None if its status does not limit it.

        A resource that a DeviceClass backs is limited only on nodes whose device plugin provides it.
        """
        known = self._nodes.get(node)
        allocatable: Mapping[str, Quantity] = known.status.allocatable if known and known.status else {}
        if known is None or not allocatable or (resource == PODS and resource not in allocatable):
            return None
        backed = resource in self._backed or resource.startswith(CLASS_PREFIX)
        if (
            is_extended(resource)
            and backed
            and not provided_by_node(resource, known, self._extended_switches)
        ):
            return None
        return allocatable.get(resource, Quantity(0))


def _overdrawn(found: tuple[str, str]) -> str:
    node, resource = found
    return (
        f"note: node {node}: containers take more {resource} from pools of claims than the pools have "
        "(KEP-5517/policy/consume-from-sum-within-pool)"
    )


def _rows(before: _Counted, after: _Counted) -> Iterator[NodeRow]:
    for node, resource in sorted({**before.totals, **after.totals}):
        used_before, _ = before.totals.get((node, resource), (0, 0))
        used, claims = after.totals.get((node, resource), (0, 0))
        limit_before, limit = (each.allocatable(node, resource) for each in (before, after))
        if used_before or used:
            now, then, part = (quantity_of(nano, resource, limit) for nano in (used_before, used, claims))
            yield NodeRow(node, resource, now, then, part, limit_before, limit)


def _pod_row(pod: Pod, resource: str, parts: FootprintParts) -> PodRow:
    containers, claims, overhead, total = (
        quantity_of(nano, resource, None)
        for nano in (parts.containers, parts.claims, parts.overhead, parts.total)
    )
    pod_level = None if parts.pod_level is None else quantity_of(parts.pod_level, resource, None)
    namespace, name = pod.metadata.namespace or "default", pod.metadata.name
    return PodRow(
        namespace, name, pod.spec.node_name, resource, containers, claims, pod_level, overhead, total
    )
