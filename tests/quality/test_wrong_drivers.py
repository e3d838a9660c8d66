"""Faulty DRA drivers fail a case of the requirement that they violate, and only what the fault concerns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dra_conform.adapters.driver import plugin_client, scenario
from dra_conform.adapters.driver.reference import reference_driver
from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from tests.faulty.drivers.catalogue import FAULTS
from tests.support.adapters.driver_runs import faulty_driver, judged

UNRELATED = ("driver/prepare/two-requests", "driver/unprepare/one-of-two-claims")
"""Cases of everyday work, which many faults do not concern."""

START_SECONDS = 10
"""The limit for drivers that never register or publish, so that tests do not wait for half a minute."""


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for a driver that is known to be faulty; health faults have timeouts of 3 seconds."""
    monkeypatch.setattr(plugin_client, "CALL_SECONDS", 10.0)
    monkeypatch.setattr(scenario, "HEALTH_SECONDS", 8.0)
    monkeypatch.setattr(scenario, "REPAIR_SECONDS", 15.0)


def cases_of(suite: LoadedSuite, requirements: Sequence[str]) -> list[Case]:
    return [case for case in suite.cases if set(requirements) & {*case.requirements}]


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_names_requirements_that_cases_show(shipped_suite: LoadedSuite, name: str) -> None:
    for requirement in (FAULTS[name].requirement, *FAULTS[name].also):
        assert cases_of(shipped_suite, [requirement]), requirement


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
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
@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.starts])
def test_a_faulty_driver_passes_cases_of_other_requirements(
    shipped_suite: LoadedSuite, name: str, tmp_path: Path
) -> None:
    fault = FAULTS[name]
    concerned = {fault.requirement, *fault.also}
    cases = [case for case in shipped_suite.cases if case.id in UNRELATED]
    assert len(cases) == len(UNRELATED)
    unconcerned = [case for case in cases if not concerned & {*case.requirements}]
    results = judged(faulty_driver(name), tmp_path, unconcerned)
    assert {case: (result.verdict, result.detail, result.findings) for case, result in results.items() if result.verdict is not Verdict.PASS} == {}  # fmt: skip


@pytest.mark.slow
def test_the_reference_driver_passes_all_cases_of_faults(shipped_suite: LoadedSuite, tmp_path: Path) -> None:
    requirements = {fault.requirement for fault in FAULTS.values()}
    cases = cases_of(shipped_suite, sorted(requirements))
    results = judged(reference_driver(), tmp_path, cases)
    assert {
        case: result.verdict for case, result in results.items() if result.verdict is not Verdict.PASS
    } == {}
