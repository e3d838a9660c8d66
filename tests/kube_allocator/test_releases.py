"""Each release's allocator passes the suite in the profile of the release, except known failures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from tests.support.kube_allocator.builds import ROOT, all_are_tested, build, chosen

pytestmark = pytest.mark.slow

RELEASES = {
    "v0.34.0": "kubernetes-1.34",
    "v0.34.13": "kubernetes-1.34",
    "v0.35.10": "kubernetes-1.35",
    "v0.36.0": "kubernetes-1.36",
    "v0.36.6": "kubernetes-1.36",
    "v0.37.2": "kubernetes-1.37",
    "v0.38.0-alpha.0": "kubernetes-1.38",
}
VARIANTS = ("stable", "incubating", "experimental")


WRONG_DEVICE = (
    "1.34 checks the amounts of the n-th device of a request a second time against the n-th device of its slice, "
    "whichever that is, and panics where the slice has none"
)
BY_ADDRESS = (
    "1.34 compares the addresses of attribute values, so that distinctAttribute never finds two equal"
)
CLASS_CONFIG = "v0.34.0 lists the configuration of a class once for each request that uses it, without the request's name"
RULES_PANIC = "v0.36.0 panics on every DeviceTaintRule: it takes them for another version of the API"
ALL_PANICS = "v0.36.0 panics where a request of mode All meets a device that draws counters"
COUNTERS = (
    "v0.36.0 keeps the counters of devices that it passed over or gave up, mixes pools of the same name of two "
    "drivers, and forgets the counters of devices that have shares from before"
)

LARGE_COUNTS = (
    "v0.34.0, v0.36.0 and v0.38.0-alpha.0 make room for as many devices as a request asks for, and panic or find no "
    "end where these are more than they can hold; later patches refuse the claim first"
)
NO_64_BITS = (
    "until 1.36 amounts are rounded in 64 bits and wrap around, so that a request beyond them gets a share of "
    "less, even of less than nothing"
)
STEP_PANICS = (
    "a step that 64 bits cannot hold is taken for zero, and the allocator panics when it divides by zero"
)
ALIASED = (
    "until 1.36 a request with more digits than 64 bits hold grows by what the attempt has taken each time that it "
    "is compared with it"
)
_STEPS = {
    "kep-5075/extreme-amounts/step-beyond-64-bits*": STEP_PANICS,
    "kep-5075/extreme-amounts/step-of-zero*": STEP_PANICS,
}
_WRAPPING = {
    **_STEPS,
    "kep-5075/extreme-amounts/rounded-up-beyond-64-bits*": NO_64_BITS,
    "kep-5075/extreme-amounts/beyond-64-bits-next-device*": NO_64_BITS,
    "kep-5075/extreme-amounts/all-devices-beyond-64-bits*": NO_64_BITS,
}
_COUNTS = {
    "dra/limits/sum-of-counts-beyond-64-bits*": LARGE_COUNTS,
    "dra/limits/subrequest-count-near-64-bits": LARGE_COUNTS,
}
_ALIASING = {
    **_WRAPPING,
    "kep-5075/extreme-amounts/many-digits-after-backtracking[[]*n]": ALIASED,
}

_OF_1_34 = {
    **_WRAPPING,
    "kep-5075/all-mode/all-not-distinct": BY_ADDRESS,
    "kep-5075/constraints/full-device-does-not-count": WRONG_DEVICE,
    "kep-5075/constraints/*": BY_ADDRESS,
    **dict.fromkeys(
        (
            "kep-5075/all-mode/*",
            "kep-5075/defaults/*",
            "kep-5075/filter/*",
            "kep-5075/interactions/*",
            "kep-5075/notations/capacity-in-other-notation-filled*",
            "kep-5075/prioritized-list/*",
            "kep-5075/rounding/*",
            "kep-5075/several-capacities/*",
            "kep-5075/sharing/*",
            "kep-5075/status/*",
        ),
        WRONG_DEVICE,
    ),
}
DEPARTURES = {
    "v0.34.0": {
        **_OF_1_34,
        **_COUNTS,
        "dra/at-the-limits/class-config-32-entries-recorded": CLASS_CONFIG,
        "dra/config-scopes/*": CLASS_CONFIG,
        "dra/configuration/*": CLASS_CONFIG,
        "dra/prioritized-list/class-config-of-choice*": CLASS_CONFIG,
        "dra/prioritized-list/config-of-other-subrequest*": CLASS_CONFIG,
        "dra/sizes/five-class-configurations": CLASS_CONFIG,
        "dra/what-is-recorded/class-parameters-unchanged*": CLASS_CONFIG,
    },
    "v0.34.13": _OF_1_34,
    "v0.35.10": _ALIASING,
    "v0.36.6": _ALIASING,
    "v0.37.2": _STEPS,
    "v0.38.0-alpha.0": {**_STEPS, **_COUNTS},
    "v0.36.0": {
        **_ALIASING,
        **_COUNTS,
        "dra/eviction/*": RULES_PANIC,
        "dra/features-together/*": RULES_PANIC,
        "dra/interactions/all-partitions-*": ALL_PANICS,
        "dra/interactions/*-partition-frees-counter": COUNTERS,
        "dra/names-alike/same-device-name-own-counters*": COUNTERS,
        "dra/other-shapes/*": RULES_PANIC,
        "dra/partitionable-devices/example-both-devices*": ALL_PANICS,
        "dra/partitionable-devices/*": COUNTERS,
        "dra/sizes/*": RULES_PANIC,
        "dra/taint-rules*/*": RULES_PANIC,
        "dra/tainted-devices-in-use/*": RULES_PANIC,
        "dra/feature-interactions-of-three/mode-all-*": ALL_PANICS,
        "kep-5004/left-over-claims/*": RULES_PANIC,
        "kep-5075/other-features/*": COUNTERS,
        "kep-5075/partition*/*": COUNTERS,
        "kep-5963/all-mode/*": ALL_PANICS,
    },
}
"""Deviations of builds that cases do not state. An entry without a failure fails the test."""


@pytest.mark.parametrize("release", chosen(RELEASES))
def test_every_failure_is_known(release: str, tmp_path: Path) -> None:
    failures = _failures(f"exec:{build(release)}", RELEASES[release], tmp_path)
    departures = DEPARTURES.get(release, {})
    assert _unexplained(failures, departures) == {}
    unused = [pattern for pattern in departures if not any(fnmatchcase(case, pattern) for case in failures)]
    assert unused == []


@pytest.mark.skipif(not all_are_tested(), reason="seven minutes, and the release chooses among them itself")
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_failure_of_variants_of_1_36_is_known(variant: str, tmp_path: Path) -> None:
    failures = _failures(f"exec:{build('v0.36.6')} --variant {variant}", "kubernetes-1.36", tmp_path)
    assert _unexplained(failures, {**DEPARTURES["v0.36.6"], **SLOW.get(variant, {})}) == {}


SLOW = {"stable": {"dra/sizes/list-shrinks-*-request": "it tries too many ways for the time there is"}}


def _unexplained(failures: Mapping[str, str], departures: Mapping[str, str]) -> dict[str, str]:
    return {
        case: verdict
        for case, verdict in failures.items()
        if not any(fnmatchcase(case, pattern) for pattern in departures)
    }


def _failures(spec: str, profile: str, tmp_path: Path) -> dict[str, str]:
    report = tmp_path / "report.json"
    command = [
        sys.executable,
        "-m",
        "dra_conform",
        "run",
        "-i",
        spec,
        "--profile",
        profile,
        "--json",
        str(report),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1800)
    assert report.exists(), done.stdout + done.stderr
    results: list[dict[str, Any]] = json.loads(report.read_text())["results"]
    assert len(results) > 500
    return {one["case"]: one["verdict"] for one in results if one["verdict"] not in {"pass", "unsupported"}}
