"""The pages of submissions in `reports/`: all implementations by release, with the trend of each."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.submission import Submission, slug
from dra_conform.reports.submission_files import SubmittedFile, read_submission, submitted_files

HEAD = """# Published results

You want to see which implementations have published a result, or publish your own. `dra-conform submit`
writes the file; see [publish a result](../../how-to/publish.md). Correctness is over MUST requirements.
"""
_WIDTH, _HEIGHT = 160, 32


def submission_pages(root: Path) -> Iterator[tuple[str, str]]:
    """Yield name and Markdown of each page: `index`, then one for each implementation."""
    submitted = [read_submission(file) for file in submitted_files(root)] if root.is_dir() else []
    yield "index", "\n".join([HEAD, *_index(submitted)]) + "\n"
    for name, files in _by_name(submitted).items():
        yield slug(name), "\n".join(_page(name, files)) + "\n"


def _by_name(submitted: Sequence[SubmittedFile]) -> dict[str, list[Submission]]:
    grouped: dict[str, list[Submission]] = {}
    for item in sorted(submitted, key=lambda item: (item.submission.date, str(item.file))):
        grouped.setdefault(item.submission.implementation.name, []).append(item.submission)
    return dict(sorted(grouped.items()))


def _index(submitted: Sequence[SubmittedFile]) -> Iterator[str]:
    grouped = _by_name(submitted)
    for subject in sorted({item.submission.implementation.subject for item in submitted}):
        yield from (f"## {subject}", "")
        yield "| implementation | version | release | correctness | breadth | trend | date |"
        yield "|---|---|---|--:|--:|---|---|"
        for name, history in grouped.items():
            if history[-1].implementation.subject == subject:
                for newest in _newest(history).values():
                    yield _row(name, newest, history)
        yield ""
        yield from _features(subject, grouped)


def _newest(history: Sequence[Submission]) -> dict[str, Submission]:
    """Return the newest submission for each release."""
    return {submission.release: submission for submission in history}


def _row(name: str, newest: Submission, history: Sequence[Submission]) -> str:
    cells = (
        f"[{escaped(name)}]({slug(name)}.md)",
        escaped(newest.implementation.version),
        escaped(newest.release),
        newest.cases.correctness,
        newest.cases.breadth,
        _trend([item for item in history if item.release == newest.release]),
        escaped(newest.date),
    )
    return f"| {' | '.join(cells)} |"


def _features(subject: str, grouped: dict[str, list[Submission]]) -> Iterator[str]:
    """Yield the matrix of features by implementations of one subject, with the newest result of each."""
    newest = [history[-1] for history in grouped.values() if history[-1].implementation.subject == subject]
    features = dict.fromkeys(name for submission in newest for name in submission.features)
    heads = [f"{escaped(item.implementation.name)} {escaped(item.implementation.version)}" for item in newest]
    yield f"| feature | {' | '.join(heads)} |"
    yield "|---|" + "--:|" * len(newest)
    for name in features:
        yield f"| {escaped(name)} | {' | '.join(_feature(item, name) for item in newest)} |"
    yield ""


def _feature(submission: Submission, name: str) -> str:
    counts = submission.features.get(name)
    if counts is None or not counts.judged:
        return "declined" if counts is not None and counts.declared == "none" else "-"
    return f"{'✓' if counts.right == counts.judged else '✗'} {counts.right}/{counts.judged}"


def _trend(history: Sequence[Submission]) -> str:
    """Return a line of correctness over the submissions as SVG, empty for a single one."""
    if len(history) < 2:
        return ""
    shares = [1000 * item.cases.must_right // max(item.cases.must_judged, 1) for item in history]
    step = _WIDTH // (len(shares) - 1)
    points = " ".join(
        f"{at * step},{_HEIGHT - 2 - share * (_HEIGHT - 4) // 1000}" for at, share in enumerate(shares)
    )
    label = html.escape(" → ".join(item.cases.correctness for item in history))
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{label}"><title>{label}</title>'
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/></svg>'
    )


def _page(name: str, history: Sequence[Submission]) -> Iterator[str]:
    newest = history[-1]
    who = newest.implementation
    yield from (f"# {escaped(name)}", "")
    about = [who.subject, who.organization, *who.contact]
    yield " · ".join(map(escaped, filter(None, about))) + (f" · <{who.url}>" if who.url else "")
    yield ""
    yield "| version | release | level | date | correctness | breadth | MUST requirements failed |"
    yield "|---|---|---|---|--:|--:|--:|"
    for item in reversed(history):
        failed = item.levels["MUST"].failed if "MUST" in item.levels else 0
        yield (
            f"| {escaped(item.implementation.version)} | {escaped(item.release)} | {escaped(item.level)} "
            f"| {escaped(item.date)} | {item.cases.correctness} | {item.cases.breadth} | {failed} |"
        )
    for release in _newest(history):
        if trend := _trend([item for item in history if item.release == release]):
            yield from ("", f"Correctness in {escaped(release)}: {trend}")
    yield from ("", f"## {escaped(who.version)} in {escaped(newest.release)}", "")
    yield "| document | passed | failed | other |"
    yield "|---|--:|--:|--:|"
    for document, counts in newest.documents.items():
        yield f"| {escaped(document)} | {counts.passed} | {counts.failed} | {counts.other} |"
    yield from ("", "### Features", "", "| feature | declared | result |", "|---|---|--:|")
    for feature, counts_of_feature in newest.features.items():
        declared = escaped(counts_of_feature.declared) or "-"
        yield f"| {escaped(feature)} | {declared} | {_feature(newest, feature)} |"
    if newest.failed:
        yield from ("", "### Requirements with failing cases", "")
        yield from (f"- {code(requirement)}: {count}" for requirement, count in newest.failed.items())
    if newest.skipped:
        yield from ("", "### Cases that were not judged", "")
        yield from (f"- {count}: {escaped(reason)}" for reason, count in newest.skipped.items())
    yield from ("", "### Reproduce", "", "```sh", *newest.reproduce, "```")
