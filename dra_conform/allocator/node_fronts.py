"""Which nodes may still have room for claims of a shape, so that nobody is asked who has refused for good."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dra_conform.allocator.allocation_decision import Allocated, Failed
from dra_conform.allocator.node_states import NodeState
from dra_conform.kube.core import Node


@dataclass(frozen=True, slots=True)
class FirstFit:
    """Where claims went: the place of the node in the order asked, and the decision; both None for nowhere.

    `errors` are the nodes before it that failed, by place; all others refuse.
    """

    place: int | None
    decision: Allocated | None
    errors: Mapping[int, Failed]


@dataclass(slots=True)
class NodeFront:
    """The places of the nodes that may still fit claims of one shape, in order.

    `refused` are the states in which a node has refused them for good.
    """

    nodes: Sequence[Node]
    refused: set[NodeState] = field(default_factory=set)
    open: deque[int] = field(init=False)

    def __post_init__(self) -> None:
        self.open = deque(range(len(self.nodes)))
