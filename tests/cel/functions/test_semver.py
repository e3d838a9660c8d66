from __future__ import annotations

from itertools import combinations

import pytest

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.semantic_version import parse
from tests.support.cel.functions.calling import call, function

RISING = (
    "0.0.0-0",
    "0.0.0",
    "0.0.1",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1--",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
    "18446744073709551615.0.0",
)


@pytest.mark.parametrize(("low", "high"), tuple(combinations(RISING, 2)))
def test_precedence(low: str, high: str) -> None:
    a, b = function("semver", low), function("semver", high)
    assert (call("compareTo", a, b), call("compareTo", b, a)) == (-1, 1)
    assert call("isLessThan", a, b)
    assert not call("isGreaterThan", a, b)
    assert a != b


def test_build_metadata_does_not_count() -> None:
    assert parse("1.0.0+a.1") == parse("1.0.0+b") == parse("1.0.0")
    assert hash(parse("1.0.0+a")) == hash(parse("1.0.0"))
    assert str(parse("1.0.0-rc.1+a-b.01")) == "1.0.0-rc.1+a-b.01"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Version string empty"),
        ("1.0", "No Major.Minor.Patch elements found"),
        ("v1.0.0", 'Invalid character(s) found in major number "v1"'),
        ("01.0.0", 'Major number must not contain leading zeroes "01"'),
        ("1.00.0", 'Minor number must not contain leading zeroes "00"'),
        ("1.0.0.0", 'Invalid character(s) found in patch number "0.0"'),
        ("1..0", 'strconv.ParseUint: parsing "": invalid syntax'),
        ("18446744073709551616.0.0", "value out of range"),
        ("1.0.0-", "Prerelease is empty"),
        ("1.0.0-a..b", "Prerelease is empty"),
        ("1.0.0-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.0.0-a_b", 'Invalid character(s) found in prerelease "a_b"'),
        ("1.0.0+", "Build meta data is empty"),
        ("1.0.0+a/b", 'Invalid character(s) found in build meta data "a/b"'),
        ("\u0661.0.0", "Invalid character(s) found in major number"),
        (" 1.0.0", "Invalid character(s) found in major number"),
    ],
)
def test_strictness(text: str, message: str) -> None:
    assert function("isSemver", text) is False
    with pytest.raises(EvaluationError) as e:
        function("semver", text)
    assert message in str(e.value)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("v1.0.0", "1.0.0"),
        ("1.0", "1.0.0"),
        ("v1", "1.0.0"),
        ("01.01.01", "1.1.1"),
        ("00.1.2", "0.1.2"),
        ("1.2.3-rc.1+b", "1.2.3-rc.1+b"),
    ],
)
def test_normalization(text: str, normal: str) -> None:
    assert function("isSemver", text, True)
    assert str(function("semver", text, True)) == normal


@pytest.mark.parametrize("text", ["1.0-rc", "v1+b", "vv1.0.0", " v1.0.0", ""])
def test_what_normalization_does_not_repair(text: str) -> None:
    assert function("isSemver", text, True) is False


def test_parts() -> None:
    version = function("semver", "1.22.333")
    assert [call(part, version) for part in ("major", "minor", "patch")] == [1, 22, 333]
