"""What to do about a cause of failures: repair it, or declare what the implementation does not support."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from dra_conform.conformance.features import GATES, RESULT_PARTS
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, Kind, Verdict
from dra_conform.kube.listing import counted
from dra_conform.reports.causes import Cause
from dra_conform.reports.figures import is_malformed
from dra_conform.reports.runs import Run


def advice(cause: Cause, run: Run) -> str:
    """Return one sentence for the author of the implementation, with the number of resolved failures."""
    declared = run.started.implementation.features
    resolved = _resolved(cause)
    if cause.part:
        wanted = f"as {cause.requirement} requires" if cause.requirement else "to the expected value"
        resolves = (
            f", to resolve {resolved}." if cause.alone else ". All of these failures have another cause, too."
        )
        return f"Set {RESULT_PARTS[cause.part]} {wanted}, or declare `{cause.part}: none`{resolves}"
    if cause.feature:
        declaration = f"support it, or declare `{cause.feature}: none`, to resolve {resolved}"
        return f"No ResourceClaim that uses {cause.feature} is allocated: {declaration}."
    if cause.example.verdict is Verdict.OVERCLAIM:
        features = [name for name in sorted(cause.example.case.features) if declared.get(name) == "full"]
        named = ", ".join(f"`{name}: partial`" for name in features)
        if not named:
            return f"Answer these cases, or do not declare their operation, to resolve {resolved}."
        return f"Answer these cases, or declare {named}, to resolve {resolved}."
    if cause.example.kind is Kind.MUTATED_INPUT:
        return f"Copy the objects of the request before you change them, to resolve {resolved}."
    if is_malformed(cause.example):
        return f"Correct the form of these answers, to resolve {resolved}: their content was not judged."
    spec = run.started.implementation.spec
    if cause.example.verdict is Verdict.PROTOCOL and spec.startswith(("exec:", "python:")):
        check = shlex.join(["dra-conform", "adapter", "check", spec])
        return f"Run `{check}`, which says what to correct, to resolve {resolved}."
    if not cause.requirement:
        return ""
    several = cause.alone and len(cause.results) > 1  # A single failure shows its requirement anyway.
    fix = f"Meet {cause.requirement} to resolve at least {resolved}." if several else ""
    return " ".join(filter(None, (fix, _declaration(cause, run))))


def _resolved(cause: Cause) -> str:
    """Return how many failures a repair of the cause resolves: the others have another cause, too.

    The whole is the number of all failures with this cause, as in the list of main causes.
    """
    if cause.alone == len(cause.results):
        return counted(cause.alone, "failure")
    return f"{cause.alone} of these {counted(len(cause.results) + cause.also, 'failure')}"


def _declaration(cause: Cause, run: Run) -> str:
    """Return the advice to decline a feature of which most judged cases fail, empty if there is none."""
    common = set.intersection(*(set(result.case.features) for result in cause.results)) & GATES.keys()
    for feature in sorted(common):
        if run.started.implementation.features.get(feature) == "none":
            continue
        judged, failed = _counts(feature, run)
        if failed and 2 * failed >= judged:
            resolved = counted(failed, "failure")
            return f"If {feature} is not supported, declare `{feature}: none` to resolve {resolved}."
    return ""


def _counts(feature: str, run: Run) -> tuple[int, int]:
    verdicts: Sequence[Verdict] = [
        result.verdict for result in run.results if feature in result.case.features
    ]
    judged = sum(verdict in JUDGED for verdict in verdicts)
    return judged, sum(verdict in CONFORMANCE_FAILURES for verdict in verdicts)
