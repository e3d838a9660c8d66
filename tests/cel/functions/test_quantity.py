from __future__ import annotations

import math

import pytest

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.kube.quantity import Quantity
from tests.support.cel.functions.calling import call, function

q = Quantity.parse


@pytest.mark.parametrize(
    ("a", "b", "order"),
    [
        ("1Gi", "1024Mi", 0),
        ("200M", "0.2G", 0),
        ("50M", "50Mi", -1),
        ("50Mi", "50M", 1),
        ("1n", "0", 1),
        ("-1", "1m", -1),
        ("8Ei", "9223372036854775807", 0),
    ],
)
def test_comparison(a: str, b: str, order: int) -> None:
    assert call("compareTo", q(a), q(b)) == order
    assert call("compareTo", q(b), q(a)) == -order
    assert call("isGreaterThan", q(a), q(b)) is (order == 1)
    assert call("isLessThan", q(a), q(b)) is (order == -1)


@pytest.mark.parametrize(
    ("function", "a", "b", "result"),
    [
        ("add", "50k", q("20k"), "70k"),
        ("add", "50k", 20, "50020"),
        ("sub", "50k", q("20k"), "30k"),
        ("sub", "50k", 20000, "30k"),
        ("sub", "1", q("1n"), "999999999n"),
        ("add", "0", -3, "-3"),
    ],
)
def test_arithmetic(function: str, a: str, b: object, result: str) -> None:
    assert call(function, q(a), b) == q(result)


@pytest.mark.parametrize(
    ("text", "sign", "whole"),
    [
        ("0", 0, 0),
        ("50k", 1, 50000),
        ("-1Ki", -1, -1024),
        ("1500m", 1, None),
        ("999999999999999999", 1, 10**18 - 1),
        ("9223372036854775807", 1, None),
        ("9223372036854775808", 1, None),
        ("-9223372036854775808", -1, None),
        ("99999999999999999999G", 1, None),
    ],
)
def test_whole_numbers(text: str, sign: int, whole: int | None) -> None:
    assert function("sign", q(text)) == sign
    assert call("isInteger", q(text)) is (whole is not None)
    if whole is None:
        with pytest.raises(EvaluationError, match="cannot convert value to integer"):
            call("asInteger", q(text))
    else:
        assert call("asInteger", q(text)) == whole


def test_approximate_float() -> None:
    assert call("asApproximateFloat", q("1500m")) == 1.5
    assert call("asApproximateFloat", Quantity(10**400)) == math.inf
    assert call("asApproximateFloat", Quantity(-(10**400))) == -math.inf


@pytest.mark.parametrize(
    ("text", "valid"), [("1.3G", True), ("1.3Gi", True), ("1,3G", False), ("200K", False), ("Three", False)]
)
def test_validity(text: str, valid: bool) -> None:
    assert function("isQuantity", text) is valid
    if valid:
        assert function("quantity", text) == q(text)
    else:
        with pytest.raises(EvaluationError):
            function("quantity", text)
