"""Too long, too deep and random expressions raise CompileError or EvaluationError, and nothing else."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dra_conform import cel
from tests.support.cel.examples import NIC
from tests.support.draws import examples

DEEP = {
    "parentheses": "(" * 400 + "true" + ")" * 400,
    "lists": "[" * 400 + "]" * 400 + " == []",
    "maps": "{1:" * 400 + "1" + "}" * 400 + " == {}",
    "sums": "1" + " + 1" * 400 + " > 0",
    "selections": "device" + ".a" * 400,
    "indices": "device" + "[0]" * 400,
    "ternaries": "true ? true : " * 400 + "true",
    "calls": "dyn(" * 400 + "1" + ")" * 400 + " == 1",
    "nots": "!(" * 400 + "true" + ")" * 400,
    "macros": "[1].all(x, " * 400 + "true" + ")" * 400,
    "binds": "cel.bind(x, 1, " * 400 + "true" + ")" * 400,
}


@pytest.mark.parametrize("expression", DEEP.values(), ids=DEEP.keys())
def test_too_deep(expression: str) -> None:
    with pytest.raises(cel.CompileError, match="expression recursion limit exceeded: 250"):
        cel.compile(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 240 + "true" + ")" * 240,
        "!(" * 240 + "true" + ")" * 240,
        "1" + " + 1" * 240 + " == 241",
        "true ? true : " * 240 + "true",
        "[1].all(x, " * 120 + "true" + ")" * 120,
        "[1].exists(x, " * 60 + "cel.bind(y, 1, " * 60 + "true" + ")" * 120,
        "[" * 200 + "]" * 200 + " == " + "[" * 200 + "]" * 200,
        " || ".join(["device.driver == 'x'"] * 400 + ["true"]),
        "!" * 1000 + "true",
    ],
)
def test_deep_enough_to_work(expression: str) -> None:
    program = cel.compile(expression)
    assert program.evaluate(NIC) is True
    assert program.cost(NIC) >= 0


def test_too_long() -> None:
    assert cel.compile("true" + " " * (10 * 1024 - 4)).evaluate(NIC)
    with pytest.raises(cel.CompileError, match="expression too long"):
        cel.compile("true" + " " * (10 * 1024 - 3))


def _survives(expression: str) -> None:
    with contextlib.suppress(cel.CompileError, cel.EvaluationError):
        cel.compile(expression).evaluate(NIC)


@examples(300)
@given(st.text(max_size=60))
@example("\ud800")
@example("'\ud800' == ''")
@example("b'\ud800' == b''")
@example("9" * 5000 + " > 0")
@example("1e999 > 0.0")
@example("int('" + "9" * 5000 + "') > 0")
@example("double('" + "9" * 5000 + "') > 0.0")
@example("duration('" + "9" * 5000 + "h') == duration('0')")
@example("{[1]: 2} == {}")
@example("dyn({}) in dyn({1: 2})")
@example("[1, 2][dyn(1e300)] == 1 || [1][dyn(0.0 / 0.0)] == 1")
@example("dyn({1: 2})[dyn([])] == 1")
@example("int(0.0 / 0.0) == 1")
@example("[1][?dyn(1.0 / 0.0)].hasValue()")
def test_garbage(expression: str) -> None:
    _survives(expression)


_WORDS = st.sampled_from(
    [
        "device",
        ".driver",
        ".attributes",
        ".capacity",
        '["a"]',
        "[0]",
        '[?"x"]',
        ".?x",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "?",
        ".",
        "+",
        "-",
        "*",
        "/",
        "%",
        "!",
        "&&",
        "||",
        "==",
        "!=",
        "<",
        "in",
        "true",
        "false",
        "null",
        "1",
        "1u",
        "1.5",
        '"s"',
        'b"b"',
        'r"\\"',
        "has(",
        "size(",
        "dyn(",
        ".all(x,",
        ".map(x,",
        ".exists(",
        "cel.bind(y,",
        "x",
        "y",
        'quantity("1")',
        'semver("1.0.0")',
        'duration("1s")',
        "timestamp(0)",
        "type(",
        "optional.of(",
        ".orValue(",
        ".hasValue()",
        '.matches("a")',
        ".startsWith(",
        ".includes(",
        ".isGreaterThan(",
        "int(",
        "string(",
        "//",
        "if",
        ".size()",
    ]
)


@examples(700)
@given(st.lists(_WORDS, max_size=12).map("".join))
def test_words_in_any_order(expression: str) -> None:
    _survives(expression)
