"""The state of one attempt to schedule a pod, and the base class of scheduler plugins, which share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.cluster_state.claim_accounting import PolicyAccounting
from dra_conform.cluster_state.pods import with_status
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.simulation.extended_resources.extended_resource_claims import (
    ExtendedResourceClaim,
)
from dra_conform.simulation.scheduling.phases import PhaseResult
from dra_conform.simulation.scheduling.shortages import Shortage
from dra_conform.simulation.snapshot import Snapshot


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


class SchedulerPlugin:
    """A plugin for one attempt; a new instance is created for each attempt, so it can keep state.

    The methods do nothing by default. A phase fails with PhaseFailed. A failed write (WriteFailed) or
    malformed input (DecodeErrors, SelectorError) is an error of the phase.
    """

    name: ClassVar[str]
    """The name of the plugin of kube-scheduler that has this part, as in its metrics."""

    def __init__(self, cycle: Cycle) -> None:
        self.cycle = cycle

    def pre_enqueue(self) -> None:
        """Reject a pod that no attempt can schedule until something changes."""

    def pre_filter(self) -> None:
        """Prepare the attempt, and reject a pod that cannot run on any node."""

    def filter(self, node: Node) -> None:
        """Reject a node by raising PhaseFailed."""

    def explain(self, node: Node) -> Sequence[FailureReasonGroup]:
        """Return the reasons why the filter rejects a node, by device; empty if no device is the reason."""
        return ()

    def shortages(self, node: Node) -> Sequence[Shortage]:
        """Return the resources of which a node has too little left, after the filter rejected it."""
        return ()

    @property
    def cacheable(self) -> bool:
        """Whether a rejected node stays rejected for pods of equal shape until the node or its pods
        change."""
        return True

    def post_filter(self) -> None:
        """Change the cluster so that the next attempt can succeed, and then raise PhaseFailed.

        It is called if all nodes were rejected.
        """

    @property
    def scores_nodes(self) -> bool:
        """Whether scores of nodes can differ; if no plugin's scores can, the first fitting node is chosen."""
        return False

    @property
    def filters_all_nodes(self) -> bool:
        """Whether the filter can fail with an error, which ends the attempt even if another node fits."""
        return False

    def score(self, node: str) -> int:
        """Return the score of a node that passed the filters; a higher score is better."""
        return 0

    def reserve(self) -> None:
        """Reserve resources for the pod on the chosen node."""

    def unreserve(self) -> None:
        """Undo `reserve` after a later phase failed; this phase cannot fail."""

    def pre_bind(self) -> Iterable[str]:
        """Write the objects that must exist before the pod is bound.

        Each yielded value is a condition to wait for before the phase continues.
        """
        return ()

    def pre_bound(self) -> None:
        """Finish after PreBind has succeeded for all plugins."""
