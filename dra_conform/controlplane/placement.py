"""Placing pods: the claims of each pod are allocated together on the first node that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform.allocator import Allocated, AllocationSession, Allocator, Decision
from dra_conform.controlplane.acceptable_nodes import acceptable
from dra_conform.controlplane.cluster import Cluster
from dra_conform.controlplane.pod_claims import claims_of
from dra_conform.controlplane.workload_pods import PodToPlace
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult, ResourceClaim, ResourceClaimStatus

_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the allocator said on one node."""

    node: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Placement:
    """What became of one pod, or of a claim that no pod names.

    `claims` are the subject's claims; the allocated ones carry `status.allocation`. `node` is empty if
    nothing fits, and for a lone claim that was allocated before. `attempts` has one entry a node tried.
    """

    subject: str
    claims: tuple[ResourceClaim, ...]
    node: str = ""
    attempts: tuple[Attempt, ...] = ()
    obstacle: str = ""
    """Why no node was tried: a feature that is not built, or no node the pod accepts."""
    unsupported: bool = False


def place(
    cluster: Cluster, profile: Profile, *, node: str = "", explain: bool = False, seed: int = 0
) -> Iterator[Placement]:
    """Place every pod in the order of the manifests, then allocate the claims that no pod names.

    `node` restricts the choice to one node. What is allocated on the way counts for what follows.
    Raises InputError for a pod that names a claim or template that does not exist.
    """
    nodes = [item for item in cluster.nodes if not node or item.metadata.name == node]
    allocator = Allocator(
        cluster.slices, cluster.classes, profile=profile, taint_rules=cluster.taint_rules, seed=seed
    )
    claims = dict(cluster.claims)
    session = allocator.session(claims.values())
    subjects: list[tuple[str, PodToPlace | None, tuple[ResourceClaim, ...]]] = []
    named: set[str] = set()
    for wanted in cluster.wanted:
        mine = claims_of(wanted, cluster.claims, cluster.templates, claims)
        claims.update((claim.key, claim) for claim in mine)
        named.update(claim.key for claim in mine)
        if mine or _extended(wanted.pod, cluster, profile):
            subjects.append((f"Pod {wanted.key}", wanted, mine))
    subjects += [
        (f"ResourceClaim {key}", None, (claim,)) for key, claim in claims.items() if key not in named
    ]
    for subject, owner, mine_claims in subjects:
        placement = _place_one(
            subject,
            owner,
            [claims[claim.key] for claim in mine_claims],
            _not_built(owner, cluster, profile),
            nodes,
            session,
            explain,
        )
        claims.update((claim.key, claim) for claim in placement.claims)
        yield placement


def _place_one(
    subject: str,
    wanted: PodToPlace | None,
    mine: Sequence[ResourceClaim],
    missing: str,
    nodes: Sequence[Node],
    session: AllocationSession,
    explain: bool,
) -> Placement:
    todo = [claim for claim in mine if claim.allocation is None]
    if wanted is None and not todo:
        return Placement(subject, tuple(mine))
    if missing:
        return Placement(subject, tuple(mine), obstacle=missing, unsupported=True)
    candidates = list(acceptable(wanted, mine, nodes))
    if not candidates:
        return Placement(subject, tuple(mine), obstacle="no node that it accepts is in the manifests")
    attempts = []
    for item in candidates:
        decision = session.allocate(item, todo, explain=explain)
        attempts.append(Attempt(item.metadata.name, decision))
        if isinstance(decision, Allocated):
            done = {
                claim.key: _with_allocation(claim, allocation)
                for claim, allocation in zip(todo, decision.allocations, strict=True)
            }
            return Placement(
                subject,
                tuple(done.get(claim.key, claim) for claim in mine),
                item.metadata.name,
                tuple(attempts),
            )
    return Placement(subject, tuple(mine), attempts=tuple(attempts))


def _with_allocation(claim: ResourceClaim, allocation: AllocationResult) -> ResourceClaim:
    status = msgspec.structs.replace(claim.status or ResourceClaimStatus(), allocation=allocation)
    return msgspec.structs.replace(claim, status=status)


def _not_built(wanted: PodToPlace | None, cluster: Cluster, profile: Profile) -> str:
    if wanted is not None:
        if wanted.pod.spec.scheduling_group and wanted.pod.spec.resource_claims:
            return "is in a pod group, whose pods may share the group's claims: not supported yet"
        extended = _extended(wanted.pod, cluster, profile)
        if extended:
            return (
                f"requests {extended}, an extended resource served by a device class (KEP-5004): "
                "not supported yet"
            )
    return ""


def _extended(pod: Pod, cluster: Cluster, profile: Profile) -> str:
    """The first extended resource of the pod that a device class serves, empty if there is none."""
    if not profile.enabled("DRAExtendedResource"):
        return ""
    served = {
        item.spec.extended_resource_name for item in cluster.classes if item.spec.extended_resource_name
    }
    for container in (*pod.spec.init_containers, *pod.spec.containers):
        for name in (*container.resources.limits, *container.resources.requests):
            if name.startswith(_CLASS_PREFIX) or name in served:
                return name
    return ""
