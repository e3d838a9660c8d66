"""Compare the built-in's admission with the real API server's on random writes.

`python -m tests.support.kube_control_plane.compare --release v1.37.1 --count 20000` prints the number of differing
answers in groups of equal differences. `--show 3` prints three writes of each group.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from dra_conform.fuzz.writes.kinds import NAMESPACES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import admit
from tests.support.kube_control_plane.answers import of_built_in, of_real
from tests.support.kube_control_plane.builds import ALL_VERSIONS, RELEASES, Admission, running
from tests.support.kube_control_plane.difference import Difference
from tests.support.kube_control_plane.known_differences import reason
from tests.support.kube_control_plane.random_writes import writes

PROFILES = 24
"""Number of combinations of gates: the defaults, all on, all off, and random ones."""


@dataclass
class Comparison:
    """Differences and outcomes of a number of writes."""

    differences: list[Difference]
    outcomes: dict[str, int]


def profiles(seed: int, minor: str) -> dict[str, Profile]:
    """Return the profiles by name."""
    usual = Profile.named(f"kubernetes-{minor}").with_gates({"DynamicResourceAllocation": True})
    gates = [gate for gate in usual.gates if gate.startswith("DRA")]
    by_name = {
        "default": usual,
        "on": usual.with_gates(dict.fromkeys(gates, True)),
        "off": usual.with_gates(dict.fromkeys(gates, False)),
    }
    random = Random(f"{seed}/profiles")
    for number in range(PROFILES - len(by_name)):
        chance = random.choice((0.5, 0.8))
        by_name[f"p{number}"] = usual.with_gates({gate: random.random() < chance for gate in gates})
    return by_name


def compare(release: str, count: int, seed: int) -> Comparison:
    """Send `count` random writes to both."""
    comparison = Comparison([], defaultdict(int))
    with running(release, *ALL_VERSIONS) as admission:
        for difference in answered(admission, count, seed):
            comparison.outcomes[difference.real.outcome] += 1
            if difference.ours != difference.real and difference.real.outcome != "no question":
                comparison.differences.append(difference)
    return comparison


def answered(admission: Admission, count: int, seed: int) -> Iterator[Difference]:
    """Yield each write with both answers, equal or not."""
    wanted = profiles(seed, admission.minor)
    names = admission.configure(wanted)
    for number, ask in enumerate(writes(seed, admission.minor, count)):
        name = names[number % len(names)]
        objects: dict[str, Json] = {"namespaces": NAMESPACES}
        text = json.dumps(ask)
        real = of_real(admission.run(ask, profile=name, **objects), text)
        ours = of_built_in(admit(objects, json.loads(text), wanted[name]), text)
        yield Difference(number, name, wanted[name], ask, ours, real)


def main() -> int:
    """Return 0 if all differences have a known reason."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--release", choices=RELEASES, default=RELEASES[-1])
    arguments.add_argument("--count", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=0)
    options = arguments.parse_args()
    began = perf_counter()
    comparison = compare(options.release, options.count, options.seed)
    groups = defaultdict(list)
    for difference in comparison.differences:
        why = reason(difference)
        groups[f"known: {why}" if why else difference.ours.against(difference.real)].append(difference)
    for group, members in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"{len(members):6}  {group}")
        for member in members[: options.show]:
            print(f"        number {member.number}, {member.name}: {json.dumps(member.ask)}")
    outcome_counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(comparison.outcomes.items()))
    print(
        f"{options.release}, seed {options.seed}: {len(comparison.differences)} of {options.count} answers differ"
        f" ({outcome_counts}; {perf_counter() - began:.0f} s)"
    )
    return 1 if any(not group.startswith("known: ") for group in groups) else 0


if __name__ == "__main__":
    raise SystemExit(main())
