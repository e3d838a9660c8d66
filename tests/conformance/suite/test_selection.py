"""`--select` expressions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.selection import select, similar_values
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


def test_the_most_similar_value_is_named_for_a_value_that_no_case_has() -> None:
    expression = "document:KEP-5057 or requirement:KEP-5075/rounding/*"
    assert similar_values(cases(), expression) == ("document:KEP-5075",)
    assert similar_values(cases(), "requirement:KEP-5075/roundin/*") == ("requirement:KEP-5075/rounding/*",)
    assert similar_values(cases(), "colour:red word") == ()
