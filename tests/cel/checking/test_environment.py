"""The functions and fields that selectors can use in each release."""

from __future__ import annotations

import pytest

from dra_conform import cel
from dra_conform.cel import Environment
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.expressions import ExpressionSwitches

ATTRIBUTES = 'device.attributes["dra.example.com"]'


@pytest.mark.parametrize(
    ("profile", "gate", "expected"),
    [
        ("kep", True, Environment()),
        ("kep", False, Environment(lists=False, includes=False)),
        ("kubernetes-1.34", False, Environment(lists=False, includes=False)),
        ("kubernetes-1.35", False, Environment(lists=False, includes=False)),
        ("kubernetes-1.36", False, Environment(lists=False)),
        ("kubernetes-1.36", True, Environment()),
        ("kubernetes-1.37", False, Environment(durations_of_ints=False)),
        ("kubernetes-1.37", True, Environment(durations_of_ints=False)),
    ],
)
def test_the_environment_of_a_profile(profile: str, gate: bool, expected: Environment) -> None:
    chosen = Profile.named(profile).with_gates({"DRAListTypeAttributes": gate})
    assert Environment.stored(ExpressionSwitches.of(chosen)) == expected


@pytest.mark.parametrize(
    ("expression", "environment", "message"),
    [
        (
            f"{ATTRIBUTES}.lanes.exists(x, x > 1)",
            Environment(lists=False),
            "expression of type 'any' cannot be range of a comprehension",
        ),
        ("dyn(true)", Environment(lists=False), "must evaluate to bool or the unknown type, not dyn"),
        (
            f"{ATTRIBUTES}.lanes.includes(2)",
            Environment(includes=False),
            "undeclared reference to 'includes'",
        ),
        (
            "duration(size(device.driver)) == duration(size(device.driver))",
            Environment(durations_of_ints=False),
            "found no matching overload for 'duration' applied to '(int)'",
        ),
    ],
)
def test_what_an_environment_lacks_does_not_compile(
    expression: str, environment: Environment, message: str
) -> None:
    cel.compile(expression)
    with pytest.raises(cel.CompileError) as raised:
        cel.compile(expression, environment)
    assert message in str(raised.value)


@pytest.mark.parametrize("lists", [True, False])
def test_an_attribute_may_be_the_whole_selector(lists: bool) -> None:
    program = cel.compile(f"{ATTRIBUTES}.healthy", Environment(lists=lists))
    assert program.evaluate(cel.DeviceView("dra.example.com", {"dra.example.com": {"healthy": True}}, {}))
