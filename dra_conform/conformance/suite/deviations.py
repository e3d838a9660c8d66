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
"""How many cases of one departure the page names; it says how many there are."""

_OPEN = re.compile("the document (does not say|leaves|names no|says of .+ only)")
"""How a reason begins where a release does not contradict its document but decides what that leaves open."""


@dataclass(frozen=True, slots=True)
class Departed:
    """One departure of some profiles from a document, with the reason and the cases that show it.

    Each of the cases names one of `requirements` at least; these are as few as that takes.
    """

    document: str
    requirements: tuple[str, ...]
    profiles: tuple[str, ...]
    reason: str
    cases: tuple[str, ...]


def departures(catalogue: Sequence[Requirement], cases: Iterable[Case]) -> tuple[Departed, ...]:
    """Every departure once: by document, then in the order of the catalogue and of the releases."""
    found: dict[tuple[str, tuple[str, ...], str], list[Case]] = defaultdict(list)
    for case in cases:
        document = case.id.partition("/")[0].upper()
        shown = [one for act in case.acts for one in act.departures]
        for profiles, reason in dict.fromkeys((one.profiles, one.reason) for one in shown):
            found[document, tuple(sorted(profiles, key=PROFILES.index)), reason].append(case)
    position = {one.id: index for index, one in enumerate(catalogue)}
    made = [
        Departed(
            document,
            tuple(_requirements(group, position)),
            profiles,
            reason,
            tuple(sorted(case.id for case in group)),
        )
        for (document, profiles, reason), group in found.items()
    ]
    return tuple(sorted(made, key=lambda one: _order(one, position)))


def _requirements(cases: Sequence[Case], position: Mapping[str, int]) -> Iterator[str]:
    """Requirements of which every case names one: most cases first, then what cases name first."""
    left = list(cases)
    while left:
        ranks: dict[str, list[int]] = defaultdict(list)
        for case in left:
            for rank, name in enumerate(case.requirements):
                ranks[name].append(rank)
        if not ranks:
            return
        best = min(ranks, key=lambda name: (-len(ranks[name]), sum(ranks[name]), _place(name, position)))
        yield best
        left = [case for case in left if best not in case.requirements]


def _place(name: str, position: Mapping[str, int]) -> tuple[int, str]:
    return position.get(name, len(position)), name


def _order(one: Departed, position: Mapping[str, int]) -> tuple[str, int, tuple[int, ...], str]:
    first = min((_place(name, position)[0] for name in one.requirements), default=len(position))
    return one.document, first, tuple(map(PROFILES.index, one.profiles)), one.reason


def page(departed: Sequence[Departed]) -> str:
    """The departures in Markdown: a chapter for each document, a line for each departure."""
    return "\n".join(_lines(departed)) + "\n"


def _lines(departed: Sequence[Departed]) -> Iterator[str]:
    yield "# Deviations of releases from the documents"
    yield ""
    yield "Where a release does something else than the documents say, cases tell what it does, and why. What"
    yield "it does where a document leaves that open, such as which error it reports, is no deviation: those"
    yield "lines stand in a table of their own."
    yield "Each line is a reason. `make departures` writes this page from the cases; change it there."
    for chapter in dict.fromkeys(one.document for one in departed):
        mine = [one for one in departed if one.document == chapter]
        left_open = [one for one in mine if _OPEN.match(one.reason)]
        told = [one for one in mine if one not in left_open]
        yield from ("", f"## {chapter}: {len(told) or 'no'} departure{'s' * (len(told) != 1)}")
        if told:
            yield from _table("what they do instead", told)
        if left_open:
            yield from ("", f"### Left open by {chapter}")
            yield from _table("what is open", left_open)


def _table(what: str, departed: Sequence[Departed]) -> Iterator[str]:
    yield from ("", f"| releases | requirement | {what} | cases | such as |", "|---|---|---|--:|---|")
    for one in departed:
        requirements = "<br>".join(f"`{name}`" for name in one.requirements)
        yield (
            f"| {releases(one.profiles)} | {requirements} | {_escaped(one.reason)} | {len(one.cases)} "
            f"| {_evidence(one.cases)} |"
        )


def releases(profiles: Sequence[str]) -> str:
    """Profiles in words: `1.34 to 1.36`, `1.34, 1.36`."""
    runs: list[list[str]] = []
    for profile in profiles:
        follows = runs and PROFILES.index(profile) == PROFILES.index(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(profile)
        else:
            runs.append([profile])
    return ", ".join(_run([one.removeprefix("kubernetes-") for one in run]) for run in runs)


def _run(names: Sequence[str]) -> str:
    return f"{names[0]} to {names[-1]}" if len(names) > 2 else ", ".join(names)


def _evidence(cases: Sequence[str]) -> str:
    """The first cases; the rows of a table are one."""
    named = list(dict.fromkeys(case.partition("[")[0] for case in cases))
    more = ", ..." if len(named) > SHOWN else ""
    return "<br>".join(f"`{name}`" for name in named[:SHOWN]) + more


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
