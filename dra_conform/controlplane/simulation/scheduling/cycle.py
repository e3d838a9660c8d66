"""The state of one attempt to schedule a pod."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dra_conform.controlplane.claim_accounting import PolicyAccounting
from dra_conform.controlplane.simulation.extended_resources.extended_resource_claims import (
    ExtendedResourceClaim,
)
from dra_conform.controlplane.simulation.pods import with_status
from dra_conform.controlplane.simulation.scheduling.phases import PhaseResult
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

Json = Any


@dataclass(frozen=True, slots=True)
class NodeFit:
    """The new allocations of a pod's claims on a node by `namespace/name`.

    `extended` is the extended-resource claim of the pod on this node.
    """

    allocations: Mapping[str, Json]
    extended: ExtendedResourceClaim | None = None


@dataclass
class Cycle:
    """The state of one attempt, which later phases read and write."""

    pod: Json
    snapshot: Snapshot
    profile: Profile
    backing_classes: Mapping[str, str]
    """The DeviceClass that backs each extended resource."""
    claims: Sequence[Json] = ()
    """The ResourceClaims that the pod names."""
    order: Sequence[Node] = ()
    """The nodes in the order in which they are filtered."""
    fits: dict[str, NodeFit] = field(default_factory=dict)
    """The new allocations by name of the node, for nodes that passed the filters."""
    recorded: dict[str, list[Json]] = field(default_factory=dict)
    """`status.nodeAllocatableResourceClaimStatuses` of the pod for each node that passed."""
    node: str = ""
    """The chosen node."""
    extended: Json = None
    """The planned or stored extended-resource claim of the pod, None if it has none."""
    results: list[PhaseResult] = field(default_factory=list)

    @cached_property
    def typed(self) -> Pod:
        """The decoded pod; raises DecodeErrors."""
        pod: Pod = decode(self.pod)
        return pod

    @cached_property
    def accounts(self) -> PolicyAccounting:
        """The accounting by policies for the objects of the snapshot; raises DecodeErrors."""
        return PolicyAccounting.of_objects(self.snapshot.objects, NodeResourceSwitches.of(self.profile))

    @property
    def name(self) -> str:
        """The `namespace/name` of the pod."""
        return f"{self.pod['metadata']['namespace']}/{self.pod['metadata']['name']}"

    @property
    def assumed(self) -> Json:
        """The pod as it will be stored once it is bound to the chosen node."""
        bound = {**self.pod, "spec": {**self.pod["spec"], "nodeName": self.node}}
        records = self.recorded.get(self.node)
        return with_status(bound, nodeAllocatableResourceClaimStatuses=records) if records else bound
