"""A Markdown table of the results of a run by area, for docs/live.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dra_conform.conformance.verdict import CaseResult, Verdict

_HEADER = ("| area | cases | pass | unsupported | fail | seconds |", "|---|--:|--:|--:|--:|--:|")


def area_table(results: Iterable[CaseResult]) -> Iterator[str]:
    """Yield the lines of the table, with a last row for all areas.

    The seconds are those of all cases together, more than the run takes if cases run side by side.
    """
    areas: dict[str, list[CaseResult]] = defaultdict(list)
    for result in results:
        areas["/".join(result.case.id.split("/")[:2])].append(result)
    yield from _HEADER
    for area, found in sorted(areas.items()):
        yield _row(f"`{area}`", found)
    yield _row("all", [result for found in areas.values() for result in found])


def _row(area: str, results: list[CaseResult]) -> str:
    passed, unsupported = (
        sum(result.verdict is verdict for result in results)
        for verdict in (Verdict.PASS, Verdict.UNSUPPORTED)
    )
    failed = len(results) - passed - unsupported
    seconds = sum(result.seconds for result in results)
    return f"| {area} | {len(results)} | {passed} | {unsupported} | {failed} | {seconds:.0f} |"
