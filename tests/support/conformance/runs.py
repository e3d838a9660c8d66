"""Runs of cases for tests."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Implementation, Suite
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.verdict import CaseResult


def results_by_case(implementation: Implementation, cases: Sequence[Case]) -> dict[str, CaseResult]:
    """Judge an implementation in the profile `kep`, and return the results by case."""
    settings = Settings()
    chosen = applicable(cases, settings.profile)
    events = run(implementation, Suite("", "", ""), chosen, settings=settings)
    return {event.result.case.id: event.result for event in events if isinstance(event, CaseFinished)}
