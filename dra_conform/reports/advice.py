"""What to do about a cause of failures: repair it, or declare what the implementation does not support."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.conformance.features import GATES, RESULT_PARTS
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, Verdict
from dra_conform.reports.causes import Cause
from dra_conform.reports.runs import Run


def advice(cause: Cause, run: Run) -> str:
    """Return one sentence for the author of the implementation, with the number of failures that go."""
    declared = run.started.implementation.features
    if cause.part:
        field = RESULT_PARTS[cause.part]
        return f"Fill in {field}, or declare `{cause.part}: none`: then {_failures(cause.alone)}."
    if cause.example.verdict is Verdict.OVERCLAIM:
        features = [name for name in sorted(cause.example.case.features) if declared.get(name) == "full"]
        named = ", ".join(f"`{name}: partial`" for name in features)
        return f"Answer these cases, or declare {named}: then {_failures(cause.alone)}." if named else ""
    if not cause.requirement:
        return ""
    repair = f"Repair {cause.requirement}: then at least {_failures(cause.alone)}." if cause.alone else ""
    return " ".join(filter(None, (repair, _declaration(cause, run))))


def _failures(count: int) -> str:
    return "1 failure goes" if count == 1 else f"{count} failures go"


def _declaration(cause: Cause, run: Run) -> str:
    """Return the advice to decline a feature of which most judged cases fail, empty if there is none."""
    common = set.intersection(*(set(result.case.features) for result in cause.results)) & GATES.keys()
    for feature in sorted(common):
        if run.started.implementation.features.get(feature) == "none":
            continue
        judged, failed = _counts(feature, run)
        if failed and 2 * failed >= judged:
            return f"If {feature} is not supported, declare `{feature}: none`: then {_failures(failed)}."
    return ""


def _counts(feature: str, run: Run) -> tuple[int, int]:
    verdicts: Sequence[Verdict] = [
        result.verdict for result in run.results if feature in result.case.features
    ]
    judged = sum(verdict in JUDGED for verdict in verdicts)
    return judged, sum(verdict in CONFORMANCE_FAILURES for verdict in verdicts)
