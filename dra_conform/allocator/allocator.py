"""The entry point of the allocator: one call for the claims of a pod, or many calls in sequence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from dra_conform.allocator.allocation_decision import Decision
from dra_conform.allocator.allocation_result import ShareIDs
from dra_conform.allocator.allocation_session import AllocationSession
from dra_conform.allocator.device_taints import with_rules
from dra_conform.allocator.inventory import Inventory
from dra_conform.allocator.node_view import NodeView
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Node
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice
from dra_conform.kube.switches.allocation import AllocationSwitches


class Allocator:
    """Allocates claims from a fixed set of ResourceSlices and DeviceClasses. Its input is not changed.

    Share IDs are computed from `seed`, so equal calls have equal results. With `exhaustive` the search also
    tries devices that are equal to failed ones: the results are the same, but the number of steps is that of
    kube-scheduler's allocator. `columns` decides whether selectors and request policies are evaluated for all
    devices together.
    """

    def __init__(
        self,
        slices: Sequence[ResourceSlice],
        classes: Sequence[DeviceClass],
        *,
        profile: Profile,
        taint_rules: Sequence[DeviceTaintRule] = (),
        seed: int = 0,
        exhaustive: bool = False,
        columns: ColumnUse = ColumnUse.BY_SIZE,
    ) -> None:
        self._switches = AllocationSwitches.of(profile)
        self._classes = {item.metadata.name: item for item in classes}
        tainted = with_rules(slices, taint_rules, self._classes, self._switches)
        self._inventory = Inventory(tainted, self._switches)
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

        `allocated` are claims that have a `status.allocation`. With `explain` the decision has the reason for
        every device that cannot be allocated.
        """
        return self.session(allocated).allocate(node, claims, explain=explain)

    def allocate_each(self, node: Node, claims: Iterable[ResourceClaim]) -> Iterator[Decision]:
        """Allocate the claims one by one, in their order; later claims see the devices as allocated."""
        return self.session().allocate_each(node, claims)

    def session(
        self, allocated: Iterable[ResourceClaim] = (), gone: Collection[str] = ()
    ) -> AllocationSession:
        """Return a session that allocates on any nodes, starting with these claims allocated.

        `gone` are share IDs that must not be given to a new share.
        """
        return AllocationSession(self.view, self._switches, allocated, gone)

    def view(self, node: Node) -> NodeView:
        """Return the devices of a node. Raise Stop for an invalid node selector."""
        seen = self._seen.get(id(node))
        if seen is not None:
            return seen[1]
        key = (node.metadata.name, tuple(sorted(node.metadata.labels.items())))
        view = self._views.get(key)
        if view is None:
            devices = self._inventory.on(node)
            view = self._views[key] = NodeView(
                self._inventory,
                devices,
                self._classes,
                self._switches,
                self._share_ids,
                exhaustive=self._exhaustive,
                columns=self._columns,
            )
        self._seen[id(node)] = node, view
        return view
