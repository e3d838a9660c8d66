"""The invariants of pools: devices come from usable pools, and mode All needs complete ones."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.conformance.allocate.published_pools import concerns
from dra_conform.kube.resource import ALL


def devices_exist(decided: Decided) -> Iterator[str]:
    """Every device is published in the current slices of a complete, valid pool and reaches the node.

    DRA/pool/highest-generation-only, DRA/pool/incomplete-exact-count, DRA/pool/duplicate-device-name,
    DRA/partitionable/devices-reference-counters, DRA/node-access/*.
    """
    for taken in decided.taken:
        where = "/".join(taken.key)
        if taken.placed is not None:
            if not taken.placed.reaches(decided.node):
                yield f"{taken.label}: device {where} does not reach node {decided.node.metadata.name}"
            continue
        pool = decided.pools.get(taken.key[:2])
        if pool is not None and pool.problem(decided.rules):
            yield f"{taken.label}: device {where} cannot be taken: its pool {pool.problem(decided.rules)}"
        else:
            yield f"{taken.label}: there is no device {where} in a complete pool"


def all_mode_waits_for_pools(decided: Decided) -> Iterator[str]:
    """A request for all devices is not served while a pool of the node is incomplete.

    DRA/pool/incomplete-all-mode. Releases wait while one is invalid, too.
    """
    fault = next(_faults(decided), "")
    if fault:
        waiting = {
            (taken.claim, taken.parent): None
            for taken in decided.taken
            if taken.request is not None and taken.request.allocation_mode == ALL
        }
        for claim, request in waiting:
            yield f"claim {claim}: request {request} asks for all devices, but {fault}"


def _faults(decided: Decided) -> Iterator[str]:
    rules = decided.rules
    for pool in decided.pools.values():
        fault = pool.missing or (pool.invalid if rules.all_mode.needs_valid_pools else "")
        if fault and any(concerns(item, decided.node, rules) for item in pool.slices):
            yield f"pool {pool.name} {fault}"
