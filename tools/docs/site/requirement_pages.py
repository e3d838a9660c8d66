"""The pages of requirements: the statement, its interpretation, its cases, and deviations of releases."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.suite.coverage import covered
from dra_conform.conformance.suite.deviations import releases
from dra_conform.conformance.suite.loading import load_suite
from dra_conform.kube.profile import PROFILES

HEAD = """# Requirements

You want to look up what a document requires and which cases test it. Each testable statement of a
document is a requirement. It is covered if it has a case for each of its polarities: one that succeeds
(`accepts`), one that is rejected or cannot be allocated (`rejects`). A requirement that no implementation
behind a protocol can show never counts as covered. `dra-conform requirements` prints the same figures,
and `dra-conform show CASE` prints a case.

| document | requirements | covered | cannot be tested | cases |
|---|--:|--:|--:|--:|
"""


def requirement_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page; `index` is the list of documents."""
    suite = load_suite()
    cases: dict[str, list[Case]] = defaultdict(list)
    for case in suite.cases:
        for name in case.requirements:
            cases[name].append(case)
    documents: dict[str, list[Requirement]] = defaultdict(list)
    for requirement in suite.catalogue:
        documents[requirement.document].append(requirement)
    yield "index", HEAD + "".join(_totals(name, rows, cases) for name, rows in sorted(documents.items()))
    for document, rows in documents.items():
        yield document.lower(), "\n".join(_page(document, rows, cases)) + "\n"


def _totals(document: str, rows: Sequence[Requirement], cases: Mapping[str, Sequence[Case]]) -> str:
    shown = sum(covered(row, cases.get(row.id, ())) for row in rows)
    hidden = sum(bool(row.untestable) for row in rows)
    number = len({case.id for row in rows for case in cases.get(row.id, ())})
    return f"| [{document}]({document.lower()}.md) | {len(rows)} | {shown} | {hidden} | {number} |\n"


def _page(document: str, rows: Sequence[Requirement], cases: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    yield from (f"# {document}: requirements", "")
    area = ""
    for row in rows:
        if row.area != area:
            area = row.area
            yield from (f"## {area}", "")
        yield from _requirement(row, cases.get(row.id, ()))


def _requirement(requirement: Requirement, cases: Sequence[Case]) -> Iterator[str]:
    yield from (f"### `{requirement.id}`", "")
    yield from (html.escape(requirement.statement, quote=False), "")
    polarity = " and ".join(sorted(requirement.polarity))
    yield from (
        f"{requirement.level} · {requirement.operation} · {polarity} · {html.escape(requirement.section)}",
        "",
    )
    if requirement.interpretation:
        yield from (f"**Interpretation:** {html.escape(requirement.interpretation, quote=False)}", "")
    if requirement.untestable:
        yield from (f"**Cannot be tested:** {html.escape(requirement.untestable)}", "")
    yield from _deviations(cases)
    if cases:
        number = "1 case" if len(cases) == 1 else f"{len(cases)} cases"
        yield f"<details><summary>{number}</summary><ul>"
        yield from (
            f"<li><code>{html.escape(case.id)}</code> {html.escape(case.title)}</li>" for case in cases
        )
        yield from ("</ul></details>", "")


def _deviations(cases: Sequence[Case]) -> Iterator[str]:
    numbers: dict[tuple[tuple[str, ...], str], int] = defaultdict(int)
    for case in cases:
        shown = [deviation for act in case.case_steps for deviation in act.deviations]
        for profiles, reason in dict.fromkeys((deviation.profiles, deviation.reason) for deviation in shown):
            numbers[tuple(sorted(profiles, key=PROFILES.index)), reason] += 1
    for (profiles, reason), count in numbers.items():
        number = "1 case" if count == 1 else f"{count} cases"
        yield f"- **Deviation of {releases(profiles)}** in {number}: {html.escape(reason, quote=False)}"
    if numbers:
        yield ""
