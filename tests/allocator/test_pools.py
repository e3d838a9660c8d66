"""Pools and slices: which devices a node can access, and in which order."""

from __future__ import annotations

import msgspec
import pytest

from dra_conform.allocator import Failed, Unallocatable
from dra_conform.kube.meta import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, ResourceSlice
from tests.support.allocator.worlds import (
    allocated_devices,
    allocator,
    claim,
    device,
    node,
    on_labels,
    request,
    slice_of,
)

NODE = node()


def test_devices_are_ordered_by_driver_pool_slice_name_and_index() -> None:
    world = allocator(
        slice_of(device("d2"), device("d1"), driver="b.example.com", pool="p1", name="s9"),
        slice_of(device("e"), driver="a.example.com", pool="p3", name="s10", of=2),
        slice_of(device("f"), driver="a.example.com", pool="p3", name="s2", of=2),
        slice_of(device("x"), driver="a.example.com", pool="p4"),
    )
    assert allocated_devices(world.allocate(NODE, [claim("c", request(count=5))])) == [
        ["r0 e", "r0 f", "r0 x", "r0 d2", "r0 d1"]
    ]


def test_pools_with_binding_conditions_come_last() -> None:
    binding = msgspec.structs.replace(device("x"), binding_conditions=("ready",))
    world = allocator(slice_of(device("w"), binding, pool="a"), slice_of(device("y"), pool="b"))
    decision = world.allocate(NODE, [claim("c", request(count=3))])
    assert allocated_devices(decision) == [["r0 y", "r0 w", "r0 x"]]


def test_binding_conditions_are_copied_or_hide_the_device() -> None:
    binding = msgspec.structs.replace(
        device("x"), binding_conditions=("ready",), binding_failure_conditions=("broken",)
    )
    on = allocator(slice_of(binding)).allocate(NODE, [claim("c")])
    assert allocated_devices(on) == [["r0 x"]]
    assert on.allocations[0].devices.results[0].binding_conditions == ("ready",)  # type: ignore[union-attr] # checked by given
    assert on.allocations[0].devices.results[0].binding_failure_conditions == ("broken",)  # type: ignore[union-attr] # likewise
    without = Profile.named("kep").with_gates({"DRADeviceBindingConditions": False})
    off = allocator(slice_of(binding), profile=without).allocate(NODE, [claim("c")])
    assert isinstance(off, Unallocatable)


@pytest.mark.parametrize(
    ("slices", "found"),
    [
        pytest.param([slice_of(device("a"), on="node-2")], None, id="another node"),
        pytest.param([slice_of(device("a"), on=None)], "a", id="all nodes"),
        pytest.param([slice_of(device("a"), on=on_labels(zone="z1"))], "a", id="labels that match"),
        pytest.param([slice_of(device("a"), on=on_labels(zone="z2"))], None, id="labels that do not"),
        pytest.param([slice_of(device("a"), of=2)], None, id="incomplete"),
        pytest.param(
            [slice_of(device("a"), of=2), slice_of(device("b"), name="slice-2", on="node-2", of=2)],
            "a",
            id="complete over two nodes",
        ),
        pytest.param(
            [slice_of(device("a"), name="s1"), slice_of(device("b"), name="s2", generation=2)],
            "b",
            id="the newer generation",
        ),
        pytest.param(
            [slice_of(device("b"), name="s2", generation=2), slice_of(device("a"), name="s1")],
            "b",
            id="the newer generation, listed first",
        ),
        pytest.param(
            [slice_of(device("a"), name="s1"), slice_of(device("b"), name="s2", generation=2, of=2)],
            None,
            id="an incomplete newer generation hides the older",
        ),
        pytest.param(
            [slice_of(device("a"), name="s1"), slice_of(device("b"), name="s2", generation=2, on="node-2")],
            None,
            id="complete here, newer generation elsewhere",
        ),
        pytest.param(
            [slice_of(device("a"), name="s1"), slice_of(device("b"), name="s2", on="node-2")],
            None,
            id="complete here, more slices than declared elsewhere",
        ),
        pytest.param(
            [slice_of(device("a"), of=2), slice_of(device("a"), name="slice-2", on="node-2", of=2)],
            Failed,
            id="a device of that name on another node",
        ),
        pytest.param(
            [
                slice_of(device("a"), name="s1", of=2),
                slice_of(device("b"), name="s2", on="node-2", generation=2, of=1),
            ],
            None,
            id="obsolete: newer generation moved away",
        ),
        pytest.param(
            [slice_of(device("a"), name="s1"), slice_of(device("b"), name="s2")],
            None,
            id="more slices than declared",
        ),
    ],
)
def test_which_devices_a_node_can_access(
    slices: list[ResourceSlice], found: str | type[Failed] | None
) -> None:
    decision = allocator(*slices).allocate(node(zone="z1"), [claim("c")])
    if found is None:
        assert isinstance(decision, Unallocatable)
    elif found is Failed:
        assert isinstance(decision, Failed)
        assert decision.category == "PoolInvalid"
    else:
        assert allocated_devices(decision) == [[f"r0 {found}"]]


@pytest.mark.parametrize(
    "elsewhere",
    [
        pytest.param(slice_of(device("b"), name="s2", generation=2, on="node-2"), id="newer"),
        pytest.param(slice_of(device("b"), name="s2", on="node-2"), id="one too many"),
    ],
)
def test_releases_use_what_is_complete_among_the_slices_of_the_node(elsewhere: ResourceSlice) -> None:
    slices = (slice_of(device("a"), name="s1"), elsewhere)
    on = allocator(*slices, profile=Profile.named("kubernetes-1.36")).allocate(node(zone="z1"), [claim("c")])
    assert allocated_devices(on) == [["r0 a"]]


def test_an_invalid_pool_fails_the_node_only_if_nothing_else_fits() -> None:
    twice = slice_of(device("a"), device("a"), pool="bad")
    decision = allocator(twice).allocate(NODE, [claim("c")])
    assert isinstance(decision, Failed)
    assert (decision.category, decision.message) == (
        "PoolInvalid",
        "invalid resource pools were encountered",
    )
    assert allocated_devices(allocator(twice, slice_of(device("b"))).allocate(NODE, [claim("c")])) == [
        ["r0 b"]
    ]


def test_an_invalid_node_selector_is_an_error() -> None:
    bad = NodeSelectorTerm(match_expressions=(NodeSelectorRequirement(key="k", operator="Near"),))
    world = allocator(slice_of(device("a"), on=NodeSelector(node_selector_terms=(bad,))))
    decision = world.allocate(NODE, [claim("c")])
    assert isinstance(decision, Failed)
    assert decision.category == "FieldInvalid"
    assert "node selection for slice slice-1" in decision.message
    assert [type(decision) for decision in world.allocate_each(NODE, [claim("c"), claim("d")])] == [
        Failed,
        Failed,
    ]


def _per_device(*devices: Device) -> ResourceSlice:
    found = slice_of(*devices, on=None)
    spec = msgspec.structs.replace(found.spec, all_nodes=None, per_device_node_selection=True)
    return msgspec.structs.replace(found, spec=spec)


def test_per_device_node_selection() -> None:
    here = msgspec.structs.replace(device("here"), node_name="node-1")
    there = msgspec.structs.replace(device("there"), node_name="node-2")
    anywhere = msgspec.structs.replace(device("anywhere"), all_nodes=True)
    world = allocator(_per_device(there, here, anywhere))
    decision = world.allocate(NODE, [claim("c", request(count=2))])
    assert allocated_devices(decision) == [["r0 here", "r0 anywhere"]]
    assert isinstance(world.allocate(NODE, [claim("c", request(count=3))]), Unallocatable)
    off = Profile.named("kep").with_gates({"DRAPartitionableDevices": False})
    assert isinstance(allocator(_per_device(here), profile=off).allocate(NODE, [claim("c")]), Unallocatable)


@pytest.mark.parametrize(
    ("slices", "fields", "labels"),
    [
        ([slice_of(device("a"))], {"metadata.name": ("node-1",)}, {}),
        ([slice_of(device("a"), on=None)], {}, {}),
        ([slice_of(device("a"), on=on_labels(zone="z1"))], {}, {"zone": ("z1",)}),
        (
            [
                slice_of(device("a"), on=on_labels(zone="z1")),
                slice_of(device("b"), pool="pool-2", on=on_labels(zone="z1", rack="r1")),
            ],
            {},
            {"zone": ("z1",), "rack": ("r1",)},
        ),
        (
            [slice_of(device("a"), on=on_labels(zone="z1")), slice_of(device("b"), pool="pool-2")],
            {"metadata.name": ("node-1",)},
            {},
        ),
    ],
)
def test_the_node_selector_of_an_allocation(
    slices: list[ResourceSlice], fields: dict[str, tuple[str, ...]], labels: dict[str, tuple[str, ...]]
) -> None:
    world = allocator(*slices)
    decision = world.allocate(node(zone="z1", rack="r1"), [claim("c", request(count=len(slices)))])
    allocated_devices(decision)
    selector = decision.allocations[0].node_selector  # type: ignore[union-attr] # checked by given
    terms = selector.node_selector_terms if selector is not None else ()
    assert {
        requirement.key: requirement.values for term in terms for requirement in term.match_fields
    } == fields
    assert {
        requirement.key: requirement.values for term in terms for requirement in term.match_expressions
    } == labels
    assert (selector is None) == (not fields and not labels)


def test_a_node_selector_of_several_terms_is_an_error() -> None:
    two = NodeSelector(
        node_selector_terms=(
            *on_labels(zone="z1").node_selector_terms,
            *on_labels(zone="z2").node_selector_terms,
        )
    )
    world = allocator(slice_of(device("a"), on=two))
    decision = world.allocate(node(zone="z1"), [claim("c")])
    assert isinstance(decision, Failed)
    assert "NodeSelector with 2 terms" in decision.message
