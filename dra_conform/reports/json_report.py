"""The JSON report: the machine-readable contract of a run, described by `schemas/report.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dra_conform import __version__
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult
from dra_conform.reports import figures
from dra_conform.reports.headline import Headline, headline
from dra_conform.reports.plain import plain
from dra_conform.reports.runs import Run

Json = Any
FORMAT = "dra-conform-report/1"


def render(runs: Sequence[Run]) -> str:
    """One run as an object, several as `{"runs": [...]}`."""
    documents = [document(run) for run in runs]
    whole = documents[0] if len(documents) == 1 else {"format": FORMAT, "runs": documents}
    return json.dumps(whole, indent=1) + "\n"


def document(run: Run) -> Json:
    """One run as the report has it."""
    rows = figures.shown(run)
    documents = {
        name: _tally(figures.tally(of_document)) for name, of_document in figures.by_document(rows).items()
    }
    return {
        "format": FORMAT,
        "tool": {"name": "dra-conform", "version": __version__},
        "implementation": implementation(run),
        "profile": run.started.profile,
        "suite": suite(run),
        "started": run.started.started,
        "seconds": round(run.seconds, 6),
        "complete": not run.aborted,
        "aborted": run.aborted,
        "summary": summary(run.results),
        "headline": _headline(headline(run, rows)),
        "requirements": {**_tally(figures.tally(rows)), "documents": documents},
        "catalogue": {one.id: requirement(one) for one in run.started.catalogue},
        "results": [result(one) for one in run.results],
    }


def implementation(run: Run) -> Json:
    """Who was judged; what it did not say is left out."""
    identity = run.started.implementation
    said = {
        name: value
        for name in ("language", "homepage", "source", "spec")
        if (value := getattr(identity, name))
    }
    return {
        "name": identity.name,
        "version": identity.version,
        **said,
        "operations": sorted(identity.operations),
        "features": {name: str(support) for name, support in sorted(identity.features.items())},
    }


def suite(run: Run) -> Json:
    known = run.started.suite
    return {"name": known.name, "version": known.version, "fingerprint": known.fingerprint}


def requirement(one: Requirement) -> Json:
    """A requirement as the report has it, once for all results that name it."""
    return {"statement": one.statement, "level": str(one.level), "link": one.link}


def summary(results: Iterable[CaseResult]) -> Mapping[str, int]:
    """A count for every verdict, zeros included, and their `total`."""
    found = {verdict.value: count for verdict, count in figures.counts(results).items()}
    return {**found, "total": sum(found.values())}


def result(one: CaseResult) -> Json:
    """One result; what only failures have is left out where there is none of it."""
    found: dict[str, Json] = {
        "case": one.case.id,
        "title": one.case.title,
        "source": str(one.case.source),
        "requirements": list(one.case.requirements),
        "verdict": one.verdict.value,
        "kind": one.kind.value if one.kind else None,
        "seconds": round(one.seconds, 6),
    }
    if one.departure:
        found["departure"] = one.departure
    if one.as_documented:
        found["asDocumented"] = True
    if one.detail:
        found["detail"] = one.detail
    if one.findings:
        found["findings"] = [
            {"rule": finding.rule, "message": finding.message, "act": finding.act, "step": finding.step}
            for finding in one.findings
        ]
    if one.expected is not None:
        found["expected"] = plain(one.expected)
    if one.actual is not None:
        found["actual"] = plain(one.actual)
    return found


def _headline(said: Headline) -> Json:
    return {
        "correctness": {"right": said.right, "judged": said.judged, "share": said.correctness.figure},
        "breadth": {
            "takenOn": said.judged,
            "offered": said.offered,
            "declined": said.declined,
            "beyondRelease": said.beyond,
            "share": said.breadth.figure,
        },
        "requirements": _tally(said.requirements),
    }


def _tally(tally: figures.Tally) -> Json:
    return {"total": tally.total, "covered": tally.covered, "passed": tally.passed}
