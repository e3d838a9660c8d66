"""The state of one attempt to schedule a pod."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dra_conform.controlplane.policy_accounting import PolicyAccounts
from dra_conform.controlplane.simulation.extended_resources.extended_resource_claims import SpecialClaim
from dra_conform.controlplane.simulation.pods import with_status
from dra_conform.controlplane.simulation.scheduling.phases import PhaseResult
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.footprint import FootprintRules
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile

Json = Any


@dataclass(frozen=True, slots=True)
class OnNode:
    """What the claims of a pod get on a node by `namespace/name`, that for extended resources among them."""

    allocations: Mapping[str, Json]
    special: SpecialClaim | None = None


@dataclass
class Cycle:
    """One attempt: the pod, the cluster as it was found, and what phases leave for those that come later.

    `served` is the class of each extended resource that classes serve, `claims` are those that the pod names,
    `order` the nodes as they are tried, `fits` what they get on each node that passed, `recorded` what they
    take of the node there, as the pod's status will have it, `node` is the one that was chosen, `made` the
    claim for extended resources as it was created.
    """

    pod: Json
    snapshot: Snapshot
    profile: Profile
    served: Mapping[str, str]
    claims: Sequence[Json] = ()
    order: Sequence[Node] = ()
    fits: dict[str, OnNode] = field(default_factory=dict)
    recorded: dict[str, list[Json]] = field(default_factory=dict)
    node: str = ""
    made: Json = None
    results: list[PhaseResult] = field(default_factory=list)

    @cached_property
    def typed(self) -> Pod:
        """The pod as the types have it; raises DecodeErrors."""
        pod: Pod = decode(self.pod)
        return pod

    @cached_property
    def accounts(self) -> PolicyAccounts:
        """The accounts of pods as this attempt finds them; raises DecodeErrors."""
        return PolicyAccounts(self.snapshot.objects, FootprintRules.of(self.profile))

    @property
    def name(self) -> str:
        """`namespace/name` of the pod."""
        return f"{self.pod['metadata']['namespace']}/{self.pod['metadata']['name']}"

    @property
    def assumed(self) -> Json:
        """The pod as it is once it is bound to the node."""
        bound = {**self.pod, "spec": {**self.pod["spec"], "nodeName": self.node}}
        records = self.recorded.get(self.node)
        return with_status(bound, nodeAllocatableResourceClaimStatuses=records) if records else bound
