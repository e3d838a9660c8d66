"""Two implementations that run equal scenarios, and the comparison of their observations."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from dra_conform import __version__
from dra_conform.conformance.cluster.answer import ClusterAnswer, Done
from dra_conform.conformance.implementation import CannotStart, Implementation, Reply, Status, Suite
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.fuzz.multi_step.cluster_scenario import Action, ClusterScenario
from dra_conform.fuzz.multi_step.compared_observations import (
    UnsupportedScenario,
    compare_scenarios,
    kind_of,
)
from dra_conform.fuzz.multi_step.known_cluster_differences import unexplained
from dra_conform.fuzz.multi_step.step_difference import StepDifference, StepDifferenceKind


class CampaignCoverage:
    """Counts of the observations of the second implementation, which serves as the reference."""

    def __init__(self) -> None:
        self.writes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.actions: Counter[str] = Counter()
        self.gates: dict[str, Counter[str]] = defaultdict(Counter)

    def count(self, scenario: ClusterScenario, answer: ClusterAnswer | None) -> None:
        """Add the counts of one scenario."""
        for gate, on in scenario.gates.items():
            self.gates[gate]["on" if on else "off"] += 1
        for number, action in enumerate(scenario.actions):
            self.actions[action["do"]] += 1
            for gate in action.get("gates", ()):
                self.gates[gate]["switched"] += 1
            observed = answer.observations[number] if answer else None
            if isinstance(observed, AdmissionAnswer):
                admitted = observed.outcome is Admission.ADMITTED
                self.writes[_written(action), action["do"]]["admitted" if admitted else "rejected"] += 1
            elif isinstance(observed, Done) and "of" in action:
                self.writes[_written(action), action["do"]]["admitted"] += 1

    def add(self, other: CampaignCoverage) -> None:
        """Add the counts of another coverage."""
        self.actions += other.actions
        for written, counts in other.writes.items():
            self.writes[written] += counts
        for gate, counts in other.gates.items():
            self.gates[gate] += counts

    def lines(self) -> Iterator[str]:
        """Yield the lines of the tables: writes by kind and verb, scenarios by gate, and actions."""
        yield f"{'kind':<34} {'action':<8} {'admitted':>8} {'rejected':>8}"
        for (kind, verb), counts in sorted(self.writes.items()):
            yield f"{kind:<34} {verb:<8} {counts['admitted']:>8} {counts['rejected']:>8}"
        yield f"{'gate':<48} {'on':>6} {'off':>6} {'switched':>8}"
        for gate, counts in sorted(self.gates.items()):
            yield f"{gate:<48} {counts['on']:>6} {counts['off']:>6} {counts['switched']:>8}"
        yield ", ".join(f"{verb} {count}" for verb, count in sorted(self.actions.items()))


def _written(action: Action) -> str:
    return f"{kind_of(action)}{' by a user' if 'user' in action else ''}"


_FAULTS = (Status.TIMEOUT, Status.FAILED)
"""Statuses with which a busy cluster can end a scenario; the scenario then runs once more."""

ROUNDS = 4
"""The number of batches of `side_by_side` scenarios that run before replies are compared."""


@dataclass(frozen=True, slots=True)
class ComparedClusterScenario:
    """A scenario with the result of its comparison, and its coverage on the second implementation.

    If `not_reproduced`, a difference was gone when the scenario ran again alone.
    """

    scenario: ClusterScenario
    comparison: UnsupportedScenario | tuple[StepDifference, ...]
    coverage: CampaignCoverage
    not_reproduced: bool = False

    @property
    def difference(self) -> StepDifference | None:
        """Return the first difference that is neither known nor a choice."""
        return None if isinstance(self.comparison, UnsupportedScenario) else unexplained(self.comparison)


class TwoClusters:
    """Two implementations of the operation `cluster`, each with its own profile.

    They start with the first scenario, because the start of a control plane takes long. `names` are the
    values of the option, `deadline_ms` is the time limit of a scenario, and `side_by_side` is the number of
    scenarios that an implementation can run at the same time.
    """

    def __init__(
        self,
        implementations: tuple[Implementation, Implementation],
        names: tuple[str, str],
        profiles: tuple[str, str],
        *,
        seed: int = 0,
        deadline_ms: int = 60_000,
        side_by_side: int = 1,
    ) -> None:
        self.names = names
        self.profiles = profiles
        self._implementations = implementations
        self._started = False
        self._nondeterministic: set[str] = set()
        """The implementations whose answers can vary between runs, such as real clusters."""
        self._seed = seed
        self._deadline_ms = deadline_ms
        self._at_once = ROUNDS * side_by_side

    def close(self) -> None:
        """Stop both implementations."""
        for implementation in self._implementations:
            implementation.close()

    def compare_one(self, scenario: ClusterScenario) -> ComparedClusterScenario:
        """Run one scenario on both clusters. Raises CannotStart if one of them cannot start or gave up."""
        return next(iter(self._together([scenario])))

    def compare(self, scenarios: Iterable[ClusterScenario]) -> Iterator[ComparedClusterScenario]:
        """Run scenarios on both clusters, several at a time. Raises CannotStart like `compare_one`."""
        source = iter(scenarios)
        while together := list(islice(source, self._at_once)):
            for compared in self._together(together):
                yield self._confirmed(compared)

    def _confirmed(self, compared: ComparedClusterScenario) -> ComparedClusterScenario:
        """Repeat a scenario with a difference, with no other at the same time, if results can vary.

        A fault is not run again, because `_replies` has done so.
        """
        difference = compared.difference
        if difference is None or difference.kind is StepDifferenceKind.FAULT or not self._nondeterministic:
            return compared
        again = self.compare_one(compared.scenario)
        return again if again.difference else replace(again, not_reproduced=True)

    def _start(self) -> None:
        """Start both implementations. Raises CannotStart, also if one of them does not offer `cluster`."""
        digest = hashlib.sha256(f"stories {self._seed}".encode()).hexdigest()
        suite = Suite("dra-conform fuzz", __version__, f"sha256:{digest}")
        for implementation, name in zip(self._implementations, self.names, strict=True):
            identity = implementation.start(suite)
            if "cluster" not in identity.operations:
                raise CannotStart(f"{name} does not offer the operation cluster")
            if identity.tries > 1:
                self._nondeterministic.add(name)
        self._started = True

    def _together(self, scenarios: Sequence[ClusterScenario]) -> Iterator[ComparedClusterScenario]:
        if not self._started:
            self._start()
        first, second = (
            self._replies(scenarios, *implementation)
            for implementation in zip(self._implementations, self.names, self.profiles, strict=True)
        )
        for number, scenario in enumerate(scenarios):
            compared = compare_scenarios(scenario, self.profiles, first[number], second[number])
            coverage = CampaignCoverage()
            coverage.count(scenario, second[number].answer)
            yield ComparedClusterScenario(
                scenario, compared if isinstance(compared, UnsupportedScenario) else tuple(compared), coverage
            )

    def _replies(
        self, scenarios: Sequence[ClusterScenario], implementation: Implementation, name: str, profile: str
    ) -> dict[int, Reply]:
        requests = [
            scenario.request(number, profile, seed=self._seed, deadline_ms=self._deadline_ms)
            for number, scenario in enumerate(scenarios)
        ]
        replies = {reply.id: reply for reply in implementation.run(requests)}
        if name in self._nondeterministic:
            again = [
                request
                for request in requests
                if request.id in replies and replies[request.id].status in _FAULTS
            ]
            replies |= {reply.id: reply for reply in implementation.run(again)}
        for request in requests:
            reply = replies.get(request.id)
            if reply is None or reply.status is Status.NOT_RUN:
                raise CannotStart(
                    f"{name}: the implementation gave up: {reply.detail if reply else 'no reply'}"
                )
        return replies
