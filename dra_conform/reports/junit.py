"""JUnit XML: one testsuite per area of each document, one testcase per case."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, NO_ANSWER, CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.headline import headline
from dra_conform.reports.runs import Run


def render(runs: Sequence[Run]) -> str:
    """Render the runs as one JUnit XML file.

    A wrong answer is a `failure`, a missing answer an `error`, an unsupported case `skipped`.
    """
    root = ET.Element("testsuites", name="dra-conform")
    for run in runs:
        _add_run(root, run, several=len(runs) > 1)
    results = [result for run in runs for result in run.results]
    _count(root, results, sum(run.seconds for run in runs))
    for name in ("tests", "errors"):
        root.set(name, str(int(root.get(name, "0")) + sum(map(bool, map(_incomplete, runs)))))
    for element in root.iter():
        element.text = printable(element.text or "") or None
        element.attrib.update({name: printable(value) for name, value in element.attrib.items()})
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add_run(root: ET.Element, run: Run, *, several: bool) -> None:
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    again = failure_explanation.again_of(run.started)
    shares = {share.name.lower(): f"{share.figure}, {share.meaning}" for share in headline(run).shares}
    suites: dict[str, list[CaseResult]] = {}
    if problem := _incomplete(run):
        _add_incomplete(root, run, problem)
    for result in run.results:
        document, area = figures.place(result.case, catalogue)
        suites.setdefault(f"{document}/{area}" if area else document, []).append(result)
    for name, results in suites.items():
        shown_name = f"{run.name}/{name}" if several else name
        suite = ET.SubElement(root, "testsuite", name=shown_name)
        _count(suite, results, sum(result.seconds for result in results))
        if run.started.started:
            suite.set("timestamp", run.started.started)
        _add_properties(suite, run, shares)
        for result in results:
            case = ET.SubElement(
                suite,
                "testcase",
                classname=f"{run.started.implementation.name}.{run.started.profile}.{name}",
                name=result.case.id,
                file=result.case.source.file,
                line=str(result.case.source.line),
                time=f"{result.seconds:.6f}",
            )
            properties = ET.SubElement(case, "properties")
            ET.SubElement(properties, "property", name="title", value=result.case.title)
            explanation = failure_explanation.explain_failure(result, catalogue, again, with_paths=False)
            _add_verdict(case, result, explanation)


def _incomplete(run: Run) -> str:
    """Return why a run is incomplete, empty if it is complete: it judged no case, or ended early."""
    if not any(result.verdict in JUDGED for result in run.results):
        reasons = {result.detail for result in run.results if result.detail}
        return f"no case was judged: {min(reasons)}" if reasons else "no case was judged"
    return f"the run is incomplete: {run.aborted}" if run.aborted else ""


def _add_incomplete(root: ET.Element, run: Run, problem: str) -> None:
    """Add an error, so that an incomplete run does not look successful, since skipped cases do not fail."""
    name = problem.partition(":")[0]
    suite = ET.SubElement(root, "testsuite", name=f"{run.name}/{name}")
    suite.attrib.update(tests="1", failures="0", errors="1", skipped="0", time="0")
    case = ET.SubElement(
        suite, "testcase", classname=run.started.implementation.name, name=name.replace(" ", "-")
    )
    ET.SubElement(case, "error", type="incomplete", message=problem)


def _add_properties(suite: ET.Element, run: Run, shares: Mapping[str, str]) -> None:
    properties = ET.SubElement(suite, "properties")
    values = {
        "implementation": run.name,
        "profile": run.started.profile,
        "suite.fingerprint": run.started.suite.fingerprint,
        "aborted": run.aborted,
        **shares,
    }
    for name, value in values.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=value)


def _add_verdict(
    case: ET.Element, result: CaseResult, explanation: failure_explanation.FailureExplanation
) -> None:
    if result.verdict is Verdict.PASS:
        return
    headline = failure_explanation.headline(result)
    if result.verdict not in CONFORMANCE_FAILURES:
        ET.SubElement(case, "skipped", type=result.verdict.value, message=headline)
        return
    tag = "error" if result.verdict in NO_ANSWER else "failure"
    kind = result.kind.value if result.kind else result.verdict.value
    ET.SubElement(case, tag, type=kind, message=headline or kind).text = failure_explanation.as_text(
        explanation
    )


def _count(element: ET.Element, results: Sequence[CaseResult], seconds: float) -> None:
    errors = sum(result.verdict in NO_ANSWER for result in results)
    wrong = sum(result.verdict in CONFORMANCE_FAILURES for result in results) - errors
    skipped = len(results) - errors - wrong - sum(result.verdict is Verdict.PASS for result in results)
    element.set("tests", str(len(results)))
    element.set("failures", str(wrong))
    element.set("errors", str(errors))
    element.set("skipped", str(skipped))
    element.set("time", f"{seconds:.6f}")
