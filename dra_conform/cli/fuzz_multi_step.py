"""`dra-conform fuzz --multi-step`: compare two implementations on random multi-step scenarios."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from time import monotonic

from dra_conform.adapters.live.isolation import DEFAULT_CONCURRENCY
from dra_conform.adapters.specs import BadSpec
from dra_conform.cli import exits
from dra_conform.cli.parsing import natural_number, positive
from dra_conform.cli.workers_option import workers
from dra_conform.conformance.implementation import CannotStart
from dra_conform.fuzz.multi_step.counterexamples import (
    ScenarioCounterexample,
    ScenarioCounts,
    find_scenario_differences,
)
from dra_conform.fuzz.multi_step.golden_scenarios import write_golden_scenario
from dra_conform.fuzz.multi_step.sorts import SORTS
from dra_conform.fuzz.multi_step.step_difference import StepDifferenceKind
from dra_conform.fuzz.multi_step.two_clusters import ComparedClusterScenario, TwoClusters
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.workers.running_scenarios import (
    PartOfScenarios,
    clusters_of,
    compare_scenarios,
    parts_of_scenarios,
    run_part,
)

_DEADLINE_MS = 60_000


def configure_multi_step(command: argparse.ArgumentParser) -> None:
    """Add the options of multi-step scenarios."""
    group = command.add_argument_group("multi-step scenarios")
    group.add_argument(
        "--multi-step",
        choices=SORTS,
        metavar="KIND",
        help=f"compare multi-step scenarios on clusters instead of allocations: {', '.join(SORTS)}",
    )
    group.add_argument(
        "--first", type=natural_number, default=0, metavar="N", help="the number of the first scenario (0)"
    )
    group.add_argument(
        "--against",
        metavar="PROFILE",
        help="the profile of the second implementation, to compare releases (the profile of the first)",
    )
    group.add_argument(
        "--shrink",
        type=natural_number,
        default=80,
        metavar="N",
        help="run a scenario at most N times to shrink it (80)",
    )
    group.add_argument(
        "--side-by-side",
        type=positive,
        default=DEFAULT_CONCURRENCY,
        metavar="N",
        help=f"run N scenarios on a cluster at the same time ({DEFAULT_CONCURRENCY}); a scenario that "
        "switches gates or restarts components runs alone",
    )
    group.add_argument(
        "--reached", action="store_true", help="print how often kinds, verbs and gates occurred"
    )


def fuzz_multi_step(arguments: argparse.Namespace) -> int:
    """Run the command with `--multi-step` and return its exit code."""
    first, second = arguments.implementation
    whole = PartOfScenarios(
        specs=(first, second),
        profiles=(arguments.profile, arguments.against or arguments.profile),
        sort=arguments.multi_step,
        seed=arguments.seed,
        deadline_ms=_DEADLINE_MS,
        side_by_side=arguments.side_by_side,
        first=arguments.first,
        count=arguments.cases,
    )
    try:
        both = clusters_of(whole)
    except BadSpec as error:
        raise InputError("--implementation", None, "", str(error)) from None
    counts = ScenarioCounts()
    began = monotonic()
    print(f"seed {arguments.seed}, profile {arguments.profile}, scenarios of {arguments.multi_step}")
    try:
        with workers(arguments) as pool:
            ends = float("inf") if arguments.budget is None else monotonic() + arguments.budget
            if pool is None:
                compared = compare_scenarios(whole, both)
            else:
                parts = pool.in_order(run_part, parts_of_scenarios(whole), until=ends)
                compared = chain.from_iterable(parts)
            _report(both, compared, counts, arguments, ends)
    except CannotStart as error:
        print(f"cannot be run: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    finally:
        both.close()
    for line in _summary(counts, monotonic() - began):
        print(line)
    for line in counts.coverage.lines() if arguments.reached else ():
        print(line)
    return exits.FAILURES if counts.disagreements else exits.OK


def _report(
    both: TwoClusters,
    compared: Iterable[ComparedClusterScenario],
    counts: ScenarioCounts,
    arguments: argparse.Namespace,
    ends: float,
) -> None:
    began = printed_at = monotonic()
    counterexamples = find_scenario_differences(
        both,
        compared,
        counts,
        shrinks=arguments.shrink,
        go_on=lambda: monotonic() < ends,
    )
    for counterexample in counterexamples:
        if counterexample is not None:
            _print_counterexample(counterexample, both, arguments)
        if monotonic() - printed_at > 10:
            printed_at = monotonic()
            rate = counts.scenarios / (printed_at - began)
            print(
                f"{counts.scenarios} of {arguments.cases} scenarios, {rate:.1f}/s, "
                f"{counted(counts.disagreements.total(), 'disagreement')}",
                file=sys.stderr,
            )


def _print_counterexample(
    counterexample: ScenarioCounterexample, both: TwoClusters, arguments: argparse.Namespace
) -> None:
    command = shlex.join(
        ["dra-conform", "fuzz", "--multi-step", arguments.multi_step]
        + [part for name in both.names for part in ("-i", name)]
        + ["--profile", arguments.profile, *(["--against", arguments.against] if arguments.against else [])]
        + ["--seed", str(arguments.seed), "--first", str(counterexample.number)]
    )
    print(
        f"disagreement in scenario {counterexample.number}, "
        f"reduced to {counted(len(counterexample.scenario.actions), 'action')}"
    )
    names = both.names
    if names[0] == names[1]:
        names = (
            f"{names[0]} ({arguments.profile})",
            f"{names[1]} ({arguments.against or arguments.profile})",
        )
    for line in counterexample.difference.lines(names):
        print(f"  {line}")
    try:
        path = write_golden_scenario(counterexample, names, arguments.profile, command, Path(arguments.out))
    except OSError as error:
        raise InputError(
            arguments.out, None, "", f"cannot be written: {error.strerror}, expected a folder"
        ) from None
    print(f"  written to {path}", flush=True)


def _summary(counts: ScenarioCounts, seconds: float) -> Iterator[str]:
    yield (
        f"{counted(counts.scenarios, 'scenario')} in {seconds:.0f} s: {counts.agreed:,} agreed, "
        f"{counted(counts.choices, 'choice')} between valid answers, "
        f"{counts.unsupported.total():,} unsupported, {counted(counts.disagreements.total(), 'disagreement')}"
    )
    for kind in StepDifferenceKind:
        if counts.disagreements[kind]:
            yield f"  {kind.value}: {counts.disagreements[kind]}"
    if counts.not_reproduced:
        yield f"  not reproduced: {counted(counts.not_reproduced, 'difference')} disappeared in a second run"
    for title, several in (("known", counts.known), ("unsupported", counts.unsupported)):
        for reason, count in several.most_common(12):
            yield f"  {title}: {count} x {reason}"
