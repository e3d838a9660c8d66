"""The request policy for one value (KEP-5075/rounding, KEP-5075/default)."""

from __future__ import annotations

import pytest

from dra_conform.capacity import NOT_REPRESENTABLE, Consumed, PolicyViolation, consume
from dra_conform.capacity.policy import ABOVE_MAX, INVALID_STEP, NOT_IN_VALID_VALUES, OFF_STEP
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Format, Quantity
from dra_conform.kube.resource import DeviceCapacity
from dra_conform.kube.switches.allocation import CapacitySwitches
from dra_conform.kube.switches.values import Arithmetic
from tests.support.capacity.policies import capacity, quantity

EXACT, WHOLE = Arithmetic.EXACT, Arithmetic.WHOLE

STEPS = capacity("12", default="5", minimum="2", maximum="11", step="3")
RANGE = capacity("10", default="2", minimum="2", maximum="9")
LISTED = capacity("16", default="2", values=("1", "2", "4", "8"))
BYTES = capacity("10Gi", default="1Mi", minimum="1Mi", step="8")
FRACTIONS = capacity("1", default="200m", minimum="200m", maximum="1", step="100m")
MISALIGNED = capacity("10", default="2", minimum="2", maximum="6", step="3")
NO_POLICY = capacity("10", policy=False)
DEFAULT_ONLY = capacity("10", default="4")
ZERO_ONLY = capacity("1", default="0", values=("0",))
GIGS = capacity("4Gi", default="1Gi", values=("1Gi", "2Gi"))


@pytest.mark.parametrize("arithmetic", [EXACT, WHOLE])
@pytest.mark.parametrize(
    ("of", "requested", "consumed"),
    [
        (STEPS, "0", "2"),
        (STEPS, "1", "2"),
        (STEPS, "2", "2"),
        (STEPS, "3", "5"),
        (STEPS, "5", "5"),
        (STEPS, "6", "8"),
        (STEPS, "9", "11"),
        (STEPS, "11", "11"),
        (STEPS, None, "5"),
        (BYTES, "1048577", "1048584"),
        (BYTES, "5Gi", "5Gi"),
        (BYTES, "1", "1Mi"),
        (BYTES, None, "1Mi"),
        (capacity("20", default="3", minimum="3", step="4"), "4", "7"),
        (capacity("20", default="0", minimum="0", step="4"), "8", "8"),
        (RANGE, "7", "7"),
        (RANGE, "2500m", "2500m"),
        (RANGE, "9", "9"),
        (LISTED, "0", "1"),
        (LISTED, "3", "4"),
        (LISTED, "1500m", "2"),
        (LISTED, "8", "8"),
        (LISTED, None, "2"),
        (GIGS, "1024Mi", "1Gi"),
        (GIGS, "1G", "1Gi"),
        (ZERO_ONLY, None, "0"),
        (ZERO_ONLY, "0", "0"),
        (NO_POLICY, "0", "0"),
        (NO_POLICY, "1m", "1m"),
        (NO_POLICY, "99", "99"),
        (NO_POLICY, None, "10"),
        (DEFAULT_ONLY, "1", "1"),
        (DEFAULT_ONLY, "0", "0"),
        (DEFAULT_ONLY, None, "4"),
        (capacity("10"), None, "10"),
        (capacity("12", default="8", minimum="2", step="3"), None, "8"),
        (capacity("10", default="4", maximum="9"), "1", "1"),
        (MISALIGNED, "5", "5"),
    ],
)
def test_consumes(of: DeviceCapacity, requested: str | None, consumed: str, arithmetic: Arithmetic) -> None:
    assert consume(of, quantity(requested), arithmetic) == Consumed(Quantity.parse(consumed))


@pytest.mark.parametrize("arithmetic", [EXACT, WHOLE])
@pytest.mark.parametrize(
    ("of", "requested", "rule", "message"),
    [
        (STEPS, "12", ABOVE_MAX, "12, rounded up to 14, is above max 11"),
        (RANGE, "9001m", ABOVE_MAX, "9001m is above max 9"),
        (MISALIGNED, "6", ABOVE_MAX, "6, rounded up to 8, is above max 6"),
        (LISTED, "9", NOT_IN_VALID_VALUES, "9 is above all valid values 1, 2, 4, 8"),
        (ZERO_ONLY, "1", NOT_IN_VALID_VALUES, "1 is above all valid values 0"),
        (capacity("10", minimum="1", maximum="5"), None, ABOVE_MAX, "the full value 10 is above max 5"),
        (
            capacity("10", minimum="0", step="3"),
            None,
            OFF_STEP,
            "the full value 10 is not min 0 plus steps of 3",
        ),
        (capacity("10", minimum="1", step="0"), "3", INVALID_STEP, "step 0 is not positive"),
        (capacity("10", step="2"), "3", OFF_STEP, "3 is not min None plus steps of 2"),
    ],
)
def test_violations(
    of: DeviceCapacity, requested: str | None, rule: str, message: str, arithmetic: Arithmetic
) -> None:
    assert consume(of, quantity(requested), arithmetic) == PolicyViolation(rule, message)


@pytest.mark.parametrize(
    ("requested", "exact", "whole"),
    [("250m", "300m", "1"), ("300m", "300m", "1"), ("100m", "200m", "200m"), ("1", "1", "1")],
)
def test_fractional_steps(requested: str, exact: str, whole: str) -> None:
    assert consume(FRACTIONS, quantity(requested), EXACT) == Consumed(Quantity.parse(exact))
    assert consume(FRACTIONS, quantity(requested), WHOLE) == Consumed(Quantity.parse(whole))


def test_the_format_of_a_rounded_quantity() -> None:
    thousands = capacity("9k", default="1k", minimum="1k", step="1k")
    exact = consume(thousands, quantity("1500"), EXACT)
    whole = consume(thousands, quantity("1500"), WHOLE)
    assert isinstance(exact, Consumed)
    assert isinstance(whole, Consumed)
    assert (str(exact.amount), str(whole.amount)) == ("2k", "2000")
    assert whole.amount.format is Format.BINARY_SI


def test_releases_accept_a_default_that_violates_its_range() -> None:
    broken = capacity("10", default="8", minimum="1", maximum="5")
    assert consume(broken, quantity("8"), WHOLE) == Consumed(Quantity.parse("8"))
    assert isinstance(consume(broken, quantity("8"), EXACT), PolicyViolation)
    assert consume(broken, None, EXACT) == Consumed(Quantity.parse("8"))


def test_a_rounded_quantity_equals_the_default_only_in_the_same_format() -> None:
    stepped = consume(capacity("10", default="8", minimum="2", maximum="5", step="3"), quantity("7"), WHOLE)
    assert stepped == PolicyViolation(ABOVE_MAX, "7, rounded up to 8, is above max 5")


@pytest.mark.parametrize(
    ("profile", "gates", "arithmetic"),
    [
        ("kep", {}, EXACT),
        ("kep", {"DRAFractionalCapacityRange": False}, EXACT),
        ("kubernetes-1.34", {}, WHOLE),
        ("kubernetes-1.36", {}, WHOLE),
        ("kubernetes-1.37", {}, Arithmetic.UNITS),
        ("kubernetes-1.37", {"DRAFractionalCapacityRange": True}, Arithmetic.MILLI),
    ],
)
def test_arithmetic_of_a_profile(profile: str, gates: dict[str, bool], arithmetic: Arithmetic) -> None:
    assert CapacitySwitches.of(Profile.named(profile).with_gates(gates)).arithmetic is arithmetic


@pytest.mark.parametrize(
    ("minimum", "step", "requested", "consumed"),
    [
        ("200m", "100m", "250m", "300m"),
        ("1", "3", "5", "7"),
        ("200m", "100m", "200000001n", None),
        ("1", "3", "999999999999999998", None),
        ("1", "1n", "2500m", "3"),
        ("1Ei", "1Ei", "1152921504606846977", "2Ei"),
        ("4Ei", "3Ei", "5Ei", "7Ei"),
        ("4Ei", "3Ei", "8500000000000000000", None),
    ],
)
def test_milli_units_of_1_37(minimum: str, step: str, requested: str, consumed: str | None) -> None:
    of = capacity("8Ei", default=minimum, minimum=minimum, step=step)
    found = consume(of, quantity(requested), Arithmetic.MILLI)
    if consumed is None:
        assert isinstance(found, PolicyViolation)
        assert found.rule == NOT_REPRESENTABLE
    else:
        assert found == Consumed(quantity(consumed))
