"""`dra-conform fuzz`: compare two implementations on random scenarios."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.limit_options import seconds
from dra_conform.adapters.specs import BadSpec, open_implementation
from dra_conform.cli import exits
from dra_conform.cli.fuzz_multi_step import configure_multi_step, fuzz_multi_step
from dra_conform.cli.parsing import CommandParser, positive, whole_number
from dra_conform.cli.profiles_option import add_profile_option
from dra_conform.cli.workers_option import configure_workers, workers
from dra_conform.conformance.implementation import CannotStart
from dra_conform.extras import install_command
from dra_conform.fuzz.campaign.counterexamples import CampaignCounts, Counterexample, find_differences
from dra_conform.fuzz.campaign.golden_counterexamples import answer_lines, write_counterexample
from dra_conform.fuzz.campaign.two_implementations import ComparedScenario, TwoImplementations
from dra_conform.fuzz.comparison.difference import DifferenceKind
from dra_conform.fuzz.generation.profile_fields import ProfileFields
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.kube.profile import Profile

if TYPE_CHECKING:
    from dra_conform.workers.pool import WorkerPool

_LIMITS = Limits(restarts=5000, crashes_in_a_row=200)
"""Limits with many restarts, because shrinking a scenario that crashes a process crashes it many times."""


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Run random scenarios on two implementations, compare their answers, and write the smallest "
        "scenario of each disagreement as a golden case."
    )
    command.examples = ("dra-conform fuzz -i builtin -i exec:./adapter --budget 120",)
    command.exit_codes = {
        0: "no disagreement",
        1: "disagreements",
        2: "bad usage or input",
        3: "an implementation could not be run",
    }
    command.add_argument(
        "-i",
        "--implementation",
        action="append",
        metavar="SPEC",
        help="builtin, python:MODULE:ATTRIBUTE or 'exec:COMMAND ...'; exactly two",
    )
    add_profile_option(command)
    command.add_argument(
        "--cases", type=positive, default=1000, metavar="N", help="the number of scenarios (1000)"
    )
    command.add_argument(
        "--seed", type=whole_number, default=0, help="the random seed; equal seeds give equal scenarios (0)"
    )
    command.add_argument("--budget", type=float, metavar="SECONDS", help="stop after this time")
    command.add_argument(
        "--features",
        metavar="F,F",
        help="feature ids that scenarios use (all that the profile and both implementations fully support)",
    )
    command.add_argument(
        "--strict", action="store_true", help="count a choice between valid answers as a disagreement"
    )
    command.add_argument(
        "--deadline", type=seconds, default=2.0, metavar="SECONDS", help="the time limit of a scenario (2)"
    )
    command.add_argument(
        "--out",
        default="fuzz-finds",
        metavar="DIR",
        help="the folder for golden cases of disagreements (fuzz-finds)",
    )
    configure_multi_step(command)
    configure_workers(command)
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    specs: list[str] = arguments.implementation or []
    if len(specs) != 2:
        given = counted(len(specs), "time")
        raise InputError("--implementation", None, "", f"is given {given}, expected exactly two")
    if arguments.multi_step:
        return fuzz_multi_step(arguments)
    try:
        first, second = (open_implementation(spec, limits=_LIMITS) for spec in specs)
    except BadSpec as error:
        raise InputError("--implementation", None, "", str(error)) from None
    wanted = _wanted(arguments.features)
    try:
        from dra_conform.fuzz.generation.strategies import stream  # noqa: PLC0415 - hypothesis is an optional extra
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        print(f"fuzz needs hypothesis, expected: {install_command('fuzz')}", file=sys.stderr)
        return exits.USAGE
    both = TwoImplementations(
        (first, second),
        (specs[0], specs[1]),
        profile=arguments.profile,
        seed=arguments.seed,
        deadline_ms=int(arguments.deadline * 1000),
    )
    counts = CampaignCounts()
    began = monotonic()
    try:
        both.start()
        features = wanted or frozenset(name for name in KNOWN_FEATURES if both.declared(name) == {"full"})
        used = ", ".join(sorted(features)) or "none"
        print(f"seed {arguments.seed}, profile {arguments.profile}, features {used}")
        with workers(arguments) as pool:
            ends = float("inf") if arguments.budget is None else monotonic() + arguments.budget
            if pool is None:
                profile_fields = ProfileFields.of(Profile.named(arguments.profile))
                compared = both.compare(
                    islice(stream(arguments.seed, features, profile_fields), arguments.cases)
                )
            else:
                compared = _by_workers(pool, arguments, features, ends)
            _run(both, compared, counts, arguments, ends)
    except CannotStart as error:
        print(f"cannot be run: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    finally:
        both.close()
    for line in _summary(counts, monotonic() - began):
        print(line)
    return exits.FAILURES if counts.disagreements else exits.OK


def _wanted(text: str | None) -> frozenset[str]:
    names = frozenset(part.strip() for part in (text or "").split(",") if part.strip())
    for name in sorted(names - KNOWN_FEATURES):
        raise InputError(
            "--features",
            None,
            name,
            f"is not a feature id, expected some of {', '.join(sorted(KNOWN_FEATURES))}",
        )
    return names


def _by_workers(
    pool: WorkerPool, arguments: argparse.Namespace, features: frozenset[str], ends: float
) -> Iterator[ComparedScenario]:
    from dra_conform.workers.comparing import PartOfCampaign, compare_part, parts_of_campaign  # noqa: PLC0415

    first, second = arguments.implementation
    whole = PartOfCampaign(
        specs=(first, second),
        profile=arguments.profile,
        seed=arguments.seed,
        deadline_ms=int(arguments.deadline * 1000),
        limits=_LIMITS,
        features=features,
        first=0,
        count=arguments.cases,
    )
    return chain.from_iterable(pool.in_order(compare_part, parts_of_campaign(whole), until=ends))


def _run(
    both: TwoImplementations,
    compared: Iterator[ComparedScenario],
    counts: CampaignCounts,
    arguments: argparse.Namespace,
    ends: float,
) -> None:
    began = printed_at = monotonic()
    pause = 1.0 if sys.stderr.isatty() else 10.0
    counterexamples = find_differences(
        both, compared, counts, strict=arguments.strict, go_on=lambda: monotonic() < ends
    )
    for counterexample in counterexamples:
        if counterexample is not None:
            _print_counterexample(counterexample, both, arguments)
        if monotonic() - printed_at > pause:
            printed_at = monotonic()
            rate = counts.cases / (printed_at - began)
            print(
                f"{counts.cases} of {arguments.cases} scenarios, {rate:.0f}/s, "
                f"{counted(counts.disagreements.total(), 'disagreement')}, "
                f"{counted(counts.choices, 'choice')} between valid answers",
                file=sys.stderr,
            )


def _print_counterexample(
    counterexample: Counterexample, both: TwoImplementations, arguments: argparse.Namespace
) -> None:
    command = shlex.join(
        ["dra-conform", "fuzz", *(part for spec in both.specs for part in ("-i", spec))]
        + ["--profile", both.profile, "--seed", str(arguments.seed)]
        + (["--features", arguments.features] if arguments.features else [])
    )
    devices, claims = counterexample.scenario.size()
    print(
        f"disagreement ({counterexample.difference.kind.value}) in scenario {counterexample.number}, "
        f"reduced to {counted(devices, 'device')} and {counted(claims, 'ResourceClaim')}"
    )
    for name, side in zip(both.names, counterexample.difference.sides, strict=True):
        for line in answer_lines(side):
            print(f"  {name}: {line}")
    try:
        print(f"  written to {write_counterexample(counterexample, both, command, Path(arguments.out))}")
    except OSError as error:
        raise InputError(
            arguments.out, None, "", f"cannot be written: {error.strerror}, expected a folder"
        ) from None


def _summary(counts: CampaignCounts, seconds: float) -> Iterator[str]:
    yield (
        f"{counted(counts.cases, 'scenario')} in {seconds:.1f} s: {counts.agreed:,} agreed, "
        f"{counted(counts.choices, 'choice')} between valid answers, {counts.unsupported:,} unsupported, "
        f"{counted(counts.disagreements.total(), 'disagreement')}"
    )
    for reason, count in counts.known.most_common():
        yield f"  known: {count} x {reason}"
    for kind in DifferenceKind:
        if counts.disagreements[kind]:
            yield f"  {kind.value}: {counts.disagreements[kind]}"
