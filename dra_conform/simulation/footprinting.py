"""The operation `footprint`: compute the node resource usage of a pod, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dra_conform.cluster_state.claim_accounting import (
    AccountingFailed,
    Obstacle,
    PolicyAccounting,
    account,
    claims_in_use,
)
from dra_conform.footprint import ClaimResourceUsage, FootprintOptions, claims_of, footprint, recorded
from dra_conform.footprint.containers import has_status_resources
from dra_conform.footprint.device_amounts import DevicesInSlices, Overhead
from dra_conform.footprint.policy_ledger import policy_demand
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.kube.switches.values import ContainerStatuses

Objects = Mapping[str, Sequence[Json]]


def count(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE
) -> dict[str, Json]:
    """Answer the operation `footprint` for the pod `ask["pod"]` with the body of a `result`.

    Raises KeyError for a pod that is not among the objects, and DecodeErrors.
    """
    pods = {_key(pod): pod for pod in map(decode, objects.get("pods", ()))}
    pod, switches = pods[ask["pod"]], NodeResourceSwitches.of(profile)
    without = ask.get("without", ())
    options = FootprintOptions("overhead" in without, "pod-level" in without)
    try:
        if ask["from"] == "status":
            claims = recorded(pod, switches)
            options = replace(options, statuses=switches.container_statuses)
            total = _total(pod, claims, options, columns)
        elif switches.policies:
            claims = _by_policy(pod, pods, objects, switches)
            total = policy_demand(pod, claims, options).total(_used_by(_others(pod, pods)))
        else:
            claims = _from_claims(pod, pods, objects, switches)
            total = _total(pod, claims, options, columns)
    except AccountingFailed as error:
        return {"outcome": "refused", "reason": error.obstacle.value, "message": str(error)}
    return {
        "outcome": "counted",
        "resources": {name: str(quantity) for name, quantity in sorted(total.items())},
        "claims": [_claim_json(claim) for claim in claims],
    }


def _total(
    pod: Pod, claims: Sequence[ClaimResourceUsage], options: FootprintOptions, columns: ColumnUse
) -> dict[str, Quantity]:
    resized = options.statuses is not ContainerStatuses.IGNORED and has_status_resources(pod)
    if resized or columns is not ColumnUse.ALWAYS:  # one pod is never worth columns
        return footprint(pod, claims, options)
    from dra_conform.footprint.footprint_columns import (  # noqa: PLC0415 -- only here polars is imported
        footprint_by_columns,
    )

    return footprint_by_columns(pod, claims, options)


def _from_claims(
    pod: Pod, pods: Mapping[str, Pod], objects: Objects, switches: NodeResourceSwitches
) -> list[ClaimResourceUsage]:
    if not switches.claims_count:
        return []
    decoded = map(decode, objects.get("resourceClaims", ()))
    known: dict[str, ResourceClaim] = {claim.key: claim for claim in decoded}
    allocations: dict[str, AllocationResult] = {}
    for entry, name in claims_of(pod):
        claim = known.get(f"{pod.metadata.namespace or 'default'}/{name}")
        if claim is None or claim.allocation is None:
            raise _not_allocated(entry)
        allocations[name] = claim.allocation
    devices = DevicesInSlices(map(decode, objects.get("resourceSlices", ())), switches)
    return account(pod, allocations, devices, claims_in_use(_others(pod, pods), switches), switches)


def _by_policy(
    pod: Pod, pods: Mapping[str, Pod], objects: Objects, switches: NodeResourceSwitches
) -> list[ClaimResourceUsage]:
    accounting = PolicyAccounting.of_objects(objects, switches)
    allocated = accounting.allocated_claims(pod)
    for entry, name in claims_of(pod):
        if name not in allocated:
            raise _not_allocated(entry)
    return accounting.of(pod, allocated)


def _not_allocated(entry: str) -> AccountingFailed:
    return AccountingFailed(Obstacle.CLAIM_NOT_ALLOCATED, f"the claim of the entry {entry} is not allocated")


def _others(pod: Pod, pods: Mapping[str, Pod]) -> list[Pod]:
    """Return the unfinished pods other than `pod` in its namespace that are assigned to a node."""
    return [
        other
        for other in pods.values()
        if other is not pod
        and other.spec.node_name
        and other.metadata.namespace == pod.metadata.namespace
        and not (other.status and other.status.phase in ("Succeeded", "Failed"))
    ]


def _used_by(pods: Iterable[Pod]) -> set[str]:
    return {name for pod in pods for _, name in claims_of(pod)}


def _claim_json(claim: ClaimResourceUsage) -> dict[str, Json]:
    overhead = {name: _overhead_json(quantities) for name, quantities in claim.overhead.items()}
    return {
        "claim": claim.claim,
        "containers": list(claim.containers),
        "resources": {name: str(quantity) for name, quantity in claim.resources.items()},
        **({"overhead": overhead} if overhead else {}),
    }


def _overhead_json(overhead: Overhead) -> dict[str, str]:
    fields = {"perPod": overhead.per_pod, "perContainer": overhead.per_container}
    return {name: str(quantity) for name, quantity in fields.items() if quantity is not None}


def _key(pod: Pod) -> str:
    return f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
