"""The node resource usage of all pods of a node, which can share claims (KEP-5517 "Accounting Policies")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dra_conform.footprint.accounting_policy import AccountingPolicy, policy_for
from dra_conform.footprint.amounts import ZERO, Amounts, added
from dra_conform.footprint.claim_amounts import ClaimPart, ClaimResourceUsage
from dra_conform.footprint.device_amounts import DevicesInSlices, device_usage
from dra_conform.footprint.policy_demand import PoolDraw, policy_demand
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult, DeviceClass, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


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

    def add(self, pod: Pod, claims: Sequence[ClaimResourceUsage]) -> None:
        """Add a pod that is on the node or is to be placed there."""
        namespace = pod.metadata.namespace or "default"
        qualified = [replace(claim, claim=f"{namespace}/{claim.claim}") for claim in claims]
        demand = policy_demand(pod, qualified)
        self._own.append(demand.own)
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
