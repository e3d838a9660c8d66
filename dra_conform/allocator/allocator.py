"""The allocator as a library: one call for the claims of a pod, or many calls in sequence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from dra_conform.allocator.allocation_decision import Decision
from dra_conform.allocator.allocation_result import ShareIDs
from dra_conform.allocator.allocation_session import AllocationSession
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.device_taints import with_rules
from dra_conform.allocator.inventory import Inventory
from dra_conform.allocator.node_view import NodeView
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Node
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice


class Allocator:
    """Allocates claims from a fixed set of slices and classes. It changes nothing it is given.

    `behaviour` defaults to that of the profile. Share IDs follow from `seed`: equal calls, equal results. The
    `exhaustive` one also tries devices like those that have failed: the same results, in the steps that
    kube-scheduler's allocator takes. `columns` decides whether selectors and request policies are evaluated
    for all devices together.
    """

    def __init__(
        self,
        slices: Sequence[ResourceSlice],
        classes: Sequence[DeviceClass],
        *,
        profile: Profile,
        taint_rules: Sequence[DeviceTaintRule] = (),
        seed: int = 0,
        behaviour: Behaviour | None = None,
        exhaustive: bool = False,
        columns: ColumnUse = ColumnUse.BY_SIZE,
    ) -> None:
        self._behaviour = behaviour or Behaviour.of(profile)
        self._classes = {item.metadata.name: item for item in classes}
        tainted = with_rules(slices, taint_rules, self._classes, self._behaviour)
        self._inventory = Inventory(tainted, self._behaviour)
        self._share_ids = ShareIDs(seed)
        self._exhaustive = exhaustive
        self._columns = columns
        self._views: dict[tuple[str, tuple[tuple[str, str], ...]], NodeView] = {}
        self._seen: dict[int, tuple[Node, NodeView]] = {}

    def allocate(
        self,
        node: Node,
        claims: Sequence[ResourceClaim],
        allocated: Iterable[ResourceClaim] = (),
        *,
        explain: bool = False,
    ) -> Decision:
        """Allocate all of the claims together on a node, or none.

        `allocated` are claims whose `status.allocation` holds devices already. With `explain` the decision
        says of every refused device why.
        """
        return self.session(allocated).allocate(node, claims, explain=explain)

    def allocate_each(self, node: Node, claims: Iterable[ResourceClaim]) -> Iterator[Decision]:
        """Allocate claims one by one in their order; what one gets is taken for those behind it."""
        return self.session().allocate_each(node, claims)

    def session(
        self, allocated: Iterable[ResourceClaim] = (), gone: Collection[str] = ()
    ) -> AllocationSession:
        """Allocations one after the other, on any nodes, that begin with these claims allocated.

        `gone` are IDs of shares that no new share gets.
        """
        return AllocationSession(self.view, self._behaviour, allocated, gone)

    def view(self, node: Node) -> NodeView:
        """The node's devices; raises Stop for a node selector that cannot be understood."""
        seen = self._seen.get(id(node))
        if seen is not None:
            return seen[1]
        key = (node.metadata.name, tuple(sorted(node.metadata.labels.items())))
        found = self._views.get(key)
        if found is None:
            devices = self._inventory.on(node)
            found = self._views[key] = NodeView(
                self._inventory,
                devices,
                self._classes,
                self._behaviour,
                self._share_ids,
                exhaustive=self._exhaustive,
                columns=self._columns,
            )
        self._seen[id(node)] = node, found
        return found
