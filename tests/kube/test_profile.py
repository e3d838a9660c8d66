"""Ranges of profiles: every form, open ends, and malformed ranges."""

from __future__ import annotations

import re

import pytest

from dra_conform.kube.gates import CHECKED_WITH
from dra_conform.kube.profile import KEP, KEP_FUTURE, PATTERN, RELEASE_PROFILES, Profile, profiles_in

RELEASES = list(CHECKED_WITH)
LAST = RELEASES[-1]


def named(*releases: str) -> frozenset[str]:
    return frozenset(f"kubernetes-{release}" for release in releases)


FORMS = {
    "kep": frozenset({KEP}),
    "kep-future": frozenset({KEP_FUTURE}),
    "in 1.33": named("1.33"),
    "in 1.35": named("1.35"),
    "since 1.36": named(*RELEASES[3:]),
    "since 1.33": named(*RELEASES),
    f"since {LAST}": named(LAST),
    "until 1.33": named("1.33"),
    "until 1.35": named("1.33", "1.34", "1.35"),
    "from 1.34 to 1.36": named("1.34", "1.35", "1.36"),
    "from 1.35 to 1.35": named("1.35"),
}


@pytest.mark.parametrize("text", FORMS)
def test_every_form(text: str) -> None:
    assert profiles_in(text) == FORMS[text]
    assert re.fullmatch(PATTERN, text)


def test_an_open_range_includes_later_releases() -> None:
    assert profiles_in("since 1.34") == set(RELEASE_PROFILES) - {"kubernetes-1.33"}
    assert profiles_in(f"until {LAST}") == set(RELEASE_PROFILES)


NO_RANGE = [
    "",
    "KEP",
    "1.36",
    "kubernetes-1.36",
    "since",
    "since 1.36 to 1.37",
    "from 1.36",
    "until 1.34 to 1.35",
    "in 1.36 ",
    "before 1.36",
    "in 2.0",
    "from 1.34 until 1.36",
]


@pytest.mark.parametrize("text", NO_RANGE)
def test_malformed_ranges(text: str) -> None:
    message = f"is {text!r}, expected kep, kep-future, in 1.35, since 1.36, until 1.35 or from 1.34 to 1.36"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        profiles_in(text)


@pytest.mark.parametrize(
    "text", ["in 1.32", "since 1.99", "until 1.1", "from 1.32 to 1.34", "from 1.34 to 1.99"]
)
def test_an_unknown_release(text: str) -> None:
    known = re.escape(", ".join(RELEASES))
    with pytest.raises(ValueError, match=rf"^names the release 1\.\d+, expected one of {known}$"):
        profiles_in(text)


def test_the_earlier_release_comes_first() -> None:
    with pytest.raises(ValueError, match=r"^is 'from 1\.36 to 1\.34', expected the earlier release first$"):
        profiles_in("from 1.36 to 1.34")


def test_a_gate_is_off_by_default_or_by_an_option() -> None:
    profile = Profile.named("kubernetes-1.36").with_gates({"DRADeviceTaints": False})
    gates = ("DRAListTypeAttributes", "DRADeviceTaintRules", "DRADeviceTaints")
    assert profile.why_off(gates) == (
        "DRAListTypeAttributes and DRADeviceTaintRules are off by default in kubernetes-1.36 "
        "and DRADeviceTaints is turned off by --gates"
    )
    older = Profile.named("kubernetes-1.34")
    assert older.why_off(["DRAListTypeAttributes"]) == "DRAListTypeAttributes is not in kubernetes-1.34"
