"""The invariants of pools: devices are from usable pools, and allocationMode All needs complete ones."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.conformance.allocate.published_pools import concerns
from dra_conform.kube.resource import ALL


def devices_exist(decided: Decided) -> Iterator[str]:
    """Each device is published in the current slices of a complete, valid pool and is available on the node.

    DRA/pool/highest-generation-only, DRA/pool/incomplete-exact-count, DRA/pool/duplicate-device-name,
    DRA/partitionable/devices-reference-counters, DRA/node-access/*.
    """
    for taken in decided.taken:
        where = "/".join(taken.key)
        if taken.placed is not None:
            if not taken.placed.reaches(decided.node):
                yield f"{taken.label}: device {where} is not available on node {decided.node.metadata.name}"
            continue
        pool = decided.pools.get(taken.key[:2])
        if pool is not None and pool.problem(decided.rules):
            yield f"{taken.label}: device {where} cannot be allocated: its pool {pool.problem(decided.rules)}"
        else:
            yield f"{taken.label}: device {where} does not exist in a usable pool of the node"


def all_mode_waits_for_pools(decided: Decided) -> Iterator[str]:
    """A request with allocationMode All is not allocated while a pool of the node is incomplete.

    DRA/pool/incomplete-all-mode. In releases, also not while a pool is invalid.
    """
    fault = next(_faults(decided), "")
    if fault:
        waiting = {
            (taken.claim, taken.parent): None
            for taken in decided.taken
            if taken.request is not None and taken.request.allocation_mode == ALL
        }
        for claim, request in waiting:
            yield f"ResourceClaim {claim}, request {request}: allocationMode All cannot be allocated: {fault}"


def _faults(decided: Decided) -> Iterator[str]:
    rules = decided.rules
    for pool in decided.pools.values():
        fault = pool.missing or (pool.invalid if rules.all_mode.needs_valid_pools else "")
        if fault and any(concerns(item, decided.node, rules) for item in pool.slices):
            yield f"pool {pool.name} {fault}"
