"""Putting cases of the suite to an implementation that is a class of these tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict

KEP_AND_RELEASE = ("kep", "kubernetes-1.37")
"""What the documents leave to components, such as the codes and events they tell, only releases show."""


def results(
    suite: LoadedSuite,
    implementation: type,
    operation: str,
    wanted: Callable[[Case], bool] = lambda case: True,
    *,
    profile: str = "kep",
    seed: int = 0,
) -> Sequence[CaseResult]:
    """What comes of the wanted cases of an operation."""
    asked = [case for case in suite.cases if case.operation == operation and wanted(case)]
    opened = InProcessImplementation(implementation, spec=implementation.__name__)
    events = run(opened, suite.as_suite(), applicable(asked, profile), settings=Settings(profile, seed=seed))
    return [event.result for event in events if isinstance(event, CaseFinished)]


def verdicts(
    suite: LoadedSuite,
    implementation: type,
    operation: str,
    requirement: str,
    profiles: Sequence[str] = ("kep",),
) -> set[Verdict]:
    """How the cases of a requirement end."""
    return {
        result.verdict
        for profile in profiles
        for result in results(
            suite, implementation, operation, lambda case: requirement in case.requirements, profile=profile
        )
    }
