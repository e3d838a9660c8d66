"""The columns give what the scalar rule gives."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dra_conform.capacity import Arithmetic, Consumed, Violation, consume
from dra_conform.capacity import batch as batch_module
from dra_conform.capacity.batch import WORTHWHILE, CapacityTable, consume_rows
from dra_conform.capacity.columns import RULES, SCALAR, PolicyColumns
from dra_conform.kube.quantity import NANO, Format, Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from tests.capacity.policies import capacity

whole_units = st.integers(0, 40).map(lambda units: units * NANO)
fractions = st.integers(0, 400).map(lambda tenths: tenths * NANO // 10)
odd = st.sampled_from([0, 1, -NANO, 2**62 * NANO, 2**63 * NANO, 10**30, 2**130, NANO - 1, NANO + 1])
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


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[DeviceCapacity], list[int], list[int | None]]:
    """Capacities, and rows of one of them with a request."""
    numbers = draw(st.sampled_from([whole_units, fractions, whole_units | odd]))
    known = draw(st.lists(capacities(numbers), min_size=1, max_size=5))
    rows = draw(
        st.lists(st.tuples(st.integers(0, len(known) - 1), st.none() | numbers), min_size=1, max_size=20)
    )
    return known, [which for which, _ in rows], [requested for _, requested in rows]


def scalar(
    known: list[DeviceCapacity], which: list[int], requested: list[int | None], arithmetic: Arithmetic
) -> tuple[list[int | None], list[str]]:
    found = [
        consume(known[place], None if nano is None else Quantity(nano), arithmetic)
        for place, nano in zip(which, requested, strict=True)
    ]
    return (
        [one.amount.nano if isinstance(one, Consumed) else None for one in found],
        [one.rule if isinstance(one, Violation) else "" for one in found],
    )


@settings(max_examples=400, deadline=None)
@given(questions(), st.sampled_from(list(Arithmetic)))
def test_rows_equal_the_scalar_rule(
    asked: tuple[list[DeviceCapacity], list[int], list[int | None]], arithmetic: Arithmetic
) -> None:
    known, which, requested = asked
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_module, "WORTHWHILE", 0)
        assert consume_rows(known, which, requested, arithmetic) == scalar(
            known, which, requested, arithmetic
        )


@settings(max_examples=100, deadline=None)
@given(st.lists(capacities(fractions), min_size=1, max_size=8), st.none() | amounts(fractions))
def test_a_large_table_equals_a_small_one(known: list[DeviceCapacity], requested: Quantity | None) -> None:
    small = CapacityTable(known, Arithmetic.WHOLE).consumed(requested)
    repeated = known * (WORTHWHILE // len(known) + 1)
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


def test_what_does_not_fit_is_left_to_the_scalar_rule() -> None:
    columns = PolicyColumns.of([capacity("10", policy=False)], Arithmetic.EXACT)
    which = pl.Series([0, 0, 0], dtype=pl.UInt32)
    found = columns.consume(which, pl.Series([3, -1, None], dtype=pl.Int64))
    assert found["rule"].to_list() == [0, SCALAR, 0]
    assert found["amount"].to_list()[::2] == [3, 10]


@pytest.mark.parametrize("unit", [1, NANO])
def test_a_default_that_breaks_its_own_range(unit: int) -> None:
    broken = capacity("10", default="8", minimum="1", maximum="5")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_module, "WORTHWHILE", 0)
        rows: list[int | None] = [8 * NANO, 7 * unit]
        assert consume_rows([broken], [0, 0], rows, Arithmetic.WHOLE) == scalar(
            [broken], [0, 0], rows, Arithmetic.WHOLE
        )


def test_every_rule_has_a_code() -> None:
    assert len(RULES) == len(set(RULES)) < SCALAR
