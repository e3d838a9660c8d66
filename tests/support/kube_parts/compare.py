"""Compare the answers of the built-in and of Kubernetes to random requests.

`python -m tests.support.kube_parts.compare usage --release v1.37.1 --count 5000` prints the number of differing
answers in groups of equal differences. `--show 2` prints two requests of each group, `--shrink` minimizes them.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from time import perf_counter

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.attempts import run_attempts
from dra_conform.simulation.footprinting import count
from dra_conform.simulation.quotas import count_usage
from tests.support.adapter_process import AdapterProcess
from tests.support.kube_parts.answered_request import AnsweredRequest
from tests.support.kube_parts.answers import footprint_difference, usage_difference
from tests.support.kube_parts.attempt_answers import attempts_difference
from tests.support.kube_parts.builds import RELEASES, minor_of, running
from tests.support.kube_parts.known_differences import reason
from tests.support.kube_parts.random_attempts import attempt_question
from tests.support.kube_parts.random_namespaces import namespace_question
from tests.support.kube_parts.random_pods import pod_question
from tests.support.kube_parts.shrinking import smallest


@dataclass(frozen=True)
class Counting:
    """Compared operation. `gate` is off in some requests."""

    question: Callable[[Random, str], tuple[Json, Json]]
    ours: Callable[[Json, Json, Profile], Json]
    difference: Callable[[Json, Json], str]
    gate: str


COUNTED = {
    "usage": Counting(
        lambda random, _: namespace_question(random), count_usage, usage_difference, "DRAExtendedResource"
    ),
    "footprint": Counting(pod_question, count, footprint_difference, "DRANodeAllocatableResources"),
    "schedule": Counting(attempt_question, run_attempts, attempts_difference, "DRANodeAllocatableResources"),
}


def profiles(operation: str, minor: str) -> dict[str, Profile]:
    """Return the profiles of a release with the gate of the operation on and off, mostly on."""
    usual = Profile.named(f"kubernetes-{minor}").with_gates({"DynamicResourceAllocation": True})
    gate = COUNTED[operation].gate
    on, off = usual.with_gates({gate: True}), usual.with_gates({gate: False})
    return {"on": on, "also on": on, "still on": on, "off": off}


def answered(
    parts: AdapterProcess, release: str, operation: str, count: int, seed: int
) -> Iterator[AnsweredRequest]:
    """Yield each request with both answers. A request depends only on the seed and its number."""
    minor = minor_of(release)
    counting, wanted = COUNTED[operation], profiles(operation, minor)
    names = parts.configure(wanted)
    for number in range(count):
        objects, ask = counting.question(Random(f"{seed}/{number}"), minor)
        profile = names[number % len(names)]
        real = parts.ask(operation, profile, objects, ask)
        ours = counting.ours(objects, ask, wanted[profile])
        difference = counting.difference(ours, real)
        yield AnsweredRequest(number, profile, objects, ask, ours, real, difference)


def differing(
    parts: AdapterProcess, given: argparse.Namespace, earlier: AnsweredRequest, objects: Json, ask: Json
) -> AnsweredRequest:
    """Send another request to both in the profile of an earlier one. Raises what the built-in raises."""
    counting = COUNTED[given.operation]
    profile = profiles(given.operation, minor_of(given.release))[earlier.profile]
    real = parts.ask(given.operation, earlier.profile, objects, ask)
    ours = counting.ours(objects, ask, profile)
    return AnsweredRequest(
        earlier.number, earlier.profile, objects, ask, ours, real, counting.difference(ours, real)
    )


def main() -> int:
    """Return 0 if all differences have a known reason."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("operation", choices=COUNTED)
    arguments.add_argument("--release", choices=RELEASES, default=RELEASES[-1])
    arguments.add_argument("--count", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=0)
    arguments.add_argument("--shrink", action="store_true")
    options = arguments.parse_args()
    began = perf_counter()
    groups: dict[str, list[AnsweredRequest]] = defaultdict(list)
    outcomes: dict[str, int] = defaultdict(int)
    with running(options.release) as parts:
        for asked in answered(parts, options.release, options.operation, options.count, options.seed):
            outcomes[asked.real.get("reason") or asked.real.get("outcome") or asked.real["status"]] += 1
            if asked.difference:
                why = reason(asked)
                group = groups[f"known: {why}" if why else asked.difference]
                small = options.shrink and len(group) < options.show
                group.append(smallest(asked, partial(differing, parts, options, asked)) if small else asked)
    for group, members in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"{len(members):6}  {group}")
        for member in members[: options.show]:
            question = {
                "objects": member.objects,
                "ask": member.ask,
                "ours": member.ours,
                "real": member.real,
            }
            print(f"        number {member.number}, {member.profile}: {json.dumps(question)}")
    outcome_counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(
        f"{options.operation}, {options.release}, seed {options.seed}: {sum(map(len, groups.values()))} of {options.count}"
        f" answers differ ({outcome_counts}; {perf_counter() - began:.0f} s)"
    )
    return 1 if any(not group.startswith("known: ") for group in groups) else 0


if __name__ == "__main__":
    raise SystemExit(main())
