"""Failures of drivers and kubelets with the same message, which probably have one cause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports import failure_explanation
from dra_conform.reports.figures import charged
from dra_conform.reports.message_patterns import message_pattern
from dra_conform.reports.plainness import plainness

REQUIREMENTS_OF_A_MESSAGE = 3
"""From so many requirements on, failures with the same message have one cause."""


def leading_requirements(failures: Iterable[CaseResult]) -> dict[str, str]:
    """Return, by the message that failures of several requirements have, that of the plainest failure.

    Only drivers and kubelets have messages that say what went wrong, such as an error of the driver.
    """
    by_message: dict[str, list[CaseResult]] = defaultdict(list)
    for result in failures:
        if violates_as_node(result):
            by_message[pattern_of(result)].append(result)
    return {
        message: _violated(min(results, key=plainness))
        for message, results in by_message.items()
        if len({*map(_violated, results)}) >= REQUIREMENTS_OF_A_MESSAGE
    }


def violates_as_node(result: CaseResult) -> bool:
    """Return whether a driver or a kubelet violates a requirement in a result."""
    subject = OPERATIONS[result.case.operation].subject
    return result.verdict is Verdict.FAIL and subject != "control plane" and bool(result.case.requirements)


def pattern_of(result: CaseResult) -> str:
    """Return the pattern of the message of a failure."""
    return message_pattern(failure_explanation.headline(result))


def _violated(result: CaseResult) -> str:
    return next(iter(charged(result)))
