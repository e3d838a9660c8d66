"""The built-in answer to `footprint`: plain objects and a question in, the body of a `result` out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.claim_accounting import NotCounted, Obstacle, account, claims_taken
from dra_conform.controlplane.policy_accounting import PolicyAccounts
from dra_conform.footprint import (
    ClaimAmounts,
    FootprintOptions,
    FootprintRules,
    claims_of,
    footprint,
    recorded,
)
from dra_conform.footprint.device_amounts import DevicesInSlices, Overhead
from dra_conform.footprint.policy_demand import policy_demand
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Pod
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult, ResourceClaim

Json = Any
Objects = Mapping[str, Sequence[Json]]


def count(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE
) -> dict[str, Json]:
    """The body of a result; raises KeyError for a pod that is not among the objects, DecodeErrors."""
    pods = {_key(pod): pod for pod in map(decode, objects.get("pods", ()))}
    pod, rules = pods[ask["pod"]], FootprintRules.of(profile)
    without = ask.get("without", ())
    options = FootprintOptions("overhead" in without, "pod-level" in without)
    try:
        if ask["from"] == "status":
            claims = recorded(pod, rules)
            total = _total(pod, claims, options, columns)
        elif rules.policies:
            claims = _by_policy(pod, pods, objects, rules)
            total = policy_demand(pod, claims, options).beside(_used_by(_others(pod, pods)))
        else:
            claims = _from_claims(pod, pods, objects, rules)
            total = _total(pod, claims, options, columns)
    except NotCounted as refused:
        return {"outcome": "refused", "reason": refused.obstacle.value, "message": str(refused)}
    return {
        "outcome": "counted",
        "resources": {name: str(amount) for name, amount in sorted(total.items())},
        "claims": [_written(one) for one in claims],
    }


def _total(
    pod: Pod, claims: Sequence[ClaimAmounts], options: FootprintOptions, columns: ColumnUse
) -> dict[str, Quantity]:
    if columns is not ColumnUse.ALWAYS:  # one pod is never worth columns
        return footprint(pod, claims, options)
    from dra_conform.footprint.footprint_columns import (  # noqa: PLC0415 -- only here polars is imported
        footprint_by_columns,
    )

    return footprint_by_columns(pod, claims, options)


def _from_claims(
    pod: Pod, pods: Mapping[str, Pod], objects: Objects, rules: FootprintRules
) -> list[ClaimAmounts]:
    if not rules.claims_count:
        return []
    known: dict[str, ResourceClaim] = {one.key: one for one in map(decode, objects.get("resourceClaims", ()))}
    allocations: dict[str, AllocationResult] = {}
    for entry, name in claims_of(pod):
        claim = known.get(f"{pod.metadata.namespace or 'default'}/{name}")
        if claim is None or claim.allocation is None:
            raise _not_allocated(entry)
        allocations[name] = claim.allocation
    devices = DevicesInSlices(map(decode, objects.get("resourceSlices", ())), rules)
    return account(pod, allocations, devices, claims_taken(_others(pod, pods), rules), rules)


def _by_policy(
    pod: Pod, pods: Mapping[str, Pod], objects: Objects, rules: FootprintRules
) -> list[ClaimAmounts]:
    accounts = PolicyAccounts(objects, rules)
    held = accounts.held_by(pod)
    for entry, name in claims_of(pod):
        if name not in held:
            raise _not_allocated(entry)
    return accounts.of(pod, held)


def _not_allocated(entry: str) -> NotCounted:
    return NotCounted(Obstacle.CLAIM_NOT_ALLOCATED, f"the claim of the entry {entry} is not allocated")


def _others(pod: Pod, pods: Mapping[str, Pod]) -> list[Pod]:
    """The other pods of the namespace that have a node and are not finished."""
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


def _written(one: ClaimAmounts) -> dict[str, Json]:
    overhead = {name: _besides(amounts) for name, amounts in one.overhead.items()}
    return {
        "claim": one.claim,
        "containers": list(one.containers),
        "resources": {name: str(amount) for name, amount in one.resources.items()},
        **({"overhead": overhead} if overhead else {}),
    }


def _besides(one: Overhead) -> dict[str, str]:
    both = {"perPod": one.per_pod, "perContainer": one.per_container}
    return {name: str(amount) for name, amount in both.items() if amount is not None}


def _key(pod: Pod) -> str:
    return f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
