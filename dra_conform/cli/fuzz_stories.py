"""`dra-conform fuzz --stories`: compare two implementations on random multi-step scenarios."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from time import monotonic

from dra_conform.adapters import BadSpec
from dra_conform.adapters.live.concurrent_scenarios import SIDE_BY_SIDE
from dra_conform.cli import exits
from dra_conform.cli.parsing import positive
from dra_conform.cli.workers_option import workers
from dra_conform.conformance.implementation import CannotStart
from dra_conform.fuzz.multi_step.campaign.counterexamples import (
    StoryCounts,
    StoryFind,
    find_story_differences,
)
from dra_conform.fuzz.multi_step.campaign.golden_scenarios import write_story
from dra_conform.fuzz.multi_step.campaign.two_clusters import ComparedStory, TwoTellers
from dra_conform.fuzz.multi_step.comparison.step_difference import StoryDifferenceKind
from dra_conform.fuzz.multi_step.generation.sorts import SORTS
from dra_conform.kube.errors import InputError
from dra_conform.workers.running_scenarios import PartOfStories, parts_of_stories, tell, tell_part, tellers

_DEADLINE_MS = 60_000


def configure_stories(command: argparse.ArgumentParser) -> None:
    """The options of stories."""
    group = command.add_argument_group("stories")
    group.add_argument(
        "--stories",
        choices=SORTS,
        metavar="SORT",
        help=f"run random scenarios on a cluster instead of allocations: {', '.join(SORTS)}",
    )
    group.add_argument("--first", type=int, default=0, metavar="N", help="number of the first scenario (0)")
    group.add_argument(
        "--against",
        metavar="PROFILE",
        help="profile of the second implementation (that of the first): what releases do otherwise",
    )
    group.add_argument(
        "--shrink", type=int, default=80, metavar="N", help="run a scenario up to N times to shrink it (80)"
    )
    group.add_argument(
        "--side-by-side",
        type=positive,
        default=SIDE_BY_SIDE,
        metavar="N",
        help=f"run N scenarios on a cluster at the same time ({SIDE_BY_SIDE}); those that switch gates or "
        "restart components run alone",
    )
    group.add_argument("--reached", action="store_true", help="print the coverage of the scenarios")


def fuzz_stories(arguments: argparse.Namespace) -> int:
    """The command with `--stories`; the exit code."""
    first, second = arguments.implementation
    whole = PartOfStories(
        specs=(first, second),
        profiles=(arguments.profile, arguments.against or arguments.profile),
        sort=arguments.stories,
        seed=arguments.seed,
        deadline_ms=_DEADLINE_MS,
        side_by_side=arguments.side_by_side,
        first=arguments.first,
        count=arguments.cases,
    )
    try:
        both = tellers(whole)
    except BadSpec as error:
        raise InputError("--implementation", None, error.spec, str(error)) from None
    counts = StoryCounts()
    began = monotonic()
    print(f"seed {arguments.seed}, profile {arguments.profile}, scenarios of {arguments.stories}")
    try:
        with workers(arguments) as pool:
            ends = float("inf") if arguments.budget is None else monotonic() + arguments.budget
            if pool is None:
                told = tell(whole, both)
            else:
                parts = pool.in_order(tell_part, parts_of_stories(whole), until=ends)
                told = chain.from_iterable(parts)
            _tell(both, told, counts, arguments, ends)
    except CannotStart as error:
        print(f"cannot be run: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    finally:
        both.close()
    for line in _summary(counts, monotonic() - began):
        print(line)
    for line in counts.reached.lines() if arguments.reached else ():
        print(line)
    return exits.FAILURES if counts.disagreements else exits.OK


def _tell(
    both: TwoTellers,
    told: Iterable[ComparedStory],
    counts: StoryCounts,
    arguments: argparse.Namespace,
    ends: float,
) -> None:
    began = told_at = monotonic()
    finds = find_story_differences(
        both,
        told,
        counts,
        first=arguments.first,
        shrinks=arguments.shrink,
        go_on=lambda: monotonic() < ends,
    )
    for find in finds:
        if find is not None:
            _print_find(find, both, arguments)
        if monotonic() - told_at > 10:
            told_at = monotonic()
            rate = counts.stories / (told_at - began)
            print(
                f"{counts.stories} of {arguments.cases} stories, {rate:.1f}/s, "
                f"{counts.disagreements.total()} disagreement(s)",
                file=sys.stderr,
            )


def _print_find(find: StoryFind, both: TwoTellers, arguments: argparse.Namespace) -> None:
    command = shlex.join(
        ["dra-conform", "fuzz", "--stories", arguments.stories]
        + [part for name in both.names for part in ("-i", name)]
        + ["--profile", arguments.profile, *(["--against", arguments.against] if arguments.against else [])]
        + ["--seed", str(arguments.seed), "--first", str(find.number)]
    )
    print(f"disagreement in scenario {find.number}, shrunk: {len(find.story.actions)} action(s)")
    for line in find.difference.lines(both.names):
        print(f"  {line}")
    try:
        path = write_story(find, both.names, arguments.profile, command, Path(arguments.out))
    except OSError as error:
        raise InputError(
            arguments.out, None, "", f"cannot be written: {error.strerror}, expected a folder"
        ) from None
    print(f"  written to {path}", flush=True)


def _summary(counts: StoryCounts, seconds: float) -> Iterator[str]:
    yield (
        f"{counts.stories} scenarios in {seconds:.0f} s: {counts.agreed} agreed, {counts.choices} choice(s), "
        f"{counts.untold.total()} unsupported, {counts.disagreements.total()} disagreement(s)"
    )
    for kind in StoryDifferenceKind:
        if counts.disagreements[kind]:
            yield f"  {kind.value}: {counts.disagreements[kind]}"
    if counts.passing:
        yield f"  not seen again: {counts.passing}, of scenarios that were run once more by themselves"
    for title, several in (("known", counts.known), ("unsupported", counts.untold)):
        for reason, count in several.most_common(12):
            yield f"  {title}: {count} x {reason}"
