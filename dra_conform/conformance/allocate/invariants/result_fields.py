"""The invariants of other fields of an allocation: size, time, binding conditions, node selector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from dra_conform.conformance.allocate.case_objects import PublishedDevice
from dra_conform.conformance.allocate.invariants.violation import Violation, requires
from dra_conform.conformance.allocate.judged_answer import AllocatedDevice, JudgedAnswer
from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.resource import AllocationResult

MAX_RESULTS = 32
_SKEW = timedelta(minutes=1)
"""Allowed difference of the clocks of two machines."""
MAX_NAMED = 1000
"""The most labels and nodes in the node selector of an allocation. The time to judge one is quadratic."""
_CONDITIONS = (
    ("binding_conditions", "bindingConditions"),
    ("binding_failure_conditions", "bindingFailureConditions"),
)


@requires("API/allocation/results")
def results_limited(answer: JudgedAnswer) -> Iterator[str]:
    """In Kubernetes releases, a ResourceClaim is allocated at most 32 devices, the limit of its status."""
    if not answer.switches.results.limited:
        return
    for key, allocation in answer.allocations.items():
        count = len(allocation.devices.results)
        if count > MAX_RESULTS:
            yield f"ResourceClaim {key}: got {count} devices, expected at most {MAX_RESULTS}"


@requires("API/allocation/time")
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


@requires("API/binding/recorded")
def binding_conditions_copied(answer: JudgedAnswer) -> Iterator[str]:
    """A result has the binding conditions and binding failure conditions of its device.

    With DRADeviceBindingConditions or DRAResourceClaimDeviceStatus off, it has none.
    """
    known = answer.switches.features.binding_conditions
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


def node_selector_fits(answer: JudgedAnswer) -> Iterator[Violation]:
    """An allocation is available on the requested node, and only on nodes with access to all its devices.

    DRA/node-access/*, API/binding/limits-to-node. With a device that
    binds to its node, the allocation is available only on the requested node. The invariant also checks
    nodes that could be added.
    """
    node_name = answer.node.metadata.name
    case_nodes = [(f"node {name}", node) for name, node in answer.objects.nodes.items()]
    published = [
        allocated.published for allocated in answer.allocated_devices if allocated.published is not None
    ]
    judged = [each for each in answer.allocations.values() if _named(each.node_selector) <= MAX_NAMED]
    probes = nearby(answer.node, published, judged, answer.objects.nodes.keys())
    nodes = [*case_nodes, *probes] if len(judged) == len(answer.allocations) else case_nodes
    for key, allocation in answer.allocations.items():
        selector = allocation.node_selector
        if (count := _named(selector)) > MAX_NAMED:
            message = (
                f"ResourceClaim {key}: the node selector of the allocation names {count:,} labels and nodes, "
                f"expected at most {MAX_NAMED:,}"
            )
            yield Violation("API/allocation/node-selector", message)
            continue
        try:
            selected = [
                (description, node)
                for description, node in nodes
                if selector is None or node_matches(selector, node)
            ]
        except SelectorError as error:
            message = f"ResourceClaim {key}: the node selector of the allocation is malformed: {error}"
            yield Violation("API/allocation/node-selector", message)
            continue
        devices = [
            allocated
            for allocated in answer.allocated_devices
            if allocated.claim == key and allocated.published is not None
        ]
        requirement = _node_access(devices)
        wide = "is" if selector is not None else "has no nodeSelector and so is"
        if answer.node not in [node for _, node in selected]:
            message = (
                f"ResourceClaim {key}: the allocation is not available on the requested node {node_name}"
            )
            yield Violation(requirement, message)
        for description, node in selected:
            for allocated in devices:
                assert allocated.published is not None
                binds = answer.switches.results.binds_to_node and allocated.published.device.binds_to_node
                if node is not answer.node and (binds or not allocated.published.selects(node)):
                    why = f"binds to node {node_name}" if binds else "is not available there"
                    yield Violation(
                        "API/binding/limits-to-node" if binds else requirement,
                        f"ResourceClaim {key}: the allocation {wide} available on {description}, "
                        f"but its device {allocated.key[2]} {why}",
                    )


def _node_access(devices: Sequence[AllocatedDevice]) -> str:
    """Return the requirement about the nodes of an allocation with these devices."""
    published = [allocated.published for allocated in devices if allocated.published is not None]
    if len({device.key for device in published}) > 1:
        return "DRA/node-access/several-devices-intersect"
    selects = any(device.node_selector is not None for device in published)
    return "DRA/node-access/node-selector" if selects else "DRA/node-access/node-name"


def nearby(
    node: Node,
    devices: Iterable[PublishedDevice],
    allocations: Iterable[AllocationResult],
    existing: AbstractSet[str],
) -> Iterator[tuple[str, Node]]:
    """Yield nodes with another name that differ from this node in at most one label, each with a description.

    An allocation on these nodes is wrong if the node has no access to its devices. So even a case with one
    node detects a node selector that is too wide. The labels are those of the node, and those in node
    selectors of devices and allocations. Names are those in node selectors of allocations, apart from nodes
    that exist.
    """
    of_allocations = [allocation.node_selector for allocation in allocations]
    selectors = [*(device.node_selector for device in devices), *of_allocations]
    labels = node.metadata.labels
    yield f"another node with the labels of {node.metadata.name}", _other(node, labels)
    for label, value in labels.items():
        other_labels = {name: value for name, value in labels.items() if name != label}
        yield f"another node without the label {label}", _other(node, other_labels)
        yield f"another node with {label}=not-{value}", _other(node, {**other_labels, label: f"not-{value}"})
    for label, value in dict.fromkeys(label for selector in selectors for label in _named_labels(selector)):
        if labels.get(label) != value:
            yield f"another node with {label}={value}", _other(node, {**labels, label: value})
    for name in dict.fromkeys(name for selector in of_allocations for name in _named_nodes(selector)):
        if name not in existing:
            yield f"a node {name}", replace(node, metadata=replace(node.metadata, name=name))


def _named(selector: NodeSelector | None) -> int:
    """Return the number of labels and nodes in a node selector, each with each of its values."""
    return sum(1 for _ in (*_named_labels(selector), *_named_nodes(selector)))


def _named_labels(selector: NodeSelector | None) -> Iterator[tuple[str, str]]:
    """Yield the labels in a node selector with each of their values."""
    for term in selector.node_selector_terms if selector is not None else ():
        for requirement in term.match_expressions:
            yield from ((requirement.key, value) for value in requirement.values or ("",))


def _named_nodes(selector: NodeSelector | None) -> Iterator[str]:
    """Yield the names of nodes in a node selector."""
    for term in selector.node_selector_terms if selector is not None else ():
        for requirement in term.match_fields:
            yield from requirement.values


def _other(node: Node, labels: dict[str, str]) -> Node:
    name = f"not-{node.metadata.name}"
    return replace(node, metadata=replace(node.metadata, name=name, labels=labels))
