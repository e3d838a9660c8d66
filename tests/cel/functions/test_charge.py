"""Selectors with a low cost in Kubernetes that would use too much memory or time."""

from __future__ import annotations

import pytest

from dra_conform import cel
from dra_conform.cel import CompileError, EvaluationError
from dra_conform.cel.values.equality import Compared, equal
from dra_conform.kube.resource import Device

NOTHING = cel.device_of("dra.example.com", Device(name="d"))


def nested(depth: int, level: str, at_last: str, first: str = "[1]") -> str:
    """Return nested `cel.bind` calls: `a0` is `first`, and `level` computes each value from the previous one."""
    expression = at_last.replace("_", f"a{depth}")
    for number in range(depth, 0, -1):
        expression = f"cel.bind(a{number}, {level.replace('_', f'a{number - 1}')}, {expression})"
    return f"cel.bind(a0, {first}, {expression})"


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        (nested(18, "_ + _", "_.size() == 262144"), True),
        (nested(23, "[_, _]", "_ == _"), True),
        (nested(23, "[_, _]", "_ in [_]"), True),
        (nested(23, "[_, _]", "[_, _].distinct().size() == 1"), True),
        (nested(20, "{'x': _, 'y': _}", "_ == _", "{'z': 1}"), True),
        ("cel.bind(a, [0.0 / 0.0], a == a)", False),
        ("cel.bind(a, [[0.0 / 0.0]], [a, a] == [a, a])", False),
        ("{}.filter(x, x) == []", True),
        ("[].map(x, x.map(y, y)) == []", True),
        ("'aaa'.replace('a', 'bb') == 'bbbbbb'", True),
        ("'aaa'.replace('', '-', 2) == '-a-aa'", True),
        ("'%s'.format([[1, ['x'], {'k': 2}]]) == '[1, [\"x\"], {\"k\":2}]'", True),
    ],
)
def test_evaluated(selector: str, matches: bool) -> None:
    assert cel.compile(selector).evaluate(NOTHING) is matches


def test_long_strings_in_lists_are_compared_once() -> None:
    first, other = ("".join(("a" * 2_000, "b")) for _ in range(2))
    compared: Compared = {}
    assert equal((first,) * 99, (other,) * 99, compared)
    assert compared == {(id(first), id(other)): True}


def test_a_long_string_is_found_in_a_list_that_has_it_many_times() -> None:
    selector = nested(17, "_ + _", f"({LONG} in _) && !({LONG[:-1]}b' in _)", f"[{LONG}]")
    assert cel.compile(selector).evaluate(NOTHING)


LONG = f"'{'a' * 2_000}'"


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("lists.range(300000).distinct().size() > 0", "cost limit"),
        ("lists.range(300000).sort().size() > 0", "cost limit"),
        ("sets.contains(lists.range(200000), lists.range(200000))", "cost limit"),
        ("sets.equivalent(lists.range(200000), lists.range(200000))", "cost limit"),
        pytest.param(
            "cel.bind(a, lists.range(99999), sets.intersects(a, a.map(b, b + 99999)))",
            "cost limit",
            marks=pytest.mark.slow,
        ),
        (nested(28, "_ + _", "_.size() > 0"), "list too long: more than 300,000 elements"),
        pytest.param(
            nested(24, "[_, _]", "[_].flatten(40).size() > 0"),
            "list too long: more than 300,000 elements",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            nested(24, "[_, _]", "'%s'.format([_]) != ''"),
            "string too long: more than 1,000,000 characters",
            marks=pytest.mark.slow,
        ),
        (nested(40, "dyn(_) + dyn(_)", "_ != a0", LONG), "actual cost limit exceeded"),
        (nested(40, "_ + _", "_ != a0", LONG), "actual cost limit exceeded"),
        (nested(40, "dyn(_) + dyn(_)", "_ != a0", "b'abc'"), "actual cost limit exceeded"),
        (
            nested(8, "_ + _", "'%s%s%s'.format([_, _, _]) != ''", LONG),
            "string too long: more than 1,000,000 characters",
        ),
        (nested(2, "_.replace('a', _)", "_ != ''", LONG), "string too long: more than 1,000,000 characters"),
        (nested(1, "_.split('').map(x, _)", "_.join('') != ''", LONG), "string too long: more than"),
    ],
)
def test_limits_are_enforced(selector: str, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        cel.compile(selector).evaluate(NOTHING)


def test_types_that_contain_themselves_are_refused() -> None:
    with pytest.raises(CompileError, match="must evaluate to bool"):
        cel.compile("{}.filter(x, x)")
