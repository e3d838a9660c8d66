"""Run cases of the suite on an implementation that is a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.support.shipped import shipped_suite

KEP_AND_RELEASE = ("kep", "kubernetes-1.37")
"""Profiles of the specification and a release. Unspecified codes and events are tested only in the release."""


def _results(
    suite: LoadedSuite,
    implementation: type,
    operation: str,
    wanted: Callable[[Case], bool],
    settings: Settings,
) -> Iterator[CaseResult]:
    """Yield the results of the wanted cases of an operation. A case is run when its result is asked for."""
    cases = [case for case in suite.cases if case.operation == operation and wanted(case)]
    opened = InProcessImplementation(implementation, spec=implementation.__name__)
    events = run(opened, suite.as_suite(), applicable(cases, settings.profile), settings=settings)
    return (event.result for event in events if isinstance(event, CaseFinished))


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
    return [*_results(suite, implementation, operation, wanted, Settings(profile, seed=seed))]


def _verdicts(
    suite: LoadedSuite, implementation: type, operation: str, requirement: str, profiles: Sequence[str]
) -> Iterator[Verdict]:
    """Yield the verdicts of the cases of a requirement, profile by profile."""
    for profile in profiles:
        found = _results(
            suite, implementation, operation, lambda case: requirement in case.requirements, Settings(profile)
        )
        yield from (result.verdict for result in found)


def verdicts(
    suite: LoadedSuite,
    implementation: type,
    operation: str,
    requirement: str,
    profiles: Sequence[str] = ("kep",),
) -> set[Verdict]:
    """Return the verdicts of the cases of a requirement."""
    return set(_verdicts(suite, implementation, operation, requirement, profiles))


def fails(suite: LoadedSuite, implementation: type, operation: str, requirement: str) -> bool:
    """Return whether a case of the requirement fails, in the specification or a release.

    No case after that one is run.
    """
    return Verdict.FAIL in _verdicts(suite, implementation, operation, requirement, KEP_AND_RELEASE)


@cache
def passes(correct: type, operation: str, requirement: str) -> bool:
    """Return whether there are cases of the requirement and a correct implementation passes all of them.

    They are run once for all faulty implementations that violate the requirement.
    """
    found = verdicts(shipped_suite(), correct, operation, requirement, KEP_AND_RELEASE)
    return found == {Verdict.PASS}
