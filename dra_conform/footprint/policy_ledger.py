"""The node resource usage of pods under accounting policies (KEP-5517 "Accounting Policies")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dra_conform.footprint.amounts import ZERO, Amounts, added, multiplied
from dra_conform.footprint.claim_amounts import ClaimPart, ClaimResourceUsage
from dra_conform.footprint.containers import SIDECAR, aggregated
from dra_conform.footprint.device_amounts import (
    SHARED,
    AccountingPolicy,
    DevicesInSlices,
    device_usage,
    policy_for,
)
from dra_conform.footprint.pod_footprint import ALL, FootprintOptions, pod_level_requests
from dra_conform.kube.core import Container, Pod
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult, DeviceClass, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

_MAX, _POOL = AccountingPolicy.MAX, AccountingPolicy.CONSUME_FROM


@dataclass(frozen=True, slots=True)
class PoolDraw:
    """The request of a container that is taken from pools of claims, which together form one pool."""

    claims: frozenset[str]
    resource: str
    amount: Quantity


@dataclass(frozen=True, slots=True)
class PolicyDemand:
    """The node resource demand of a pod.

    `own` counts for this pod only, and `referenced` is the part of it that claims use for each reference.
    `shared` has the usage by claim that counts once for all pods of the node. `draws` are the requests of
    containers that are taken from pools.
    """

    own: Amounts
    shared: Mapping[str, Amounts]
    draws: tuple[PoolDraw, ...]
    referenced: Amounts = field(default_factory=dict)

    @property
    def claimed(self) -> dict[str, Quantity]:
        """The part of the demand that claims use."""
        return added(self.referenced, *self.shared.values())

    def total(self, charged: Iterable[str] = ()) -> dict[str, Quantity]:
        """Return the total demand without the shared usage of claims that are charged already."""
        known = set(charged)
        return added(self.own, *(amounts for claim, amounts in self.shared.items() if claim not in known))


def policy_demand(
    pod: Pod, claims: Sequence[ClaimResourceUsage], options: FootprintOptions = ALL
) -> PolicyDemand:
    """Return the demand of a pod; a pod-level request replaces all other demand of its resource."""
    referenced = added(*map(_for_references, claims))
    own = added(
        aggregated(
            (
                (container.restart_policy == SIDECAR, _effective(container, claims))
                for container in pod.spec.init_containers
            ),
            (_effective(container, claims) for container in pod.spec.containers),
        ),
        referenced,
    )
    pod_level = {} if options.without_pod_level else pod_level_requests(pod)
    own.update(pod_level)
    shared = {
        claim.claim: {name: quantity for name, quantity in claim.by(SHARED).items() if name not in pod_level}
        for claim in claims
    }
    return PolicyDemand(
        own if options.without_overhead else added(own, pod.spec.overhead),
        {claim: amounts for claim, amounts in shared.items() if amounts},
        tuple(_draws(pod, claims)),
        {name: quantity for name, quantity in referenced.items() if name not in pod_level},
    )


def conflicting(pod: Pod, claims: Sequence[ClaimResourceUsage]) -> str:
    """Return why the claims of a container cannot be used together, empty if they can
    (KEP-5517/policy-compatibility/*).
    """
    for container in _containers(pod):
        parts = [part for claim in _used(container, claims) for part in claim.parts]
        for resource in dict.fromkeys(part.resource for part in parts):
            base = [part for part in parts if part.resource == resource and part.policy in (_MAX, _POOL)]
            policies = sorted({part.policy for part in base})
            subject = f"container {container.name}, {resource}"
            if len(policies) > 1:
                return f"{subject}: accounting policies {' and '.join(policies)} exclude each other"
            if len({part.driver for part in base}) > 1:
                return f"{subject}: accounting policy {policies[0]} of several drivers, expected one driver"
    return ""


def _effective(container: Container, claims: Sequence[ClaimResourceUsage]) -> dict[str, Quantity]:
    """Return the demand of one container without requests that are taken from a pool."""
    used = _used(container, claims)
    largest = added(*(claim.by((_MAX,)) for claim in used))
    pools = added(*(claim.by((_POOL,)) for claim in used))
    requests = container.resources.requests
    return {
        name: max(requests.get(name, ZERO), largest.get(name, ZERO))
        for name in {**requests, **largest}
        if name not in pools
    }


def _for_references(claim: ClaimResourceUsage) -> dict[str, Quantity]:
    """Return the usage that counts once for each container, or once if no container uses the claim."""
    each = claim.by((AccountingPolicy.ADD_PER_REFERENCE,))
    times = Quantity.whole(max(1, len(claim.containers)))
    total = {name: multiplied(quantity, times) for name, quantity in each.items()}
    return total if claim.containers else added(total, claim.by((_MAX,)))


def _draws(pod: Pod, claims: Sequence[ClaimResourceUsage]) -> Iterator[PoolDraw]:
    for container in _containers(pod):
        used = _used(container, claims)
        for name, quantity in container.resources.requests.items():
            pools = frozenset(claim.claim for claim in used if name in claim.by((_POOL,)))
            if pools:
                yield PoolDraw(pools, name, quantity)


def _used(container: Container, claims: Sequence[ClaimResourceUsage]) -> list[ClaimResourceUsage]:
    return [claim for claim in claims if container.name in claim.containers]


def _containers(pod: Pod) -> tuple[Container, ...]:
    return (*pod.spec.init_containers, *pod.spec.containers)


class PolicyMissing(Exception):  # noqa: N818 - it reads as what happened
    """Neither a device nor its DeviceClass has an accounting policy for a mapped resource."""


def with_parts(
    amounts: ClaimResourceUsage,
    claim: ResourceClaim,
    devices: DevicesInSlices,
    classes: Mapping[str, DeviceClass],
    switches: NodeResourceSwitches,
) -> ClaimResourceUsage:
    """Return the usage of an allocated claim with the policy of each part; raise PolicyMissing."""
    assert claim.allocation is not None
    return replace(amounts, parts=tuple(_parts(claim, claim.allocation, devices, classes, switches)))


def _parts(
    claim: ResourceClaim,
    allocation: AllocationResult,
    devices: DevicesInSlices,
    classes: Mapping[str, DeviceClass],
    switches: NodeResourceSwitches,
) -> Iterator[ClaimPart]:
    requested = dict(classes_of(claim))
    for result in allocation.devices.results:
        device = devices.get(result)
        if device is None:
            continue
        for resource, quantity in device_usage(device, result, switches).resources.items():
            policy = policy_for(device, resource, classes.get(requested.get(result.request, "")))
            if policy is None:
                raise PolicyMissing(
                    f"device {result.device}: no accounting policy for {resource}, "
                    "expected a policy of the device or its DeviceClass"
                )
            yield ClaimPart(result.driver, resource, policy, quantity)


def classes_of(claim: ResourceClaim) -> Iterator[tuple[str, str]]:
    """Yield the name of each request or `REQUEST/SUBREQUEST`, and the name of its DeviceClass."""
    for request in claim.spec.devices.requests:
        if request.exactly is not None:
            yield request.name, request.exactly.device_class_name
        for subrequest in request.first_available:
            yield f"{request.name}/{subrequest.name}", subrequest.device_class_name


Pools = frozenset[str]


@dataclass
class PolicyLedger:
    """The node resource usage of all pods on a node. Each shared claim counts once, and requests are taken
    from pools.

    Claims are identified by `namespace/name`.
    """

    _own: list[Amounts] = field(default_factory=list)
    _shared: dict[str, Amounts] = field(default_factory=dict)
    _pools: dict[tuple[str, str], Quantity] = field(default_factory=dict)
    _draws: list[PoolDraw] = field(default_factory=list)
    _referenced: list[Amounts] = field(default_factory=list)

    def add(self, pod: Pod, claims: Sequence[ClaimResourceUsage]) -> None:
        """Add a pod that is on the node or is to be placed there."""
        namespace = pod.metadata.namespace or "default"
        qualified = [replace(claim, claim=f"{namespace}/{claim.claim}") for claim in claims]
        demand = policy_demand(pod, qualified)
        self._own.append(demand.own)
        self._referenced.append(demand.referenced)
        for claim, amounts in demand.shared.items():
            self._shared[claim] = {**self._shared.get(claim, {}), **amounts}
        for usage in qualified:
            for name, quantity in usage.by((AccountingPolicy.CONSUME_FROM,)).items():
                self._pools[usage.claim, name] = quantity
        self._draws += demand.draws

    @property
    def taken(self) -> dict[str, Quantity]:
        """The total node resource usage."""
        return added(*self._own, *self._shared.values())

    @property
    def claimed(self) -> dict[str, Quantity]:
        """The part of the total that claims use."""
        return added(*self._referenced, *self._shared.values())

    def overdrawn(self) -> str:
        """Return the first resource by name of which more is drawn from pools than they have, empty if none
        (KEP-5517/policy/consume-from-sum-within-pool).
        """
        for name in sorted({draw.resource for draw in self._draws}):
            draws = [draw for draw in self._draws if draw.resource == name]
            for pools in _pool_groups(draw.claims for draw in draws):
                drawn = sum((draw.amount for draw in draws if draw.claims <= pools), ZERO)
                if drawn > sum((self._pools[claim, name] for claim in pools), ZERO):
                    return name
        return ""


def _pool_groups(used: Iterable[Pools]) -> Iterator[Pools]:
    """Yield the pools of each container, then the unions of pools that containers use together
    (KEP-5517/policy-compatibility/consume-from-same-driver).
    """
    each = set(used)
    yield from each
    joint: list[Pools] = []
    for pools in each:
        touching = [group for group in joint if group & pools]
        joint = [group for group in joint if group not in touching] + [pools.union(*touching)]
    yield from joint
