"""The JSON report, described by `schemas/report.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from dra_conform import __version__
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult, Finding
from dra_conform.kube.json_values import Json
from dra_conform.reports import figures
from dra_conform.reports.headline import Headline, headline
from dra_conform.reports.plain import plain
from dra_conform.reports.runs import Run

FORMAT = "dra-conform-report/1"


def render(runs: Sequence[Run]) -> str:
    """Render one run as an object, several runs as `{"runs": [...]}`."""
    documents = [document(run) for run in runs]
    whole = documents[0] if len(documents) == 1 else {"format": FORMAT, "runs": documents}
    return json.dumps(whole, indent=1) + "\n"


def document(run: Run) -> Json:
    """Return one run in the form of the report."""
    rows = figures.requirement_results(run)
    documents = {
        name: _tally(figures.tally(of_document)) for name, of_document in figures.by_document(rows).items()
    }
    ledger = run.started.known_failures
    known = {} if ledger is None else {"ledger": {"file": ledger.file, "published": ledger.published}}
    return {
        "format": FORMAT,
        "tool": {"name": "dra-conform", "version": __version__},
        "implementation": implementation(run),
        "profile": run.started.profile,
        "level": run.started.level,
        "options": [*run.started.options, *run.started.selection],
        **known,
        "suite": suite(run),
        "started": run.started.started,
        "seconds": round(run.seconds, 6),
        "complete": not run.aborted,
        "aborted": run.aborted,
        "summary": summary(run.results),
        "headline": _headline(headline(run, rows)),
        "requirements": {**_tally(figures.tally(rows)), "documents": documents},
        "catalogue": {item.id: requirement(item) for item in run.started.catalogue},
        "results": [result(item) for item in run.results],
    }


def implementation(run: Run) -> Json:
    """Return the identity of the implementation; empty fields are omitted."""
    identity = run.started.implementation
    optional = {
        name: value
        for name in ("language", "homepage", "source", "spec", "components")
        if (value := getattr(identity, name))
    }
    return {
        "name": identity.name,
        "version": identity.version,
        **optional,
        "operations": sorted(identity.operations),
        "features": {name: str(support) for name, support in sorted(identity.features.items())},
    }


def suite(run: Run) -> Json:
    """Return name, version and fingerprint of the suite."""
    known = run.started.suite
    return {"name": known.name, "version": known.version, "fingerprint": known.fingerprint}


def requirement(item: Requirement) -> Json:
    """Return a requirement in the form of the report; it appears once for all results that name it."""
    return {"statement": item.statement, "level": str(item.level), "link": item.link}


def summary(results: Iterable[CaseResult]) -> Mapping[str, int]:
    """Return the count of each verdict, including zeros, and the `total`."""
    total = {verdict.value: count for verdict, count in figures.counts(results).items()}
    return {**total, "total": sum(total.values())}


def result(case_result: CaseResult) -> Json:
    """Return one result; fields that only failures have are omitted if empty."""
    record: dict[str, Json] = {
        "case": case_result.case.id,
        "title": case_result.case.title,
        "source": str(case_result.case.source),
        "requirements": list(case_result.case.requirements),
        "verdict": case_result.verdict.value,
        "kind": case_result.kind.value if case_result.kind else None,
        "seconds": round(case_result.seconds, 6),
    }
    if case_result.deviation:
        record["deviation"] = case_result.deviation
    if case_result.as_documented:
        record["asDocumented"] = True
    if case_result.only_recommended:
        record["onlyRecommended"] = True
    if case_result.detail:
        record["detail"] = case_result.detail
    if case_result.findings:
        record["findings"] = list(map(_finding, case_result.findings))
    if case_result.expected is not None:
        record["expected"] = plain(case_result.expected)
    if case_result.actual is not None:
        record["actual"] = plain(case_result.actual)
    return record


def _finding(finding: Finding) -> Json:
    optional = {"requirement": finding.requirement, "part": finding.part}
    return {
        "rule": finding.rule,
        "message": finding.message,
        "caseStep": finding.case_step,
        "step": finding.step,
        **{name: value for name, value in optional.items() if value},
    }


def _headline(figures_of_run: Headline) -> Json:
    return {
        "correctness": {
            "right": figures_of_run.must_right,
            "judged": figures_of_run.must_judged,
            "share": figures_of_run.correctness.figure,
        },
        "breadth": {
            "takenOn": figures_of_run.judged,
            "offered": figures_of_run.offered,
            "declined": figures_of_run.declined,
            "beyondRelease": figures_of_run.beyond,
            "share": figures_of_run.breadth.figure,
        },
        "requirements": _tally(figures_of_run.requirements),
    }


def _tally(tally: figures.Tally) -> Json:
    return {
        "total": tally.total,
        "covered": tally.covered,
        "passed": tally.passed,
        "takenOn": tally.taken_on,
        "declined": tally.declined,
    }
