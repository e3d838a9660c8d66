"""Correct kubelets pass, whatever they choose where the statements leave a choice."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.right.kubelets import RIGHT
from tests.support.adapters.kubelet_runs import correct_kubelet, judged
from tests.support.all_faults import tried

SLOW = "kubelet/time-limits/"
"""Cases that take up to a minute each."""


@pytest.mark.slow
@pytest.mark.parametrize("name", tried(RIGHT))
def test_a_correct_kubelet_fails_no_case(shipped_suite: LoadedSuite, name: str) -> None:
    cases = [
        case
        for case in shipped_suite.cases
        if case.id.startswith("kubelet/") and not case.id.startswith(SLOW)
    ]
    results = judged(correct_kubelet(name), cases)
    failed = {
        case: result.findings
        for case, result in results.items()
        if result.verdict is not Verdict.PASS and not result.only_recommended
    }
    assert failed == {}
    assert len(results) > 150
