"""The invariants of the other fields of an allocation: size, conditions, nodes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.conformance.allocate.nearby_nodes import nearby
from dra_conform.kube.node_selectors import SelectorError, node_matches

MAX_RESULTS = 32
_SKEW = timedelta(minutes=1)
"""How much clocks of two machines may differ."""
_CONDITIONS = (
    ("binding_conditions", "bindingConditions"),
    ("binding_failure_conditions", "bindingFailureConditions"),
)


def results_limited(decided: Decided) -> Iterator[str]:
    """A claim gets at most 32 devices in releases, as many as its status can hold.

    DRA/allocation-mode/exact-count.
    """
    if not decided.rules.results.limited:
        return
    for key, allocation in decided.allocations.items():
        got = len(allocation.devices.results)
        if got > MAX_RESULTS:
            yield f"claim {key}: got {got} devices, a claim holds at most {MAX_RESULTS}"


def allocated_in_the_past(decided: Decided) -> Iterator[str]:
    """The time of an allocation is a time, and it is not later than now."""
    for key, allocation in decided.allocations.items():
        written = allocation.allocation_timestamp
        if written is None:
            continue
        try:
            told = datetime.fromisoformat(written)
        except ValueError:
            told = None
        if told is None or told.tzinfo is None:
            yield f"claim {key}: allocationTimestamp is {written!r}, expected one as 2026-01-01T10:00:00Z"
        elif told > datetime.now(UTC) + _SKEW:
            yield f"claim {key}: allocationTimestamp {written} is later than now"


def binding_conditions_copied(decided: Decided) -> Iterator[str]:
    """A result carries the binding conditions and binding failure conditions of its device.

    With DRADeviceBindingConditions or DRAResourceClaimDeviceStatus off it carries none.
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
                    f"{taken.label}: {name} for device {taken.key[2]} should be {_told(expected)}, "
                    f"the result has {_told(copied)}"
                )


def _told(conditions: tuple[str, ...] | None) -> str:
    return ", ".join(conditions or ()) or "none"


def node_selector_fits(decided: Decided) -> Iterator[str]:
    """An allocation can be used on the node it was asked for, and only on nodes that reach all its devices.

    DRA/node-access/several-devices-intersect, DRA/workflow/pod-lands-where-device-is. A device that binds to
    its node leaves only the node that was asked for. What holds for nodes that could be added counts as well.
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
            yield f"claim {key}: the node selector of the allocation cannot be understood: {error}"
            continue
        if decided.node not in [node for _, node in admitted]:
            yield f"claim {key}: the allocation cannot be used on node {asked}, for which it was asked"
        mine = [taken for taken in decided.taken if taken.claim == key and taken.placed is not None]
        for words, node in admitted:
            for taken in mine:
                assert taken.placed is not None
                binds = decided.rules.results.binds_to_node and taken.placed.device.binds_to_node
                if node is not decided.node and (binds or not taken.placed.reaches(node)):
                    why = f"binds to node {asked}" if binds else "does not reach it"
                    yield (
                        f"claim {key}: the allocation can be used on {words}, "
                        f"but its device {taken.key[2]} {why}"
                    )
