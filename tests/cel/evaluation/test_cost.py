"""Costs equal those of cel-go with constant folding, as in Kubernetes."""

from __future__ import annotations

import pytest

from dra_conform import cel
from dra_conform.cel.evaluation.program import compile_any
from tests.support.cel.examples import NIC, short

COSTS = {
    "true": 0,
    'device.driver == "dra.example.com"': 4,
    "device.driver": 2,
    "A.healthy": 4,
    'device.attributes["dra.example.com"]["healthy"]': 4,
    "A.numa > 0": 5,
    '"dra.example.com" in device.attributes': 3,
    "cel.bind(a, device.attributes['dra.example.com'], a.healthy)": 5,
    "device.driver in ['a', 'b']": 2,
    "device.driver in [device.driver]": 15,
    "1 in A.lanes": 5,
    "1 + 1": 1,
    "!true": 1,
    "true && false": 0,
    "true ? 1 : 2": 0,
    "false ? false : 1 > 3": 1,
    "(1 > 2 ? 5 : 3) > 1": 2,
    "(1 > 2 || 2 > 1) == true": 3,
    "(device.allowMultipleAllocations ? A.lanes : A.lanes)[0]": 6,
    "device.attributes[device.driver].numa": 5,
    "device.attributes['dra.' + 'example.com'].numa": 6,
    "has(A.model)": 3,
    "has(device.driver)": 1,
    "[1, 2, 3]": 0,
    "[dyn(1), A.numa]": 14,
    '{"a": A.numa}': 34,
    '{"a": 1}': 0,
    "size('123')": 1,
    "'12345678901234567890' == '123456789012345678901234567890'": 2,
    "'123'.matches('[0-9]')": 2,
    "'abcdefg'.contains('val1' + 'val2222222')": 4,
    "device.driver.startsWith('dra.')": 3,
    "int('5') == 5": 1,
    "string(b'abc')": 0,
    "[1, 2, 3].all(x, true)": 10,
    "[].all(x, true)": 1,
    "[1,2,3,4,5].filter(x, x % 2 == 0)": 42,
    "[1,2,3,4,5].map(x, x)": 66,
    "[1,2,3,4,5].map(x, x).filter(x, x % 2 == 0)": 108,
    "[1,2,3,4,5].map(x, x).exists(x, x == 5) == true": 98,
    "[1,2,3].all(i, i in [1,2,3].map(j, j + j))": 56,
    "device.attributes.all(k, device.attributes[k].numa > 3)": 11,
    "C.memory.isGreaterThan(quantity('1Gi'))": 6,
    "A.?missing.orValue(true)": 5,
}


@pytest.mark.parametrize(("expression", "units"), COSTS.items())
def test_cost(expression: str, units: int) -> None:
    assert compile_any(short(expression)).cost(NIC) == units


_TEN = "[0,1,2,3,4,5,6,7,8,9]"
_NESTED = f"{_TEN}.all(a, " * 5 + "true" + ")" * 5


def test_the_limit_ends_an_evaluation() -> None:
    program = cel.compile(f"{_NESTED} && {_NESTED} && {_NESTED} && {_NESTED} && {_NESTED}")
    with pytest.raises(cel.EvaluationError, match=r"^operation cancelled: actual cost limit exceeded$"):
        program.evaluate(NIC)
    with pytest.raises(cel.EvaluationError, match="actual cost limit exceeded"):
        program.cost(NIC)


@pytest.mark.parametrize(
    "hiding", ["({}) || true", "[1].exists(x, ({}) || x == 1)", "[1].all(x, ({}) && false)"]
)
def test_no_operator_absorbs_the_cost_limit(hiding: str) -> None:
    expensive = " && ".join([f"({_NESTED})"] * 5)
    with pytest.raises(cel.EvaluationError, match="actual cost limit exceeded"):
        cel.compile(hiding.format(expensive)).evaluate(NIC)


def test_growing_strings_are_counted_too() -> None:
    doubled = "s + s"
    for _ in range(24):
        doubled = f"cel.bind(s, {doubled}, s + s)"
    with pytest.raises(cel.EvaluationError, match="actual cost limit exceeded"):
        cel.compile(f"cel.bind(s, 'abcdefgh', ({doubled}).size() > 0)").evaluate(NIC)


def test_below_the_limit() -> None:
    program = cel.compile(_NESTED)
    assert program.evaluate(NIC) is True
    assert 100_000 < program.cost(NIC) <= 1_000_000
