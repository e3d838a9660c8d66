"""Pages of requirements: the statement, its interpretation, its cases, and deviations of releases."""

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

Every testable statement of the documents, with the cases that show it. A requirement is covered when it has
a case for each polarity it can have: something accepted, something refused. What nobody behind a protocol
could show is said so and never counted as covered. `dra-conform requirements` prints the same figures,
`dra-conform show CASE` a case.

| document | requirements | covered | nobody can show | cases |
|---|--:|--:|--:|--:|
"""


def requirement_pages() -> Iterator[tuple[str, str]]:
    """The name of each page and its Markdown; `index` is the list of documents."""
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
    hidden = sum(bool(row.unshowable) for row in rows)
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


def _requirement(one: Requirement, cases: Sequence[Case]) -> Iterator[str]:
    yield from (f"### `{one.id}`", "")
    yield from (html.escape(one.statement, quote=False), "")
    polarity = " and ".join(sorted(one.polarity))
    yield from (f"{one.level} · {one.operation} · {polarity} · {html.escape(one.section)}", "")
    if one.reading:
        yield from (f"**Our reading:** {html.escape(one.reading, quote=False)}", "")
    if one.unshowable:
        yield from (f"**Nobody behind a protocol could show it:** {html.escape(one.unshowable)}", "")
    yield from _departures(cases)
    if cases:
        number = "1 case" if len(cases) == 1 else f"{len(cases)} cases"
        yield f"<details><summary>{number}</summary><ul>"
        yield from (
            f"<li><code>{html.escape(case.id)}</code> {html.escape(case.title)}</li>" for case in cases
        )
        yield from ("</ul></details>", "")


def _departures(cases: Sequence[Case]) -> Iterator[str]:
    found: dict[tuple[tuple[str, ...], str], int] = defaultdict(int)
    for case in cases:
        shown = [departure for act in case.acts for departure in act.departures]
        for profiles, reason in dict.fromkeys((deviation.profiles, deviation.reason) for deviation in shown):
            found[tuple(sorted(profiles, key=PROFILES.index)), reason] += 1
    for (profiles, reason), count in found.items():
        number = "1 case" if count == 1 else f"{count} cases"
        yield f"- **Releases {releases(profiles)} depart** in {number}: {html.escape(reason, quote=False)}"
    if found:
        yield ""
