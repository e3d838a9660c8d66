"""The levels of a run, on the shipped suite."""

from __future__ import annotations

from dra_conform.conformance.levels import ALL, CORE, EXTENDED, at_level
from dra_conform.conformance.suite.loading import LoadedSuite


def test_core_has_a_start_for_allocators_within_extended_within_all(shipped_suite: LoadedSuite) -> None:
    core, extended = (at_level(shipped_suite.cases, level) for level in (CORE, EXTENDED))
    assert 300 <= sum(case.operation == "allocate" for case in core) <= 450
    assert {case.id for case in core} < {case.id for case in extended}
    assert at_level(shipped_suite.cases, ALL) == list(shipped_suite.cases)


def test_core_has_required_cases_without_gates_that_an_api_server_admits(shipped_suite: LoadedSuite) -> None:
    core = at_level(shipped_suite.cases, CORE)
    assert {case.level for case in core} == {"MUST"}
    assert not any(case.not_admitted or case.gates or "device-taints" in case.features for case in core)
    assert len({case.id.partition("[")[0] for case in core}) == len(core)
