"""The deviations of releases from the specification, collected from the cases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.kube.profile import PROFILES

SHOWN = 3
"""The number of cases that the page names for each deviation."""

_OPEN = re.compile("the (document|KEP) (does not (say|specify|name)|leaves|names no|says (of .+ )?only)")
"""The start of a reason if a release decides a point that the specification leaves open."""


@dataclass(frozen=True, slots=True)
class ReleaseDeviation:
    """One deviation of some profiles from a document, with its reason and its cases.

    `requirements` are the smallest set found so that each case names one of them.
    """

    document: str
    requirements: tuple[str, ...]
    profiles: tuple[str, ...]
    reason: str
    cases: tuple[str, ...]


def decides_what_is_left_open(reason: str) -> bool:
    """Whether a reason says that a release decides a point that the specification leaves open."""
    return _OPEN.match(reason) is not None


def release_deviations(
    catalogue: Sequence[Requirement], cases: Iterable[Case]
) -> tuple[ReleaseDeviation, ...]:
    """Return each deviation once, sorted by document, then by catalogue, then by release."""
    by_reason: dict[tuple[str, tuple[str, ...], str], list[Case]] = defaultdict(list)
    for case in cases:
        document = case.id.partition("/")[0].upper()
        deviations = [deviation for step in case.case_steps for deviation in step.deviations]
        for profiles, reason in dict.fromkeys(
            (deviation.profiles, deviation.reason) for deviation in deviations
        ):
            by_reason[document, tuple(sorted(profiles, key=PROFILES.index)), reason].append(case)
    position = {requirement.id: index for index, requirement in enumerate(catalogue)}
    collected = [
        ReleaseDeviation(
            document,
            tuple(_requirements(group, position)),
            profiles,
            reason,
            tuple(sorted(case.id for case in group)),
        )
        for (document, profiles, reason), group in by_reason.items()
    ]
    return tuple(sorted(collected, key=lambda deviation: _order(deviation, position)))


def _requirements(cases: Sequence[Case], position: Mapping[str, int]) -> Iterator[str]:
    """Yield requirements, those of most cases first, until each case names a yielded requirement."""
    uncovered = list(cases)
    while uncovered:
        ranks: dict[str, list[int]] = defaultdict(list)
        for case in uncovered:
            for rank, name in enumerate(case.requirements):
                ranks[name].append(rank)
        if not ranks:
            return
        best = min(
            ranks, key=lambda name: (-len(ranks[name]), sum(ranks[name]), _catalogue_position(name, position))
        )
        yield best
        uncovered = [case for case in uncovered if best not in case.requirements]


def _catalogue_position(name: str, position: Mapping[str, int]) -> tuple[int, str]:
    return position.get(name, len(position)), name


def _order(deviation: ReleaseDeviation, position: Mapping[str, int]) -> tuple[str, int, tuple[int, ...], str]:
    first = min(
        (_catalogue_position(name, position)[0] for name in deviation.requirements), default=len(position)
    )
    return deviation.document, first, tuple(map(PROFILES.index, deviation.profiles)), deviation.reason


def page(deviations: Sequence[ReleaseDeviation]) -> str:
    """Return the page of deviations in Markdown: a chapter for each document, a row for each deviation."""
    return "\n".join(_lines(deviations)) + "\n"


def _lines(deviations: Sequence[ReleaseDeviation]) -> Iterator[str]:
    yield "# Deviations of releases from the specification"
    yield ""
    yield "A release deviates if it behaves differently from the specification. Cases state the behavior of"
    yield "the release, with the reason. A point that the specification leaves open, such as which error is"
    yield "reported, is not a deviation: these points have their own tables."
    yield "Each row is a reason. `make deviations` generates this page from the cases."
    for chapter in dict.fromkeys(deviation.document for deviation in deviations):
        of_document = [deviation for deviation in deviations if deviation.document == chapter]
        left_open = [deviation for deviation in of_document if decides_what_is_left_open(deviation.reason)]
        contradicting = [deviation for deviation in of_document if deviation not in left_open]
        count = len(contradicting)
        yield from ("", f"## {chapter}: {count or 'no'} deviation{'s' * (count != 1)}")
        if contradicting:
            yield from _table("deviation", contradicting)
        if left_open:
            yield from ("", f"### Left open by {chapter}")
            yield from _table("behavior", left_open)


def _table(heading: str, deviations: Sequence[ReleaseDeviation]) -> Iterator[str]:
    yield from ("", f"| releases | requirement | {heading} | cases | examples |", "|---|---|---|--:|---|")
    for deviation in deviations:
        requirements = "<br>".join(f"`{name}`" for name in deviation.requirements)
        yield (
            f"| {releases(deviation.profiles)} | {requirements} | {_escaped(deviation.reason)} | "
            f"{len(deviation.cases)} "
            f"| {_examples(deviation.cases)} |"
        )


def releases(profiles: Sequence[str]) -> str:
    """Return profiles in words: `1.34 to 1.36`, `1.34, 1.36`."""
    runs: list[list[str]] = []
    for profile in profiles:
        follows = runs and PROFILES.index(profile) == PROFILES.index(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(profile)
        else:
            runs.append([profile])
    return ", ".join(_run([name.removeprefix("kubernetes-") for name in run]) for run in runs)


def _run(names: Sequence[str]) -> str:
    return f"{names[0]} to {names[-1]}" if len(names) > 2 else ", ".join(names)


def _examples(cases: Sequence[str]) -> str:
    """Return the first cases; rows of one table count as one case."""
    names = list(dict.fromkeys(case.partition("[")[0] for case in cases))
    more = ", ..." if len(names) > SHOWN else ""
    return "<br>".join(f"`{name}`" for name in names[:SHOWN]) + more


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
