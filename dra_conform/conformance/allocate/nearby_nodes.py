"""Additional nodes on which the judge evaluates the node selector of an allocation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from dra_conform.conformance.allocate.judged_world import Placed
from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.resource import AllocationResult


def nearby(
    node: Node, devices: Iterable[Placed], allocations: Iterable[AllocationResult]
) -> Iterator[tuple[str, Node]]:
    """Yield nodes with another name that differ from this node in at most one label, each with a description.

    They detect an allocation that is available on nodes without access to its devices, also if the case has
    only one node. The labels are those of the node, and those in node selectors of devices and allocations.
    """
    selectors = [*map(_selector, devices), *(one.node_selector for one in allocations)]
    labels = node.metadata.labels
    yield f"another node with the labels of {node.metadata.name}", _other(node, labels)
    for label, value in labels.items():
        rest = {name: one for name, one in labels.items() if name != label}
        yield f"another node without the label {label}", _other(node, rest)
        yield f"another node with {label}=not-{value}", _other(node, {**rest, label: f"not-{value}"})
    for label, value in dict.fromkeys(one for selector in selectors for one in _named(selector)):
        if labels.get(label) != value:
            yield f"another node with {label}={value}", _other(node, {**labels, label: value})


def _selector(placed: Placed) -> NodeSelector | None:
    """Return the node selector of a device, if it has one."""
    spec = placed.slice.spec
    return (placed.device if spec.per_device_node_selection else spec).node_selector


def _named(selector: NodeSelector | None) -> Iterator[tuple[str, str]]:
    """Yield the labels in a node selector with each of their values."""
    for term in selector.node_selector_terms if selector is not None else ():
        for requirement in term.match_expressions:
            yield from ((requirement.key, value) for value in requirement.values or ("",))


def _other(node: Node, labels: dict[str, str]) -> Node:
    name = f"not-{node.metadata.name}"
    return replace(node, metadata=replace(node.metadata, name=name, labels=labels))
