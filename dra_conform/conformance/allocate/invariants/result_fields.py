"""The invariants of other fields of an allocation: size, time, binding conditions, node selector."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from dra_conform.conformance.allocate.judged_answer import JudgedAnswer
from dra_conform.conformance.allocate.nearby_nodes import nearby
from dra_conform.kube.node_selectors import SelectorError, node_matches

MAX_RESULTS = 32
_SKEW = timedelta(minutes=1)
"""Allowed difference of the clocks of two machines."""
_CONDITIONS = (
    ("binding_conditions", "bindingConditions"),
    ("binding_failure_conditions", "bindingFailureConditions"),
)


def results_limited(answer: JudgedAnswer) -> Iterator[str]:
    """In Kubernetes releases, a ResourceClaim is allocated at most 32 devices, the limit of its status.

    DRA/allocation-mode/exact-count.
    """
    if not answer.rules.results.limited:
        return
    for key, allocation in answer.allocations.items():
        count = len(allocation.devices.results)
        if count > MAX_RESULTS:
            yield f"ResourceClaim {key}: got {count} devices, expected at most {MAX_RESULTS}"


def allocated_in_the_past(answer: JudgedAnswer) -> Iterator[str]:
    """The allocationTimestamp is a valid time and not in the future."""
    for key, allocation in answer.allocations.items():
        timestamp = allocation.allocation_timestamp
        if timestamp is None:
            continue
        try:
            time = datetime.fromisoformat(timestamp)
        except ValueError:
            time = None
        where = f"ResourceClaim {key}: allocationTimestamp"
        if time is None or time.tzinfo is None:
            yield f"{where} is {timestamp!r}, expected a time such as 2026-01-01T10:00:00Z"
        elif time > datetime.now(UTC) + _SKEW:
            yield f"{where} is {timestamp}, expected a time that is not in the future"


def binding_conditions_copied(answer: JudgedAnswer) -> Iterator[str]:
    """A result has the binding conditions and binding failure conditions of its device.

    With DRADeviceBindingConditions or DRAResourceClaimDeviceStatus off, it has none.
    """
    known = answer.rules.features.binding_conditions
    for allocated in answer.allocated_devices:
        if allocated.published is None:
            continue
        for field, name in _CONDITIONS:
            expected = getattr(allocated.published.device, field) if known else None
            copied = getattr(allocated.result, field)
            if (copied or ()) != (expected or ()):
                yield (
                    f"{allocated.label}: {name} of device {allocated.key[2]}: expected "
                    f"{_conditions(expected)}, "
                    f"got {_conditions(copied)}"
                )


def _conditions(conditions: tuple[str, ...] | None) -> str:
    return ", ".join(conditions or ()) or "none"


def node_selector_fits(answer: JudgedAnswer) -> Iterator[str]:
    """An allocation is available on the requested node, and only on nodes with access to all its devices.

    DRA/node-access/several-devices-intersect, DRA/workflow/pod-lands-where-device-is. With a device that
    binds to its node, the allocation is available only on the requested node. The invariant also checks
    nodes that could be added.
    """
    node_name = answer.node.metadata.name
    case_nodes = [(f"node {name}", node) for name, node in answer.objects.nodes.items()]
    published = [
        allocated.published for allocated in answer.allocated_devices if allocated.published is not None
    ]
    nodes = [*case_nodes, *nearby(answer.node, published, answer.allocations.values())]
    for key, allocation in answer.allocations.items():
        selector = allocation.node_selector
        try:
            selected = [
                (description, node)
                for description, node in nodes
                if selector is None or node_matches(selector, node)
            ]
        except SelectorError as error:
            yield f"ResourceClaim {key}: the node selector of the allocation is malformed: {error}"
            continue
        if answer.node not in [node for _, node in selected]:
            yield f"ResourceClaim {key}: the allocation is not available on the requested node {node_name}"
        devices = [
            allocated
            for allocated in answer.allocated_devices
            if allocated.claim == key and allocated.published is not None
        ]
        for description, node in selected:
            for allocated in devices:
                assert allocated.published is not None
                binds = answer.rules.results.binds_to_node and allocated.published.device.binds_to_node
                if node is not answer.node and (binds or not allocated.published.selects(node)):
                    why = f"binds to node {node_name}" if binds else "is not available there"
                    yield (
                        f"ResourceClaim {key}: the allocation is available on {description}, "
                        f"but its device {allocated.key[2]} {why}"
                    )
