"""A program over several devices, by the interpreter."""

from __future__ import annotations

import pytest

from dra_conform import cel
from dra_conform.cel.evaluation.program import interpret


def test_interpret_yields_none_for_an_error() -> None:
    program = cel.compile('device.attributes["d"].x == 1')
    seen = [cel.DeviceView("d", {"d": {"x": 1}}, {}, False), cel.DeviceView("d", {}, {}, False)]
    assert list(interpret(program, seen)) == [True, None]


@pytest.mark.parametrize(
    "expression",
    ['!(false ? true : device.attributes["d"].x)', '!(true ? device.attributes["d"].x : true)'],
)
def test_an_attribute_that_is_no_bool_cannot_be_negated_wherever_it_comes_from(expression: str) -> None:
    program = cel.compile(expression)
    assert list(interpret(program, [cel.DeviceView("d", {"d": {"x": "a"}}, {}, False)])) == [None]
