"""Node resource usage of whole clusters over columns equals the usage by the scalar rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.footprint import ClaimResourceUsage, footprint, on_nodes
from dra_conform.footprint.claim_amounts import ClaimPart
from dra_conform.footprint.cluster_footprints import ClusterFootprints, PolicyFootprints, parts_of
from dra_conform.footprint.device_amounts import AccountingPolicy
from dra_conform.kube.core import Pod, PodSpec, PodStatus
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from tests.footprint.test_footprint_columns import CLAIMS, PODS
from tests.support.rows import mostly_slow

STATUSES = st.lists(
    st.fixed_dictionaries(
        {"name": st.just("c"), "allocatedResources": st.just({"cpu": "3"})},
        optional={"resources": st.just({"requests": {"cpu": "5n"}})},
    ),
    max_size=1,
)


@pytest.mark.parametrize("name", mostly_slow(["kep", "kubernetes-1.36", "kubernetes-1.37"], 0))
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


@given(pods=st.lists(st.tuples(PODS, st.lists(CLAIMS, max_size=2)), max_size=4))
def test_added_claims_count_by_policy_as_without_policies(
    pods: Sequence[tuple[Pod, Sequence[ClaimResourceUsage]]],
) -> None:
    """AddPerClaim is what the specification does with all claims, as long as pods share none."""
    counted = [
        (pod, [_added_per_claim(claim, f"{number}-{place}") for place, claim in enumerate(claims)])
        for number, (pod, claims) in enumerate(pods)
    ]
    by_policies = PolicyFootprints(counted)
    without = ClusterFootprints(counted, NodeResourceSwitches.of(Profile.named("kep")))
    groups = [str(number % 2) for number in range(len(pods))]
    used = {key: sums for key, sums in without.by_group(groups).items() if sums[0]}
    assert {key: sums for key, sums in by_policies.by_group(groups).items() if sums[0]} == used
    parts = {(number, name): each for number, name, each in without.by_pod() if each.total}
    assert {(number, name): each for number, name, each in by_policies.by_pod() if each.total} == parts


def _added_per_claim(claim: ClaimResourceUsage, name: str) -> ClaimResourceUsage:
    parts = tuple(
        ClaimPart("driver", resource, AccountingPolicy.ADD_PER_CLAIM, amount)
        for resource, amount in claim.resources.items()
    )
    return replace(claim, claim=name, overhead={}, parts=parts)
