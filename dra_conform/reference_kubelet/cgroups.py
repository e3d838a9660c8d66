"""The CPU and memory settings of a pod's cgroup, which come from the pod spec only
(KEP-5517/kubelet/cgroups-from-spec-only). In the future they include the quantities of ResourceClaims
(KEP-5517/kubelet/cgroups-include-dra)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.footprint.amounts import added
from dra_conform.footprint.claim_amounts import recorded
from dra_conform.footprint.pod_footprint import footprint, limits, pod_level_limits
from dra_conform.kube.core import Pod, ResourceRequirements
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import KEP_FUTURE, Profile
from dra_conform.kube.quality_of_service import BEST_EFFORT, GUARANTEED, qos_class
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

PERIOD = 100_000
"""The period of CPU quotas, in microseconds."""
MIN_QUOTA = 1000
MIN_SHARES, MAX_SHARES = 2, 262_144
SHARES_PER_CPU = 1024
_MILLI = NANO // 1000


def cgroup(raw: Json, *, with_claims: bool = False) -> dict[str, int]:
    """Return the settings of the cgroup of a pod, without those that are not set.

    `with_claims`: the quantities that the pod status records for ResourceClaims count, too.
    `cpuShares` follows the requests. `cpuQuota`, in microseconds of each period, and `memory`, in bytes, are
    set if each container or the pod itself has a limit.
    """
    pod: Pod = decode(raw)
    claims = recorded(pod, NodeResourceSwitches.of(Profile.named(KEP_FUTURE))) if with_claims else []
    requested = footprint(pod, claims)
    limited = added(limits(pod), *(claim.total for claim in claims)) | pod_level_limits(pod)
    owners = [pod.spec.resources] if pod.spec.resources else list(_containers(pod))
    quality = qos_class([(owner.requests, owner.limits) for owner in owners])
    if quality == BEST_EFFORT:
        return {"cpuShares": MIN_SHARES}
    shares = _milli(requested.get("cpu")) * SHARES_PER_CPU // 1000
    settings = {"cpuShares": min(max(shares, MIN_SHARES), MAX_SHARES)}
    if quality == GUARANTEED or _is_limited(pod, "cpu"):
        settings["cpuQuota"] = max(_milli(limited.get("cpu")) * PERIOD // 1000, MIN_QUOTA)
    if quality == GUARANTEED or _is_limited(pod, "memory"):
        settings["memory"] = _whole(limited.get("memory"))
    return settings


def _containers(pod: Pod) -> Iterator[ResourceRequirements]:
    for container in (*pod.spec.init_containers, *pod.spec.containers):
        yield container.resources


def _is_limited(pod: Pod, resource: str) -> bool:
    if pod.spec.resources and _is_positive(pod.spec.resources.limits, resource):
        return True
    return all(_is_positive(container.limits, resource) for container in _containers(pod))


def _is_positive(quantities: Mapping[str, Quantity], resource: str) -> bool:
    return resource in quantities and quantities[resource].nano > 0


def _milli(quantity: Quantity | None) -> int:
    """Return a quantity in thousandths, rounded up."""
    return -(-quantity.nano // _MILLI) if quantity else 0


def _whole(quantity: Quantity | None) -> int:
    """Return a quantity in whole units, rounded up."""
    return -(-quantity.nano // NANO) if quantity else 0
