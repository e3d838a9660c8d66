"""A scheduler plugin: one concern, with a part in each phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dra_conform.allocator.grouped_refusals import RefusalGroup
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.kube.core import Node


class Plugin:
    """What a concern has to say about one attempt; made anew for each, so that it may remember things.

    Every phase may be left as it is. One that cannot go on raises PhaseRefused; a write that is refused
    (WriteFailed) and input that cannot be understood (DecodeErrors, SelectorError) are errors of the phase.
    """

    def __init__(self, cycle: Cycle) -> None:
        self.cycle = cycle

    def pre_enqueue(self) -> None:
        """Refuse a pod for which no attempt makes sense yet."""

    def pre_filter(self) -> None:
        """Refuse the pod whatever the nodes."""

    def filter(self, node: Node) -> None:
        """Refuse a node."""

    def explain(self, node: Node) -> Sequence[RefusalGroup]:
        """Why the filter refuses a node, device by device; nothing where it is not about devices."""
        return ()

    @property
    def lasting(self) -> bool:
        """Whether a node that is refused is so for pods of the same kind, until something changes there."""
        return True

    def post_filter(self) -> None:
        """No node is left: change something so that the next attempt can end otherwise, and refuse so."""

    @property
    def ranks(self) -> bool:
        """Whether scores of nodes may differ; where those of no plugin do, the first that fits is taken."""
        return False

    @property
    def thorough(self) -> bool:
        """Whether an error may come of any node, which ends the attempt whatever fits elsewhere."""
        return False

    def score(self, node: str) -> int:
        """How good a node that passed the filters is; more is better."""
        return 0

    def reserve(self) -> None:
        """Take what the pod gets on the chosen node."""

    def unreserve(self) -> None:
        """Give it back: a later phase was refused. Cannot be refused itself."""

    def pre_bind(self) -> Iterable[str]:
        """Write down what the pod needs before it is bound. Each value is something to wait for before the
        phase goes on."""
        return ()

    def pre_bound(self) -> None:
        """All that the pod needs is written and ready."""
