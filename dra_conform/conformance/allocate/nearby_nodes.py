"""Additional nodes on which the judge evaluates the node selector of an allocation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from dra_conform.conformance.allocate.case_objects import PublishedDevice
from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.resource import AllocationResult


def nearby(
    node: Node, devices: Iterable[PublishedDevice], allocations: Iterable[AllocationResult]
) -> Iterator[tuple[str, Node]]:
    """Yield nodes with another name that differ from this node in at most one label, each with a description.

    An allocation on these nodes is wrong if the node has no access to its devices. So even a case with one
    node detects a node selector that is too wide. The labels are those of the node, and those in node
    selectors of devices and allocations.
    """
    selectors = [*map(_selector, devices), *(allocation.node_selector for allocation in allocations)]
    labels = node.metadata.labels
    yield f"another node with the labels of {node.metadata.name}", _other(node, labels)
    for label, value in labels.items():
        other_labels = {name: value for name, value in labels.items() if name != label}
        yield f"another node without the label {label}", _other(node, other_labels)
        yield f"another node with {label}=not-{value}", _other(node, {**other_labels, label: f"not-{value}"})
    for label, value in dict.fromkeys(label for selector in selectors for label in _named_labels(selector)):
        if labels.get(label) != value:
            yield f"another node with {label}={value}", _other(node, {**labels, label: value})


def _selector(published: PublishedDevice) -> NodeSelector | None:
    """Return the node selector of a device, if it has one."""
    spec = published.slice.spec
    return (published.device if spec.per_device_node_selection else spec).node_selector


def _named_labels(selector: NodeSelector | None) -> Iterator[tuple[str, str]]:
    """Yield the labels in a node selector with each of their values."""
    for term in selector.node_selector_terms if selector is not None else ():
        for requirement in term.match_expressions:
            yield from ((requirement.key, value) for value in requirement.values or ("",))


def _other(node: Node, labels: dict[str, str]) -> Node:
    name = f"not-{node.metadata.name}"
    return replace(node, metadata=replace(node.metadata, name=name, labels=labels))
