"""The invariants of other fields of an allocation: size, time, binding conditions, node selector."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.conformance.allocate.nearby_nodes import nearby
from dra_conform.kube.node_selectors import SelectorError, node_matches

MAX_RESULTS = 32
_SKEW = timedelta(minutes=1)
"""Allowed difference of the clocks of two machines."""
_CONDITIONS = (
    ("binding_conditions", "bindingConditions"),
    ("binding_failure_conditions", "bindingFailureConditions"),
)


def results_limited(decided: Decided) -> Iterator[str]:
    """In releases, a ResourceClaim is allocated at most 32 devices, the limit of its status.

    DRA/allocation-mode/exact-count.
    """
    if not decided.rules.results.limited:
        return
    for key, allocation in decided.allocations.items():
        got = len(allocation.devices.results)
        if got > MAX_RESULTS:
            yield f"ResourceClaim {key}: got {got} devices, expected at most {MAX_RESULTS}"


def allocated_in_the_past(decided: Decided) -> Iterator[str]:
    """The allocationTimestamp is a valid time and not in the future."""
    for key, allocation in decided.allocations.items():
        written = allocation.allocation_timestamp
        if written is None:
            continue
        try:
            time = datetime.fromisoformat(written)
        except ValueError:
            time = None
        where = f"ResourceClaim {key}: allocationTimestamp"
        if time is None or time.tzinfo is None:
            yield f"{where} is {written!r}, expected a time such as 2026-01-01T10:00:00Z"
        elif time > datetime.now(UTC) + _SKEW:
            yield f"{where} is {written}, expected a time that is not in the future"


def binding_conditions_copied(decided: Decided) -> Iterator[str]:
    """A result has the binding conditions and binding failure conditions of its device.

    With DRADeviceBindingConditions or DRAResourceClaimDeviceStatus off, it has none.
    """
    known = decided.rules.features.binding_conditions
    for taken in decided.taken:
        if taken.placed is None:
            continue
        for field, name in _CONDITIONS:
            expected = getattr(taken.placed.device, field) if known else None
            copied = getattr(taken.result, field)
            if (copied or ()) != (expected or ()):
                yield (
                    f"{taken.label}: {name} of device {taken.key[2]}: expected {_conditions(expected)}, "
                    f"got {_conditions(copied)}"
                )


def _conditions(conditions: tuple[str, ...] | None) -> str:
    return ", ".join(conditions or ()) or "none"


def node_selector_fits(decided: Decided) -> Iterator[str]:
    """An allocation is available on the requested node, and only on nodes with access to all its devices.

    DRA/node-access/several-devices-intersect, DRA/workflow/pod-lands-where-device-is. With a device that
    binds to its node, the allocation is available only on the requested node. The invariant also checks
    nodes that could be added.
    """
    asked = decided.node.metadata.name
    known = [(f"node {name}", node) for name, node in decided.world.nodes.items()]
    placed = [taken.placed for taken in decided.taken if taken.placed is not None]
    nodes = [*known, *nearby(decided.node, placed, decided.allocations.values())]
    for key, allocation in decided.allocations.items():
        selector = allocation.node_selector
        try:
            admitted = [
                (words, node) for words, node in nodes if selector is None or node_matches(selector, node)
            ]
        except SelectorError as error:
            yield f"ResourceClaim {key}: the node selector of the allocation is malformed: {error}"
            continue
        if decided.node not in [node for _, node in admitted]:
            yield f"ResourceClaim {key}: the allocation is not available on the requested node {asked}"
        mine = [taken for taken in decided.taken if taken.claim == key and taken.placed is not None]
        for words, node in admitted:
            for taken in mine:
                assert taken.placed is not None
                binds = decided.rules.results.binds_to_node and taken.placed.device.binds_to_node
                if node is not decided.node and (binds or not taken.placed.reaches(node)):
                    why = f"binds to node {asked}" if binds else "is not available there"
                    yield (
                        f"ResourceClaim {key}: the allocation is available on {words}, "
                        f"but its device {taken.key[2]} {why}"
                    )
