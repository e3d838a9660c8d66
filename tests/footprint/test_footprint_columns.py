"""Node resource usage over columns equals the usage by the scalar rule."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from dra_conform.footprint import ClaimResourceUsage, FootprintOptions, footprint
from dra_conform.footprint.device_amounts import Overhead
from dra_conform.footprint.footprint_columns import PodColumns, footprints
from dra_conform.kube.core import Container, Pod, PodSpec, ResourceRequirements
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.quantity import Quantity

AMOUNTS = st.one_of(st.integers(0, 5), st.integers(0, 2**94)).map(Quantity)
RESOURCES = st.sampled_from(["cpu", "memory", "hugepages-2Mi", "example.com/gpu"])
REQUESTS = st.dictionaries(RESOURCES, AMOUNTS, max_size=3)
NAMES = ["a", "b", "c"]


def container(requests: dict[str, Quantity], *, sidecar: bool) -> Container:
    resources = ResourceRequirements(requests=requests)
    return Container(name="c", resources=resources, restart_policy="Always" if sidecar else None)


CONTAINERS = st.lists(st.builds(container, REQUESTS, sidecar=st.booleans()), max_size=4)
CLAIMS = st.builds(
    ClaimResourceUsage,
    st.just("claim"),
    st.lists(st.sampled_from(NAMES), unique=True).map(tuple),
    REQUESTS,
    st.dictionaries(RESOURCES, st.builds(Overhead, st.none() | AMOUNTS, st.none() | AMOUNTS), max_size=2),
)
PODS = st.builds(
    lambda before, beside, whole, overhead: Pod(
        metadata=ObjectMeta(name="p"),
        spec=PodSpec(
            init_containers=tuple(before),
            containers=tuple(beside),
            resources=None if whole is None else ResourceRequirements(requests=whole),
            overhead=overhead,
        ),
    ),
    CONTAINERS,
    CONTAINERS,
    st.none() | REQUESTS,
    REQUESTS,
)


@given(st.lists(st.tuples(PODS, st.lists(CLAIMS, max_size=2)), max_size=5), st.booleans(), st.booleans())
def test_columns_agree_with_the_scalar_rule(
    pods: Sequence[tuple[Pod, Sequence[ClaimResourceUsage]]], without_overhead: bool, without_pod_level: bool
) -> None:
    options = FootprintOptions(without_overhead, without_pod_level)
    expected = {
        (number, name): amount.nano
        for number, (pod, claims) in enumerate(pods)
        for name, amount in footprint(pod, claims, options).items()
    }
    found = footprints(PodColumns.of(pods), options)
    assert {row[:2]: row[2] for row in found.iter_rows()} == expected
    assert found.select("pod", "resource").rows() == sorted(expected)
