"""Cases of two features need both, refusals need what is given, and what is generated of three is current."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from dra_conform.conformance.suite.feature_pairs import INTERACTING, interacting
from dra_conform.conformance.suite.loading import LoadedSuite
from tests.support.quality.given_parts import shows
from tests.support.quality.stripping import both_bear

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_every_pair_bears_in_two_cases_that_accept_and_two_that_refuse(shipped_suite: LoadedSuite) -> None:
    found: Counter[tuple[str, str, bool]] = Counter()
    for case in shipped_suite.cases:
        if case.operation != "allocate" or (case.profiles is not None and "kep" not in case.profiles):
            continue
        for one, other in combinations(interacting(case), 2):
            if found[one, other, case.accepts] < 2:
                found[one, other, case.accepts] += both_bear(case, one, other)
    wanted = [(*pair, accepts) for pair in combinations(INTERACTING, 2) for accepts in (True, False)]
    assert [result for result in wanted if found[result] < 2] == []


@pytest.mark.parametrize(
    ("script", "file"),
    [
        ("device_choice_interactions", "golden/dra/feature-interactions-of-three.yaml"),
        ("node_usage_interactions", "golden/kep-5517/feature-interactions-of-three.yaml"),
    ],
)
def test_what_is_generated_of_three_features_is_current(script: str, file: str) -> None:
    command = [sys.executable, f"tools/docs/{script}.py"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert (ROOT / file).read_text("utf-8") == made


@pytest.mark.slow
def test_every_refusal_would_be_an_allocation_with_less_given(shipped_suite: LoadedSuite) -> None:
    refusals = [
        case
        for case in shipped_suite.cases
        if case.operation == "allocate"
        and not case.accepts
        and (case.profiles is None or "kep" in case.profiles)
    ]
    assert len(refusals) > 1000
    assert [case.id for case in refusals if not shows(case)] == []
