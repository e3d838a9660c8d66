"""The maximum cost of expressions, as the API server of 1.37 estimates it."""

from __future__ import annotations

import pytest

from dra_conform.cel import compile, worst_cost  # noqa: A004 -- its name in every CEL library
from dra_conform.cel.evaluation.call_estimates import UNBOUNDED

NESTED = 'device.attributes.exists(d, device.attributes[d].exists(n, device.attributes[d][n] == "x"))'


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        ("true", 0),
        ('device.driver == "a"', 3),
        ("device.allowMultipleAllocations == true", 3),
        ('has(device.attributes["a"].b)', 3),
        ('device.attributes["a"].b == "x"', 5),
        ('device.attributes["a"].b.contains("abcdefghijklmnop")', 18),
        ('device.driver.matches("^a.*b$")', 16),
        ('device.capacity["d"].m == quantity("1Gi")', 6),
        ('device.capacity["d"].m.compareTo(quantity("1Gi")) >= 0', 7),
        ('device.capacity["d"] == device.capacity["e"]', 10),
        ('"d" in device.attributes', 3),
        ('device.driver in ["a", "b"]', 14),
        ('cel.bind(x, device.attributes["a"], x.b == "c" && x.d == 1)', 19),
        ('device.driver == "a" ? true : device.driver == "b"', 6),
        ('device.attributes["a"].?b.orValue("x") == "y"', 6),
        ('device.attributes["d"].exists(n, n == "x")', 196),
        ('device.attributes["a"].exists(k, v, v == "x")', 196),
        ('device.attributes["a"].l.exists(x, x == "a")', 389),
        (NESTED, 11555),
        ('device.driver.split(".").exists(p, p == "com")', 394),
        ('device.driver.replace(".", device.driver) == device.driver', 26),
        ('["aaa", "b"].join(device.driver) == device.driver', UNBOUNDED),
        ("[3, 1, 2].sort() == [1]", 50),
        ('["b", "a"].sortBy(e, e) == ["a"]', 90),
        ("[1, 1].distinct() == [1]", 40),
        ("sets.equivalent([1, 2], [1])", 25),
        ('cidr("10.0.0.0/8").containsIP("10.0.0.1")', 6),
        ('format.dns1123Label().validate("abc").hasValue()', 34),
    ],
)
def test_worst_cost(expression: str, cost: int) -> None:
    assert worst_cost(compile(expression)) == cost


def test_a_loop_multiplies() -> None:
    looped = f"[1, 2, 3].all(i, {NESTED})"
    assert worst_cost(compile(looped)) == 11 + 3 * (worst_cost(compile(NESTED)) + 3)
