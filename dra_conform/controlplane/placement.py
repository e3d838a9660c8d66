"""Placing pods: the claims of each pod are allocated together on the first node that fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform.allocator import Allocated, AllocationSession, Allocator, Decision, Unallocatable
from dra_conform.controlplane.acceptable_nodes import acceptable, restricts
from dra_conform.controlplane.cluster import Cluster
from dra_conform.controlplane.pod_claims import claims_of
from dra_conform.controlplane.served_pods import ServedPods
from dra_conform.controlplane.workload_pods import PodToPlace
from dra_conform.kube.core import Node
from dra_conform.kube.extended_resources import SPECIAL_CLAIM
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult, ResourceClaim, ResourceClaimStatus


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the allocator said on one node."""

    node: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Placement:
    """What became of one pod, or of a claim that no pod names.

    `claims` are the subject's claims; the allocated ones carry `status.allocation`. `node` is empty if
    nothing fits, and for a lone claim that was allocated before. `attempts` has one entry for each node
    that was tried, if the claims fit on none.
    """

    subject: str
    claims: tuple[ResourceClaim, ...]
    node: str = ""
    attempts: tuple[Attempt, ...] = ()
    obstacle: str = ""
    """Why no node was tried."""


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
    served = ServedPods(cluster.classes, profile)
    session = allocator.session(claims.values())
    subjects: list[tuple[str, PodToPlace | None, tuple[ResourceClaim, ...]]] = []
    named: set[str] = set()
    for wanted in cluster.wanted:
        mine = claims_of(wanted, cluster.claims, cluster.templates, claims)
        mine += _special(wanted, cluster.claims)
        claims.update((claim.key, claim) for claim in mine)
        named.update(claim.key for claim in mine)
        if mine or served.asks(wanted):
            subjects.append((f"Pod {wanted.key}", wanted, mine))
    subjects += [
        (f"ResourceClaim {key}", None, (claim,)) for key, claim in claims.items() if key not in named
    ]
    for subject, owner, mine_claims in subjects:
        placement = _place_one(
            subject,
            owner,
            [claims[claim.key] for claim in mine_claims],
            served,
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
    served: ServedPods,
    nodes: Sequence[Node],
    session: AllocationSession,
    explain: bool,
) -> Placement:
    if wanted is None and all(claim.allocation is not None for claim in mine):
        return Placement(subject, tuple(mine))
    choosy = wanted is not None and (restricts(wanted) or served.counts(wanted))
    if nodes and not (explain or choosy or any(claim.allocation is not None for claim in mine)):
        return _on_first(subject, mine, nodes, session)
    candidates = [
        item for item in acceptable(wanted, mine, nodes) if not (wanted and served.lacks(wanted, item))
    ]
    if not candidates:
        return Placement(subject, tuple(mine), obstacle="no node that it accepts is in the manifests")
    made = any(SPECIAL_CLAIM in claim.metadata.annotations for claim in mine)
    attempts = []
    for item in candidates:
        special = served.claim(wanted, item) if wanted and not made else None
        todo = [claim for claim in mine if claim.allocation is None] + ([special] if special else [])
        decision = session.allocate(item, todo, explain=explain)
        attempts.append(Attempt(item.metadata.name, decision))
        if isinstance(decision, Allocated):
            done = {
                claim.key: _with_allocation(claim, allocation)
                for claim, allocation in zip(todo, decision.allocations, strict=True)
            }
            return Placement(
                subject,
                tuple(done.get(claim.key, claim) for claim in (*mine, *([special] if special else ()))),
                item.metadata.name,
            )
    return Placement(subject, tuple(mine), attempts=tuple(attempts))


def _on_first(
    subject: str, mine: Sequence[ResourceClaim], nodes: Sequence[Node], session: AllocationSession
) -> Placement:
    """As above, for a subject that accepts every node; what is full for claims like these is skipped."""
    found = session.allocate_on_first(nodes, mine)
    if found.place is None or found.decision is None:
        refusal = Unallocatable()
        attempts = [Attempt(one.metadata.name, found.errors.get(at, refusal)) for at, one in enumerate(nodes)]
        return Placement(subject, tuple(mine), attempts=tuple(attempts))
    allocations = zip(mine, found.decision.allocations, strict=True)
    placed = tuple(_with_allocation(claim, allocation) for claim, allocation in allocations)
    return Placement(subject, placed, nodes[found.place].metadata.name)


def _with_allocation(claim: ResourceClaim, allocation: AllocationResult) -> ResourceClaim:
    status = msgspec.structs.replace(claim.status or ResourceClaimStatus(), allocation=allocation)
    return msgspec.structs.replace(claim, status=status)


def _special(wanted: PodToPlace, claims: Mapping[str, ResourceClaim]) -> tuple[ResourceClaim, ...]:
    """The claim that was made for the extended resources of a pod before, if it is among the manifests."""
    status = wanted.pod.status.extended_resource_claim_status if wanted.pod.status else None
    key = f"{wanted.pod.metadata.namespace or 'default'}/{status.resource_claim_name}" if status else ""
    return (claims[key],) if key in claims else ()
