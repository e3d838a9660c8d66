"""Compile errors and their messages."""

from __future__ import annotations

import re

import pytest

from dra_conform import cel

REFUSED = {
    "device.bogus": "1:7: undefined field 'bogus'",
    "has(device.bogus)": "1:4: undefined field 'bogus'",
    "device.?bogus.hasValue()": "1:7: undefined field 'bogus'",
    "x": "1:1: undeclared reference to 'x' (in container '')",
    "true && y": "1:9: undeclared reference to 'y' (in container '')",
    "f(1)": "1:2: undeclared reference to 'f' (in container '')",
    "device.driver.f()": "1:16: undeclared reference to 'f' (in container '')",
    "sets.nothing([1])": "1:1: undeclared reference to 'sets' (in container '')",
    "'a' + 1 == 'a1'": "1:5: found no matching overload for '_+_' applied to '(string, int)'",
    "device.driver == 1": "1:15: found no matching overload for '_==_' applied to '(string, int)'",
    "device.driver.size(1) == 1": "1:19: found no matching overload for 'size' applied to 'string.(int)'",
    "1.startsWith('a')": "1:13: found no matching overload for 'startsWith' applied to 'int.(string)'",
    "!1": "1:1: found no matching overload for '!_' applied to '(int)'",
    "1 && true": "1:3: found no matching overload for '_&&_' applied to '(int, bool)'",
    "true ? 1 : 'a'": "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'",
    "device.driver.x": "1:14: type 'string' does not support field selection",
    "[1, 'a'].size() == 2": "1:5: expected type 'int' but found 'string'",
    "{'a': 1, 2: 2}.size() == 2": "1:10: expected type 'string' but found 'int'",
    "[?1].size() == 1": "1:3: expected type 'optional_type' but found 'int'",
    "1.all(x, true)": "1:1: expression of type 'int' cannot be range of a comprehension"
    " (must be list, map, or dynamic)",
    "[1].all(x, x)": "1:8: found no matching overload for '_&&_' applied to '(bool, int)'",
    "device.capacity['a'].b > 1": "1:24: found no matching overload for '_>_'"
    " applied to '(kubernetes.Quantity, int)'",
    "'a'.matches('(')": "1:13: invalid matches argument",
    "duration('x') == duration('1s')": "1:10: invalid duration argument",
    "timestamp('x') == timestamp(0)": "1:11: invalid timestamp argument",
    "has(1)": "1:4: invalid argument to has() macro",
    "[1].all(x.y, true)": "1:10: argument must be a simple name",
    "[1].all(x, x, true)": "1:8: duplicate variable name: x",
    "if": "1:1: reserved identifier: if",
    "Foo{a: 1}": "1:1: message construction is not supported in device selectors",
    "9223372036854775808 > 0": "1:1: invalid int literal",
    "99999999999999999999999999u > 0u": "1:1: invalid uint literal",
    "1 +": "1:4: Syntax error: mismatched input '<EOF>' expecting an expression",
    "(true": "1:6: Syntax error: mismatched input '<EOF>' expecting ')'",
    "true true": "1:6: Syntax error: mismatched input 'true' expecting the end",
    "true\n  && @": "2:6: Syntax error: token recognition error at: '@'",
    "'a": '1:1: Syntax error: token recognition error at: "\'a"',
    "'\\q' == ''": "1:1: Syntax error: invalid escape sequence: '\\\\q'",
}

WRONG_RESULT = {
    "1": "int",
    "'a'": "string",
    "[true]": "list(bool)",
    "{'a': 1}": "map(string, int)",
    "device": "kubernetes.DRADevice",
    "device.attributes": "map(string, map(string, dyn))",
    "device.capacity['a'].b": "kubernetes.Quantity",
    "duration('1s')": "duration",
    "null": "null",
    "device.?driver": "optional_type(string)",
    "type(1)": "type(int)",
    "[]": "list(dyn)",
    "device.attributes['a'].map(k, k)": "list(string)",
}


@pytest.mark.parametrize(("expression", "message"), REFUSED.items())
def test_refused(expression: str, message: str) -> None:
    with pytest.raises(cel.CompileError) as refusal:
        cel.compile(expression)
    assert str(refusal.value).split("\n")[0] == f"ERROR: <input>:{message}"


@pytest.mark.parametrize(("expression", "found"), WRONG_RESULT.items())
def test_result_must_be_able_to_be_a_bool(expression: str, found: str) -> None:
    with pytest.raises(cel.CompileError) as refusal:
        cel.compile(expression)
    assert str(refusal.value) == f"must evaluate to bool or the unknown type, not {found}"


def test_the_position_is_shown() -> None:
    with pytest.raises(cel.CompileError) as refusal:
        cel.compile("true &&\n device.bogus && other")
    assert str(refusal.value) == (
        "ERROR: <input>:2:8: undefined field 'bogus'\n |  device.bogus && other\n | .......^\n"
        "ERROR: <input>:2:18: undeclared reference to 'other' (in container '')\n"
        " |  device.bogus && other\n | .................^"
    )


@pytest.mark.parametrize("expression", ["device.attributes['a'].b", "dyn(1)", "cel.bind(x, dyn(1), x)"])
def test_an_unknown_type_is_accepted(expression: str) -> None:
    assert str(cel.compile(expression).type) == "dyn"


@pytest.mark.parametrize("constant", ["int('x')", "uint('-1')", "double('x')", "bool('x')", "uint(-1)"])
def test_a_constant_that_cannot_be_converted(constant: str) -> None:
    with pytest.raises(cel.CompileError, match=r"^program instantiation failed: "):
        cel.compile(f"true || {constant} == {constant}")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('quantity("1").sign() == 1', "found no matching overload for 'sign'"),
        ("[1, dyn(2)] == []", "expected type 'int' but found 'dyn'"),
        ("{1: dyn(2), 2: 3} == {}", "expected type 'dyn' but found 'int'"),
        ('"a".format([1]) == "a"', "too many arguments supplied to string.format"),
        ('"%d".format([1.0]) == "1"', "decimal clause"),
        ('"a".find("(") == "a"', "invalid find argument"),
        ('matches("(", "a")', "invalid matches argument"),
        ('uint(string(b"abc")) == 1u', "program instantiation failed"),
        ("{1: 2}[dyn([1])] == 2", "program instantiation failed: invalid qualifier type"),
    ],
)
def test_rejected_as_in_kubernetes(expression: str, message: str) -> None:
    with pytest.raises(cel.CompileError, match=re.escape(message)):
        cel.compile(expression)
