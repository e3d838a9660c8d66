"""The request policy over columns equals the scalar rule."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.capacity import CapacityTable, Consumed, consume
from dra_conform.capacity import capacity_table as table_module
from dra_conform.capacity.capacity_table import MIN_COLUMN_ROWS
from dra_conform.capacity.policy_columns import ACCEPTED, RULES, SCALAR, PolicyColumns
from dra_conform.kube.quantity import NANO, Format, Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic
from tests.support.capacity.policies import capacity
from tests.support.draws import examples

whole_units = st.integers(0, 40).map(lambda units: units * NANO)
fractions = st.integers(0, 400).map(lambda tenths: tenths * NANO // 10)
MILLI = NANO // 1000
limits = [2**62 * NANO, 2**63 * NANO, (2**63 - 1) * NANO, 2**63 * MILLI, (2**63 - 1) * MILLI]
odd = st.sampled_from([0, 1, -NANO, 10**30, 2**130, NANO - 1, NANO + 1, MILLI + 1, *limits])
notations = st.sampled_from(list(Format))


def amounts(numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Quantity]:
    return st.builds(Quantity, numbers, notations)


def capacities(numbers: st.SearchStrategy[int]) -> st.SearchStrategy[DeviceCapacity]:
    amount, maybe = amounts(numbers), st.none() | amounts(numbers)
    ranges = st.builds(CapacityRequestPolicyRange, min=maybe, max=maybe, step=maybe)
    listed = st.lists(amount, max_size=4).map(tuple)
    stepped = st.builds(CapacityRequestPolicyRange, min=amount, max=maybe, step=amount)
    policies = st.one_of(
        st.none(),
        st.builds(CapacityRequestPolicy, default=maybe, valid_range=stepped),
        st.builds(CapacityRequestPolicy, default=maybe, valid_range=ranges),
        st.builds(CapacityRequestPolicy, default=maybe, valid_values=listed),
        st.builds(CapacityRequestPolicy, default=maybe, valid_values=listed, valid_range=ranges),
    )
    return st.builds(DeviceCapacity, value=amount, request_policy=policies)


def scalar(capacity: DeviceCapacity, nano: int | None, arithmetic: Arithmetic) -> tuple[int | None, str]:
    """Return the amount in nano-units, None if the policy rejects the request, and the violated rule."""
    found = consume(capacity, None if nano is None else Quantity(nano), arithmetic)
    return (found.amount.nano, "") if isinstance(found, Consumed) else (None, found.rule)


@pytest.mark.slow
@examples(400)
@given(
    st.data(), st.sampled_from([whole_units, fractions, whole_units | odd]), st.sampled_from(list(Arithmetic))
)
def test_columns_equal_the_scalar_rule(
    data: st.DataObject, numbers: st.SearchStrategy[int], arithmetic: Arithmetic
) -> None:
    known = data.draw(st.lists(capacities(numbers), min_size=1, max_size=5))
    table = CapacityTable(known, arithmetic)
    for nano in data.draw(st.lists(st.none() | numbers, min_size=1, max_size=8)):
        expected = [scalar(one, nano, arithmetic) for one in known]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_module, "MIN_COLUMN_ROWS", 0)
            consumed = table.consumed(None if nano is None else Quantity(nano))
        assert consumed == [amount for amount, _ in expected]
        columns = PolicyColumns.of(known, arithmetic)
        if columns.holds(nano):
            codes = [code for _, code in columns.consume_all(nano)]
            assert [RULES[code] for code in codes if code != SCALAR] == [
                rule for (_, rule), code in zip(expected, codes, strict=True) if code != SCALAR
            ]


@examples(100)
@given(st.lists(capacities(fractions), min_size=1, max_size=8), st.none() | amounts(fractions))
def test_a_large_table_equals_a_small_one(known: list[DeviceCapacity], requested: Quantity | None) -> None:
    small = CapacityTable(known, Arithmetic.WHOLE).consumed(requested)
    repeated = known * (MIN_COLUMN_ROWS // len(known) + 1)
    large = CapacityTable(repeated, Arithmetic.WHOLE).consumed(requested)
    assert large == (small * len(repeated))[: len(repeated)]


@pytest.mark.parametrize(
    ("known", "width"),
    [
        ([capacity("10", default="1", minimum="1", step="4")], pl.Int64),
        ([capacity("10", default="1", values=("1", "2"))], pl.Int64),
        ([capacity("4Ei", policy=False)], pl.Int128),
        ([capacity("10", default="500m")], pl.Int128),
    ],
)
def test_the_narrowest_width(known: list[DeviceCapacity], width: type) -> None:
    assert PolicyColumns.of(known, Arithmetic.EXACT).width is width


def test_quantities_beyond_the_width_use_the_scalar_rule() -> None:
    columns = PolicyColumns.of([capacity("10", policy=False)], Arithmetic.EXACT)
    which = pl.Series([0, 0, 0], dtype=pl.UInt32)
    found = columns.consume(which, pl.Series([3, -1, None], dtype=pl.Int64))
    assert found["rule"].to_list() == [ACCEPTED, SCALAR, ACCEPTED]
    assert found["amount"].to_list()[::2] == [3, 10]


@pytest.mark.parametrize("nano", [8 * NANO, 7, 7 * NANO])
def test_a_default_that_violates_its_range(nano: int) -> None:
    broken = capacity("10", default="8", minimum="1", maximum="5")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_module, "MIN_COLUMN_ROWS", 0)
        consumed = CapacityTable([broken], Arithmetic.WHOLE).consumed(Quantity(nano))
    assert consumed == [scalar(broken, nano, Arithmetic.WHOLE)[0]]


@pytest.mark.parametrize(
    ("step", "nano", "amount", "rule"),
    [
        ("1500m", 2 * NANO, 2500 * MILLI, ""),
        ("1500m", 2 * NANO + 1, 0, "not-representable"),
        ("1500m", 2**63 * MILLI, 0, "not-representable"),
        ("1500u", 2 * NANO + 1, 3 * NANO, ""),
        ("1500u", 2**63 * NANO, 0, "not-representable"),
    ],
)
def test_wide_columns_have_the_64_bits_of_1_37(step: str, nano: int, amount: int, rule: str) -> None:
    known = capacity("100", default="1", minimum="1", step=step)
    columns = PolicyColumns.of([known], Arithmetic.MILLI, wide=True)
    assert [(number, RULES[code]) for number, code in columns.consume_all(nano)] == [(amount, rule)]
    assert scalar(known, nano, Arithmetic.MILLI) == (amount or None, rule)


def test_every_rule_has_a_code() -> None:
    assert len(RULES) == len(set(RULES)) < SCALAR
