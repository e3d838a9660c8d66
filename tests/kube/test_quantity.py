"""Quantities: grammar and canonical form of Go, order and sums."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.kube.quantity import MAX_BINARY, NANO, Format, Quantity, QuantityError

CANONICAL = [
    ("0", "0"),
    ("-0", "0"),
    ("00012", "12"),
    ("1.5Gi", "1536Mi"),
    ("1.5", "1500m"),
    ("0.5Gi", "512Mi"),
    ("1024", "1024"),
    ("1Ki", "1Ki"),
    ("1024Mi", "1Gi"),
    ("1073741824", "1073741824"),
    ("0.5Ki", "512"),
    ("1.0005Ki", "1024512m"),
    ("0.0001Ki", "102400u"),
    ("8Ei", "9223372036854775807"),
    ("100000000Ei", "9223372036854775807"),
    ("-1.5", "-1500m"),
    ("1e3", "1e3"),
    ("12e6", "12e6"),
    ("1e4", "10e3"),
    ("1E", "1E"),
    ("1E3", "1e3"),
    ("1e-12", "1e-9"),
    ("0.1n", "1n"),
    ("-0.1n", "-1n"),
    ("1.0000000001", "1000000001n"),
    ("1000k", "1M"),
    ("1000000000000000000000", "1000E"),
    ("100G", "100G"),
    (".5", "500m"),
    ("5.", "5"),
    ("+7", "7"),
    ("1" + "0" * 600 + "e-600", "1"),
    ("5e-600", "1e-9"),
    ("0.9765625Ki", "1k"),
]

INVALID = [
    "", " 1", "1 ", "1K", "1 Gi", "1_0", "1e3Ki", "inf", "nan", "1.2.3", "--1", "0x10", "1ee3", "1e", "Mi1",
    "1e99999", "\u0661", "1" * 5000, "1i", "1kk", "1.5.Gi", "e3e",
]  # fmt: skip


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(Quantity.parse(text)) == canonical


@pytest.mark.parametrize("text", INVALID)
def test_invalid(text: str) -> None:
    with pytest.raises(QuantityError):
        Quantity.parse(text)


@pytest.mark.parametrize("text", ["+", "-", ".", "Gi"])
def test_a_lone_suffix_is_zero_as_in_go(text: str) -> None:
    assert Quantity.parse(text).nano == 0


def test_equality_order_and_hash_use_the_value() -> None:
    spellings = [Quantity.parse(text) for text in ("1Gi", "1024Mi", "1073741824", "1073741824000m")]
    assert len(set(spellings)) == 1
    assert Quantity.parse("999m") < Quantity.parse("1") <= Quantity.parse("1000m") < Quantity.parse("1001m")
    assert Quantity.parse("1") != 1


@pytest.mark.parametrize(("text", "whole"), [("1500m", 2), ("-1500m", -2), ("1n", 1), ("0", 0), ("2", 2)])
def test_values_round_away_from_zero(text: str, whole: int) -> None:
    assert Quantity.parse(text).value() == whole


def test_a_sum_keeps_the_left_notation() -> None:
    assert str(Quantity.parse("1Gi") + Quantity.parse("1073741824")) == "2Gi"
    assert str(Quantity.parse("1073741824") + Quantity.parse("1Gi")) == "2147483648"
    assert str(Quantity.parse("0") + Quantity.parse("1Gi")) == "1Gi"
    assert str(Quantity.parse("3Gi") - Quantity.parse("1Gi")) == "2Gi"


def test_a_quantity_is_immutable() -> None:
    with pytest.raises(AttributeError):
        Quantity.parse("1").nano = 2


NANOS = st.integers(min_value=-(10**40), max_value=10**40)


@given(NANOS, st.sampled_from([Format.DECIMAL_SI, Format.DECIMAL_EXPONENT]))
def test_canonical_decimal_strings_parse_to_the_same_value(nano: int, form: Format) -> None:
    assert Quantity.parse(str(Quantity(nano, form))).nano == nano


@given(st.integers(min_value=-MAX_BINARY, max_value=MAX_BINARY))
def test_canonical_binary_strings_parse_to_the_same_value(nano: int) -> None:
    text = str(Quantity(nano, Format.BINARY_SI))
    assert Quantity.parse(text).nano == nano


@given(st.integers(0, 10**18), st.integers(0, 12), st.sampled_from(["", "k", "m", "Ki", "Gi"]))
def test_parsing_is_exact(digits: int, places: int, suffix: str) -> None:
    text = (
        f"{digits // 10**places}.{digits % 10**places:0{places}d}{suffix}" if places else f"{digits}{suffix}"
    )
    factor = {"": (1, 1), "k": (1000, 1), "m": (1, 1000), "Ki": (1024, 1), "Gi": (2**30, 1)}[suffix]
    exact = digits * factor[0] * NANO
    divisor = factor[1] * 10**places
    expected = -(-exact // divisor)
    if suffix.endswith("i"):
        expected = min(expected, MAX_BINARY)
    assert Quantity.parse(text).nano == expected
