"""Run cases of the suite on an implementation that is a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict

KEP_AND_RELEASE = ("kep", "kubernetes-1.37")
"""Profiles of the specification and a release. Unspecified codes and events are tested only in the release."""


def results(
    suite: LoadedSuite,
    implementation: type,
    operation: str,
    wanted: Callable[[Case], bool] = lambda case: True,
    *,
    profile: str = "kep",
    seed: int = 0,
) -> Sequence[CaseResult]:
    """Return the results of the wanted cases of an operation."""
    cases = [case for case in suite.cases if case.operation == operation and wanted(case)]
    opened = InProcessImplementation(implementation, spec=implementation.__name__)
    events = run(opened, suite.as_suite(), applicable(cases, profile), settings=Settings(profile, seed=seed))
    return [event.result for event in events if isinstance(event, CaseFinished)]


def verdicts(
    suite: LoadedSuite,
    implementation: type,
    operation: str,
    requirement: str,
    profiles: Sequence[str] = ("kep",),
) -> set[Verdict]:
    """Return the verdicts of the cases of a requirement."""
    return {
        result.verdict
        for profile in profiles
        for result in results(
            suite, implementation, operation, lambda case: requirement in case.requirements, profile=profile
        )
    }
