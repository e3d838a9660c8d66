"""The requirements that a failure is charged to: those of the case, or those of violated invariants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Finding, Verdict


def violates_only_other_requirements(result: CaseResult) -> bool:
    """Whether a failure does not count against the requirements of its case, because it violates only
    requirements that the case does not cite.

    Such a case shows neither that its own requirements are met nor that they are violated.
    """
    return (
        result.verdict is Verdict.FAIL
        and bool(result.findings)
        and all(finding.requirement not in ("", *result.case.requirements) for finding in result.findings)
    )


def charged(result: CaseResult) -> tuple[str, ...]:
    """Return the requirements that a failure shows as violated, each once."""
    if result.verdict not in CONFORMANCE_FAILURES:
        return ()
    own = () if violates_only_other_requirements(result) else result.case.requirements
    return tuple(dict.fromkeys((*own, *(finding.requirement for finding in invariants(result)))))


def invariants(result: CaseResult) -> Iterator[Finding]:
    """Yield the violations of invariants with a requirement of their own."""
    return (finding for finding in result.findings if finding.requirement)


def unexplained(result: CaseResult) -> Iterable[Finding]:
    """Return the unmet expectations that no violated invariant explains.

    A violated invariant about one result part explains the expectations of this part. Any other violated
    invariant explains all expectations, because the allocation as a whole is wrong.
    """
    parts = {finding.part for finding in invariants(result)}
    if "" in parts:
        return ()
    return [
        finding
        for finding in result.findings
        if not finding.requirement and (not finding.part or finding.part not in parts)
    ]
