"""Cases depend on both interacting features and on their setup, and generated cases are current."""

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
def test_each_pair_of_features_interacts_in_two_positive_and_two_negative_cases(
    shipped_suite: LoadedSuite,
) -> None:
    counts: Counter[tuple[str, str, bool]] = Counter()
    for case in shipped_suite.cases:
        if case.operation != "allocate" or (case.profiles is not None and "kep" not in case.profiles):
            continue
        for feature, other in combinations(interacting(case), 2):
            if counts[feature, other, case.accepts] < 2:
                counts[feature, other, case.accepts] += both_bear(case, feature, other)
    wanted = [(*pair, accepts) for pair in combinations(INTERACTING, 2) for accepts in (True, False)]
    assert [result for result in wanted if counts[result] < 2] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "file"),
    [
        ("device_choice_interactions", "golden/dra/feature-interactions-of-three.yaml"),
        ("node_usage_interactions", "golden/kep-5517/feature-interactions-of-three.yaml"),
        ("kubelet_sequences", "golden/kubelet/sequences.yaml"),
    ],
)
def test_generated_cases_are_current(script: str, file: str) -> None:
    command = [sys.executable, f"tools/docs/{script}.py"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert (ROOT / file).read_text("utf-8") == printed


@pytest.mark.slow
def test_each_case_without_allocation_depends_on_its_setup(shipped_suite: LoadedSuite) -> None:
    refusals = [
        case
        for case in shipped_suite.cases
        if case.operation == "allocate"
        and not case.accepts
        and (case.profiles is None or "kep" in case.profiles)
    ]
    assert len(refusals) > 1000
    assert [case.id for case in refusals if not shows(case)] == []
