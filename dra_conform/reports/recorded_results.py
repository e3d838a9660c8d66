"""The recorded form of one result, and its typed decoding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

import msgspec

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.verdict import CaseResult, Finding, Kind, Verdict
from dra_conform.kube.json_values import Json
from dra_conform.reports import json_report

_Index = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
"""A duration; the sum of those of all cases is finite."""

_UID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


class FindingRecord(msgspec.Struct, frozen=True, rename="camel"):
    """A finding in the form that `json_report.result` writes.

    Raises ValueError, in decoding msgspec.ValidationError, for an unknown part of a result.
    """

    rule: str
    message: str
    case_step: _Index = 0
    step: _Index | None = None
    requirement: str = ""
    part: str = ""

    def __post_init__(self) -> None:
        if self.part and self.part not in RESULT_PARTS:
            raise ValueError(f"the part is {self.part!r}, expected one of {', '.join(RESULT_PARTS)}")


class ResultRecord(msgspec.Struct, frozen=True, rename="camel"):
    """The result of one case in the form that `json_report.result` and `record_of` write.

    Raises ValueError, in decoding msgspec.ValidationError, for a pass with the kind or findings of a failure.
    """

    case: str
    verdict: Verdict
    kind: Kind | None = None
    seconds: Seconds = 0.0
    deviation: str = ""
    as_documented: bool = False
    detail: str = ""
    findings: tuple[FindingRecord, ...] = ()
    expected: Json = None
    actual: Json = None
    why: tuple[str, ...] = ()
    log: str = ""

    def __post_init__(self) -> None:
        if self.verdict is Verdict.PASS and (self.kind or self.findings):
            raise ValueError("the verdict is pass, with the kind or findings of a failure")


def record_of(result: CaseResult) -> dict[str, Json]:
    """Return the result as in the JSON report; a result other than a failure keeps `why` and `log` too."""
    record: dict[str, Json] = json_report.result(result)
    if result.why:
        record["why"] = list(result.why)
    if result.log:
        record["log"] = result.log
    return record


def result_of(case: Case, profile: str, record: ResultRecord) -> CaseResult:
    """Convert a record to the result of its case."""
    return CaseResult(
        case=case,
        profile=profile,
        verdict=record.verdict,
        kind=record.kind,
        findings=tuple(
            Finding(
                finding.rule,
                finding.message,
                finding.step,
                finding.case_step,
                finding.requirement,
                finding.part,
            )
            for finding in record.findings
        ),
        expected=record.expected,
        actual=record.actual,
        deviation=record.deviation,
        as_documented=record.as_documented,
        detail=record.detail,
        log=record.log,
        why=record.why,
        seconds=record.seconds,
    )


def verdict_text(result: CaseResult | ResultRecord) -> str:
    """Return the verdict, with the kind of a failure: `fail: wrong-result`."""
    return f"{result.verdict}: {result.kind}" if result.kind else str(result.verdict)


def finding_texts(findings: Iterable[Finding | FindingRecord]) -> tuple[str, ...]:
    """Return the findings of a failure as sorted strings, to compare the failures of two runs.

    UIDs differ in each run, so `<uid>` replaces them.
    """
    return tuple(sorted({_UID.sub("<uid>", f"{finding.rule}: {finding.message}") for finding in findings}))
