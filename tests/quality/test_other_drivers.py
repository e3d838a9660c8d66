"""Correct drivers pass, whatever they choose where the documents leave a choice."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.support.adapters.driver_nodes import short_temporary_folder
from tests.support.adapters.driver_runs import faulty_driver, judged
from tests.support.adapters.other_drivers import OTHER_DRIVERS
from tests.support.all_faults import tried


@pytest.mark.slow
@pytest.mark.parametrize("name", tried(OTHER_DRIVERS))
def test_a_correct_driver_fails_no_case(shipped_suite: LoadedSuite, name: str, tmp_path: Path) -> None:
    driver = msgspec.structs.replace(
        faulty_driver(name),
        command=(sys.executable, "-P", "-m", "tests.support.adapters.other_drivers", name),
        variants={},
    )
    cases = [case for case in shipped_suite.cases if case.id.startswith("driver/")]
    with short_temporary_folder():  # A driver may leave files beside the folders of its node.
        results = judged(driver, tmp_path, cases)
    failed = {case: result for case, result in results.items() if result.verdict not in _FINE}
    assert {case: (result.verdict, result.detail, result.findings) for case, result in failed.items()} == {}
    assert sum(result.verdict is Verdict.PASS for result in results.values()) > (
        15 if name == "answers-without-devices" else 40
    )


_FINE = (Verdict.PASS, Verdict.UNSUPPORTED)
