"""The requirement that a failure of a driver or a kubelet probably violates, of those that its case cites."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports import failure_explanation
from dra_conform.reports.figures import charged
from dra_conform.reports.message_patterns import message_pattern
from dra_conform.reports.plainness import plainness

REQUIREMENTS_OF_A_MESSAGE = 3
"""From so many requirements on, failures with the same message have one cause."""


def leading_requirements(failures: Iterable[CaseResult]) -> dict[int, str]:
    """Return the requirement of each failure of a driver or a kubelet by `id`.

    It is the one that most failures cite, then the one that most of the others cite, and so on: one fault is
    more likely than several. Failures of several requirements with the same message have that of the plainest
    failure, because messages say what went wrong, such as an error of the driver.
    """
    of_nodes = [result for result in failures if violates_as_node(result)]
    leading = _most_cited(of_nodes)
    by_message: dict[str, list[CaseResult]] = defaultdict(list)
    for result in of_nodes:
        by_message[pattern_of(result)].append(result)
    for results in by_message.values():
        if len({leading[id(result)] for result in results}) >= REQUIREMENTS_OF_A_MESSAGE:
            plainest = leading[id(min(results, key=plainness))]
            leading |= {id(result): plainest for result in results}
    return leading


def _most_cited(failures: Iterable[CaseResult]) -> dict[int, str]:
    """Return the requirement of each failure that most failures cite, of equals the first of its case."""
    left: Mapping[int, tuple[str, ...]] = {id(result): charged(result) for result in failures}
    leading: dict[int, str] = {}
    while left:
        counts = Counter(name for names in left.values() for name in names)
        most = max(counts, key=lambda name: counts[name])
        leading |= {key: most for key, names in left.items() if most in names}
        left = {key: names for key, names in left.items() if most not in names}
    return leading


def violates_as_node(result: CaseResult) -> bool:
    """Return whether a driver or a kubelet violates a requirement in a result."""
    subject = OPERATIONS[result.case.operation].subject
    return result.verdict is Verdict.FAIL and subject != "control plane" and bool(result.case.requirements)


def pattern_of(result: CaseResult) -> str:
    """Return the pattern of the message of a failure."""
    return message_pattern(failure_explanation.headline(result))
