"""Faulty DRA drivers fail a case of the requirement that they violate, and only what the fault concerns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dra_conform.adapters.driver import kubelet_calls, node_slices, plugin_client, scenario
from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from dra_conform.reports.figures import charged, violates_only_other_requirements
from tests.faulty.drivers.catalogue import FAULTS
from tests.support.adapters.driver_runs import faulty_driver, judged
from tests.support.all_faults import tried

UNRELATED = {
    "registration": "driver/registration/newest-service-first",
    "slices": "driver/slices/no-writes-at-rest",
    "prepare": "driver/prepare/two-requests",
}
"""A case of everyday work by area; a fault concerns the areas of the requirements that it names."""

START_SECONDS = 10
"""The limit for drivers that never register or publish, so that tests do not wait for half a minute."""


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for a driver that is known to be faulty; health faults have timeouts of 3 seconds."""
    monkeypatch.setattr(node_slices, "QUIET_SECONDS", 0.5)
    monkeypatch.setattr(plugin_client, "CALL_SECONDS", 10.0)
    monkeypatch.setattr(kubelet_calls, "HEALTH_SECONDS", 8.0)
    monkeypatch.setattr(scenario, "REPAIR_SECONDS", 15.0)


def cases_of(suite: LoadedSuite, requirements: Sequence[str]) -> list[Case]:
    return [case for case in suite.cases if set(requirements) & {*case.requirements}]


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_names_requirements_that_cases_show(shipped_suite: LoadedSuite, name: str) -> None:
    for requirement in (FAULTS[name].requirement, *FAULTS[name].also):
        assert cases_of(shipped_suite, [requirement]), requirement


@pytest.mark.slow
@pytest.mark.parametrize("name", tried(FAULTS))
def test_a_faulty_driver_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, name: str, tmp_path: Path
) -> None:
    fault = FAULTS[name]
    cases = cases_of(shipped_suite, [fault.requirement])
    driver = faulty_driver(name, start_seconds=START_SECONDS if not fault.starts else 30)
    results = judged(driver, tmp_path, cases if fault.starts else cases[:1])
    failed = [case for case, result in results.items() if result.verdict in CONFORMANCE_FAILURES]
    assert failed, {case: result.verdict for case, result in results.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", tried(name for name, fault in FAULTS.items() if fault.starts))
def test_a_faulty_driver_passes_cases_of_other_requirements(
    shipped_suite: LoadedSuite, name: str, tmp_path: Path
) -> None:
    violated = {FAULTS[name].requirement, *FAULTS[name].also}
    areas = {requirement.split("/")[1] for requirement in violated}
    chosen = {case for area, case in UNRELATED.items() if area not in areas}
    cases = [case for case in shipped_suite.cases if case.id in chosen]
    assert len(cases) == len(chosen) > 0
    results = judged(faulty_driver(name), tmp_path, cases)
    wrong = [
        (case, result.findings)
        for case, result in results.items()
        if result.verdict is not Verdict.PASS
        and not (violates_only_other_requirements(result) and violated >= {*charged(result)})
    ]
    assert wrong == []
