"""Node resource usage of whole clusters over columns equals the usage by the scalar rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.footprint import ClaimResourceUsage, footprint, on_nodes
from dra_conform.footprint.cluster_footprints import ClusterFootprints, parts_of
from dra_conform.kube.core import Pod, PodSpec, PodStatus
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from tests.footprint.test_footprint_columns import CLAIMS, PODS

STATUSES = st.lists(
    st.fixed_dictionaries(
        {"name": st.just("c"), "allocatedResources": st.just({"cpu": "3"})},
        optional={"resources": st.just({"requests": {"cpu": "5n"}})},
    ),
    max_size=1,
)


@pytest.mark.parametrize("name", ["kep", "kubernetes-1.36", "kubernetes-1.37"])
@given(pods=st.lists(st.tuples(PODS, st.lists(CLAIMS, max_size=2), STATUSES), max_size=4))
def test_columns_agree_with_the_scalar_rule(
    name: str, pods: Sequence[tuple[Pod, Sequence[ClaimResourceUsage], Sequence[object]]]
) -> None:
    switches = NodeResourceSwitches.of(Profile.named(name))
    with_status = [
        (msgspec.structs.replace(pod, status=PodStatus(container_statuses=tuple(statuses))), claims)
        for pod, claims, statuses in pods
    ]
    options = on_nodes(switches)
    expected: Counter[tuple[int, str]] = Counter()
    for number, (pod, claims) in enumerate(with_status):
        for resource, quantity in footprint(pod, claims, options).items():
            expected[number, resource] += quantity.nano
    usage = ClusterFootprints(with_status, switches)
    found = {(number, resource): parts for number, resource, parts in usage.by_pod()}
    assert {key: parts.total for key, parts in found.items() if parts.total} == {
        key: amount for key, amount in expected.items() if amount
    }
    for number, (pod, claims) in enumerate(with_status):
        scalar = parts_of(pod, claims, options)
        for resource, parts in scalar.items():
            assert found.get((number, resource), parts) == parts
    groups = [str(number % 2) for number in range(len(pods))]
    totals: Counter[tuple[str, str]] = Counter()
    for (number, resource), amount in expected.items():
        totals[groups[number], resource] += amount
    assert {key: total for key, (total, _) in usage.by_group(groups).items() if total} == {
        key: total for key, total in totals.items() if total
    }


def test_a_quantity_beyond_128_bits_is_exact() -> None:
    pod = Pod(metadata=ObjectMeta(name="p"), spec=PodSpec(overhead={"cpu": Quantity.parse("1e40")}))
    usage = ClusterFootprints([(pod, ()), (pod, ())], NodeResourceSwitches.of(Profile.named("kep")))
    assert usage.by_group(["n", "n"])["n", "cpu"] == (2 * 10**49, 0)
