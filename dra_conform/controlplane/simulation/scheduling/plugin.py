"""The base class of scheduler plugins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.kube.core import Node


class SchedulerPlugin:
    """A plugin for one attempt; a new instance is created for each attempt, so it can keep state.

    The methods do nothing by default. A phase fails with PhaseFailed. A failed write (WriteFailed) or
    malformed input (DecodeErrors, SelectorError) is an error of the phase.
    """

    name: ClassVar[str]
    """The name of the plugin of kube-scheduler that has this part, as in its metrics."""

    def __init__(self, cycle: Cycle) -> None:
        self.cycle = cycle

    def pre_enqueue(self) -> None:
        """Reject a pod that no attempt can schedule until something changes."""

    def pre_filter(self) -> None:
        """Prepare the attempt, and reject a pod that cannot run on any node."""

    def filter(self, node: Node) -> None:
        """Reject a node by raising PhaseFailed."""

    def explain(self, node: Node) -> Sequence[FailureReasonGroup]:
        """Return the reasons why the filter rejects a node, by device; empty if no device is the reason."""
        return ()

    @property
    def cacheable(self) -> bool:
        """Whether a rejected node stays rejected for pods of equal shape until the node or its pods
        change."""
        return True

    def post_filter(self) -> None:
        """Change the cluster so that the next attempt can succeed, and then raise PhaseFailed.

        It is called if all nodes were rejected.
        """

    @property
    def scores_nodes(self) -> bool:
        """Whether scores of nodes can differ; if no plugin's scores can, the first fitting node is chosen."""
        return False

    @property
    def filters_all_nodes(self) -> bool:
        """Whether the filter can fail with an error, which ends the attempt even if another node fits."""
        return False

    def score(self, node: str) -> int:
        """Return the score of a node that passed the filters; a higher score is better."""
        return 0

    def reserve(self) -> None:
        """Reserve resources for the pod on the chosen node."""

    def unreserve(self) -> None:
        """Undo `reserve` after a later phase failed; this phase cannot fail."""

    def pre_bind(self) -> Iterable[str]:
        """Write the objects that must exist before the pod is bound.

        Each yielded value is a condition to wait for before the phase continues.
        """
        return ()

    def pre_bound(self) -> None:
        """Finish after PreBind has succeeded for all plugins."""
