"""The invariants of pools: devices are from usable pools, and allocationMode All needs complete ones."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.allocate.judged_answer import JudgedAnswer
from dra_conform.conformance.allocate.published_pools import selects_node
from dra_conform.kube.resource import ALL


def devices_exist(answer: JudgedAnswer) -> Iterator[str]:
    """Each device is published in the current slices of a complete, valid pool and is available on the node.

    DRA/pool/highest-generation-only, DRA/pool/incomplete-exact-count, DRA/pool/duplicate-device-name,
    DRA/partitionable/devices-reference-counters, DRA/node-access/*.
    """
    for allocated in answer.allocated_devices:
        where = "/".join(allocated.key)
        if allocated.published is not None:
            if not allocated.published.selects(answer.node):
                yield (
                    f"{allocated.label}: device {where} is not available on node {answer.node.metadata.name}"
                )
            continue
        pool = answer.pools.get(allocated.key[:2])
        if pool is not None and pool.problem(answer.rules):
            yield (
                f"{allocated.label}: device {where} cannot be allocated: its pool "
                f"{pool.problem(answer.rules)}"
            )
        else:
            yield f"{allocated.label}: device {where} does not exist in a usable pool of the node"


def all_mode_waits_for_pools(answer: JudgedAnswer) -> Iterator[str]:
    """A request with allocationMode All is not allocated while a pool of the node is incomplete.

    DRA/pool/incomplete-all-mode. In Kubernetes releases, also not while a pool is invalid.
    """
    fault = next(_faults(answer), "")
    if fault:
        requests = {
            (allocated.claim, allocated.parent): None
            for allocated in answer.allocated_devices
            if allocated.request is not None and allocated.request.allocation_mode == ALL
        }
        for claim, request in requests:
            yield f"ResourceClaim {claim}, request {request}: allocationMode All cannot be allocated: {fault}"


def _faults(answer: JudgedAnswer) -> Iterator[str]:
    rules = answer.rules
    for pool in answer.pools.values():
        fault = pool.missing or (pool.invalid if rules.all_mode.needs_valid_pools else "")
        if fault and any(selects_node(resource_slice, answer.node, rules) for resource_slice in pool.slices):
            yield f"pool {pool.name} {fault}"
