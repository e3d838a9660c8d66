"""The total consumed capacity of shared allocations (KEP-5075/capacity-accounting)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.capacity import Aggregate


def test_removing_the_only_shared_allocation_leaves_the_device_unused() -> None:
    sums: Aggregate[str] = Aggregate()
    sums.add("d", {"bw": 1})
    sums.remove("d", {"bw": 1})
    assert (sums.shares("d"), dict(sums.used("d")), list(sums.devices())) == (0, {}, [])


def test_a_shared_allocation_that_consumes_nothing_counts() -> None:
    sums: Aggregate[str] = Aggregate()
    sums.add("d", {})
    assert sums.shares("d") == 1
    sums.remove("d", {})
    assert (sums.shares("d"), list(sums.devices())) == (0, [])


def test_removing_a_missing_shared_allocation() -> None:
    with pytest.raises(KeyError):
        Aggregate[str]().remove("d", {})


@pytest.mark.parametrize(
    ("used", "amount", "fits"), [(6, 4, True), (6, 5, False), (0, 10, True), (10, 0, True), (10, 1, False)]
)
def test_fits_up_to_the_value(used: int, amount: int, fits: bool) -> None:
    sums: Aggregate[str] = Aggregate()
    sums.add("d", {"bw": used})
    assert sums.fits("d", {"bw": 10}, {"bw": amount}) is fits


def test_every_capacity_must_fit() -> None:
    sums: Aggregate[str] = Aggregate()
    sums.add("d", {"cores": 4})
    assert not sums.fits("d", {"memory": 16, "cores": 4}, {"memory": 1, "cores": 1})


shares = st.tuples(st.sampled_from("ab"), st.dictionaries(st.sampled_from("xy"), st.integers(0, 9)))


@given(st.lists(shares), st.lists(shares))
def test_add_and_remove_are_inverse(
    before: list[tuple[str, dict[str, int]]], more: list[tuple[str, dict[str, int]]]
) -> None:
    sums: Aggregate[str] = Aggregate()
    for device, amounts in before:
        sums.add(device, amounts)
    then = {device: {k: v for k, v in sums.used(device).items() if v} for device in "ab"}
    counts = {device: sums.shares(device) for device in "ab"}
    for device, amounts in more:
        sums.add(device, amounts)
    for device, amounts in more:
        sums.remove(device, amounts)
    assert {device: {k: v for k, v in sums.used(device).items() if v} for device in "ab"} == then
    assert {device: sums.shares(device) for device in "ab"} == counts
