"""One result as a line of events has it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.verdict import CaseResult, Finding, Kind, Verdict
from dra_conform.reports import json_report

Json = Any


def record_of(result: CaseResult) -> dict[str, Json]:
    """The result of the JSON report with its why and log, if it has them."""
    found: dict[str, Json] = json_report.result(result)
    if result.why:
        found["why"] = list(result.why)
    if result.log:
        found["log"] = result.log
    return found


def result_of(case: Case, profile: str, record: Mapping[str, Json]) -> CaseResult:
    """The result that a record is of; raises KeyError, TypeError and ValueError for what is no record."""
    findings = record.get("findings", ())
    return CaseResult(
        case=case,
        profile=profile,
        verdict=Verdict(record["verdict"]),
        kind=Kind(record["kind"]) if record["kind"] else None,
        findings=tuple(Finding(one["rule"], one["message"], one["step"], one["act"]) for one in findings),
        expected=record.get("expected"),
        actual=record.get("actual"),
        departure=record.get("departure", ""),
        as_documented=record.get("asDocumented", False),
        detail=record.get("detail", ""),
        log=record.get("log", ""),
        why=tuple(record.get("why", ())),
        seconds=record["seconds"],
    )
