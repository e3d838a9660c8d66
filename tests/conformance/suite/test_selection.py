"""`--select` expressions."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.selection import reject_unknown_values, select
from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import golden


def cases() -> list[Case]:
    (one,) = golden()
    return [
        replace(one, id="kep-5075/rounding/step-up", requirements=("KEP-5075/rounding/step-up",)),
        replace(
            one,
            id="kep-5075/sharing/two",
            requirements=("KEP-5075/sharing/share-id", "KEP-5075/rounding/step-up"),
            kind="scenario",
            features=frozenset({"distinct-attribute", "consumable-capacity"}),
        ),
        replace(
            one,
            id="core/allocate/one",
            requirements=("DRA/allocation/count",),
            operation="admit",
            features=frozenset(),
        ),
    ]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("", [0, 1, 2]),
        ("sharing", [1]),
        ("kep-5075/*", [0, 1]),
        ("kep-????/rounding/*", [0]),
        ("nowhere", []),
        ("id:*/one", [2]),
        ("id:one", []),
        ("requirement:KEP-5075/rounding/*", [0, 1]),
        ("requirement:KEP-5075/rounding/* and not feature:distinct-attribute", [0]),
        ("document:DRA", [2]),
        ("area:sharing", [1]),
        ("area:allocation or area:sharing", [1, 2]),
        ("operation:admit", [2]),
        ("kind:scenario", [1]),
        ("kind:golden and operation:allocate", [0]),
        ("feature:consumable-*", [0, 1]),
        ("not kind:golden", [1]),
        ("not not kind:golden", [0, 2]),
        ("kind:scenario or kind:golden and operation:admit", [1, 2]),
        ("(kind:scenario or kind:golden) and operation:admit", [2]),
        ("not (kind:scenario or operation:admit)", [0]),
    ],
)
def test_selected_cases(expression: str, expected: list[int]) -> None:
    every = cases()
    assert [every.index(case) for case in select(every, expression)] == expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("area:", None),
        (
            "colour:red",
            "--select: column 1: found 'colour:red', expected one of the fields id, requirement, document, ",
        ),
        ("a and colour:red", "--select: column 7: found 'colour:red', expected one of the fields "),
        (
            "a and",
            "--select: column 6: the expression ends here, expected a word, `field:value`, `not` or `(`",
        ),
        ("or a", "--select: column 1: found 'or', expected a word, `field:value`, `not` or `(`"),
        ("(a or b", "--select: column 8: the expression ends here, expected `)`"),
        (
            "(" * 5000 + "a" + ")" * 5000,
            "--select: column 51: found '(', expected at most 50 nested parentheses",
        ),
        (
            "not " * 5000 + "a",
            "--select: column 201: found 'not', expected at most 50 nested parentheses and `not` operators",
        ),
        ("a b", "--select: column 3: found 'b', expected `and`, `or` or the end of the expression"),
        ("a)", "--select: column 2: found ')', expected `and`, `or` or the end of the expression"),
        ("  ", "--select: column 3: the expression ends here, expected a word, `field:value`, `not` or `(`"),
        ("not", "--select: column 4: the expression ends here, expected a word, `field:value`, `not` or `(`"),
    ],
)
def test_invalid_expressions(expression: str, message: str | None) -> None:
    if message is None:
        assert select(cases(), expression) == []
        return
    with pytest.raises(InputError) as caught:
        select(cases(), expression)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (
            "not kind:goldn",
            "column 5: found 'kind:goldn', which no case of the suite matches, expected a value",
        ),
        ("area:sharing or document:KEP-5057", "did you mean document:KEP-5075?"),
        ("requirement:KEP-5075/roundin/*", "did you mean requirement:KEP-5075/rounding/*?"),
        ("sharing or shring", "column 12: found 'shring', which no case of the suite matches"),
        ("not (operation:admit and id:one)", "column 26: found 'id:one', which no case of the suite matches"),
    ],
)
def test_a_value_that_no_case_has_is_an_error(expression: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        reject_unknown_values(cases(), ("kind:golden", expression))


def test_a_value_that_a_case_has_is_no_error() -> None:
    reject_unknown_values(cases(), ("document:DRA", "not kind:scenario and id:*/one"))
