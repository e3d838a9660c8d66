from __future__ import annotations

from typing import Any

import pytest

from dra_conform.cel.functions.lists import OVERLOADS as LISTS
from dra_conform.cel.functions.optionals import of_non_zero_value
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.value import NONE, Duration, Optional_, UInt
from tests.support.cel.functions.calling import call, function


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("isSorted", ((1, 2, 2),), True),
        ("isSorted", (("b", "a"),), False),
        ("isSorted", ((False, True),), True),
        ("sum", ((1, 2, 3),), 6),
        ("sum", ((1.5, 2.0),), 3.5),
        ("sum", ((UInt(1), UInt(2)),), UInt(3)),
        ("sum", ((Duration(1), Duration(2)),), Duration(3)),
        ("min", ((3, 1, 2),), 1),
        ("max", (("a", "c", "b"),), "c"),
        ("max", ((True, False),), True),
        ("indexOf", ((1, 2, 2), 2), 1),
        ("lastIndexOf", ((1, 2, 2), 2), 2),
        ("indexOf", ((1, 2), 3), -1),
        ("indexOf", ((1, True), True), 1),
        ("lastIndexOf", ((), 3), -1),
    ],
)
def test_lists(name: str, arguments: tuple[Any, ...], result: object) -> None:
    assert call(name, *arguments) == result


def test_sum_of_nothing_is_the_zero_of_its_type() -> None:
    zeros = {str(o.result): o.call(()) for o in LISTS if o.name == "sum"}
    assert zeros == {"int": 0, "uint": 0, "double": 0.0, "duration": Duration(0)}


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("sum", (2**63 - 1, 1), "integer overflow"),
        ("sum", (UInt(2**64 - 1), UInt(1)), "unsigned integer overflow"),
        ("sum", (Duration(2**63 - 1), Duration(1)), "duration overflow"),
        ("sum", (1, 2.5), "no such overload"),
    ],
)
def test_list_errors(name: str, values: tuple[Any, ...], message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        call(name, values)


@pytest.mark.parametrize("name", ["min", "max"])
def test_extreme_of_nothing(name: str) -> None:
    with pytest.raises(EvaluationError, match=f"{name} called on empty list"):
        call(name, ())


@pytest.mark.parametrize(
    ("a", "b", "contains", "equivalent", "intersects"),
    [
        ((), (), True, True, False),
        ((1, 2), (2,), True, False, True),
        ((1, 2), (2, 1, 1), True, True, True),
        ((1, 2), (2, 3), False, False, True),
        ((1,), (1.0, UInt(1)), True, True, True),
        ((1,), ("1", True), False, False, False),
    ],
)
def test_sets(a: Any, b: Any, contains: bool, equivalent: bool, intersects: bool) -> None:
    assert function("sets.contains", a, b) is contains
    assert function("sets.equivalent", a, b) is equivalent
    assert function("sets.intersects", a, b) is intersects
    assert function("sets.intersects", b, a) is intersects


def test_optionals() -> None:
    some = function("optional.of", 1)
    assert function("optional.none") == NONE
    assert call("hasValue", some)
    assert not call("hasValue", NONE)
    assert call("value", some) == 1
    assert call("orValue", some, 2) == 1
    assert call("orValue", NONE, 2) == 2
    assert call("or", NONE, some) == some
    assert call("or", some, NONE) == some
    with pytest.raises(EvaluationError, match=r"optional.none\(\) dereference"):
        call("value", NONE)


@pytest.mark.parametrize("zero", [0, UInt(0), 0.0, "", b"", (), {}, False, None, Duration(0), NONE])
def test_zero_values_are_none(zero: object) -> None:
    assert of_non_zero_value(zero) == NONE
    assert function("optional.of", zero).present


@pytest.mark.parametrize("value", [1, "a", (0,), {"": 0}, True, Duration(1), Optional_(True, 0)])
def test_other_values_are_not_none(value: object) -> None:
    assert of_non_zero_value(value) == Optional_(True, value)


@pytest.mark.parametrize(
    ("value", "wanted", "result"),
    [
        ((1, 2), 2, True),
        ((1, 2), 3, False),
        (("a",), 1, False),
        ((), 1, False),
        (2, 2, True),
        (2, 2.0, True),
        ("a", "b", False),
        (True, 1, False),
        (tuple(range(48)), 47, True),
    ],
)
def test_includes(value: object, wanted: object, result: bool) -> None:
    assert call("includes", value, wanted) is result


def test_includes_refuses_a_list_longer_than_the_api_allows() -> None:
    with pytest.raises(EvaluationError, match="48"):
        call("includes", tuple(range(49)), 50)
    assert call("includes", tuple(range(49)), 1)
