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

SCENARIOS_AT_ONCE = 400
"""The number of scenarios that an implementation is asked for at once.

A control plane runs those with equal gates side by side, and starts a second one for so many.
"""


@dataclass(frozen=True, slots=True)
class ComparedClusterScenario:
    """A scenario with the result of its comparison, and its coverage on the second implementation.

    `number` is the number of the scenario in its campaign. If `not_reproduced`, a difference was gone when
    the scenario ran again alone.
    """

    number: int
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
    values of the option, and `deadline_ms` is the time limit of a scenario.
    """

    def __init__(
        self,
        implementations: tuple[Implementation, Implementation],
        names: tuple[str, str],
        profiles: tuple[str, str],
        *,
        seed: int = 0,
        deadline_ms: int = 60_000,
    ) -> None:
        self.names = names
        self.profiles = profiles
        self._implementations = implementations
        self._started = False
        self._nondeterministic: set[str] = set()
        """The implementations whose answers can vary between runs, such as real clusters."""
        self._seed = seed
        self._deadline_ms = deadline_ms

    def close(self) -> None:
        """Stop both implementations."""
        for implementation in self._implementations:
            implementation.close()

    def compare_one(self, scenario: ClusterScenario) -> ComparedClusterScenario:
        """Run one scenario on both clusters. Raises CannotStart if one of them cannot start or gave up."""
        [compared] = self._compare_together([(0, scenario)])
        return compared

    def compare(
        self, scenarios: Iterable[ClusterScenario], first: int = 0
    ) -> Iterator[ComparedClusterScenario]:
        """Run scenarios with the numbers from `first` on, several at a time; yield them as they finish.

        Those with a difference come after others, when the clusters can be asked again. Raises CannotStart
        like `compare_one`.
        """
        numbered = enumerate(scenarios, first)
        while together := list(islice(numbered, SCENARIOS_AT_ONCE)):
            differing = []
            for compared in self._compare_together(together):
                if compared.difference is None:
                    yield compared
                else:
                    differing.append(compared)
            yield from map(self._confirmed, differing)

    def _confirmed(self, compared: ComparedClusterScenario) -> ComparedClusterScenario:
        """Repeat a scenario with a difference, with no other at the same time, if results can vary.

        A fault is not run again, because `_replies` has done so.
        """
        difference = compared.difference
        if difference is None or difference.kind is StepDifferenceKind.FAULT or not self._nondeterministic:
            return compared
        again = self.compare_one(compared.scenario)
        return replace(again, number=compared.number, not_reproduced=again.difference is None)

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

    def _compare_together(
        self, numbered: Sequence[tuple[int, ClusterScenario]]
    ) -> Iterator[ComparedClusterScenario]:
        if not self._started:
            self._start()
        scenarios = [scenario for _, scenario in numbered]
        asked = zip(self._implementations, self.names, self.profiles, strict=True)
        first, second = (self._replies(scenarios, *implementation) for implementation in asked)
        replies = {reply.id: reply for reply in first}
        for reply in second:
            number, scenario = numbered[reply.id]
            compared = compare_scenarios(scenario, self.profiles, replies[reply.id], reply)
            coverage = CampaignCoverage()
            coverage.count(scenario, reply.answer)
            result = compared if isinstance(compared, UnsupportedScenario) else tuple(compared)
            yield ComparedClusterScenario(number, scenario, result, coverage)

    def _replies(
        self, scenarios: Sequence[ClusterScenario], implementation: Implementation, name: str, profile: str
    ) -> Iterator[Reply]:
        """Yield the reply to each scenario, with its index as id."""
        requests = [
            scenario.request(index, profile, seed=self._seed, deadline_ms=self._deadline_ms)
            for index, scenario in enumerate(scenarios)
        ]
        again = []
        unanswered = {request.id for request in requests}
        for reply in implementation.run(requests):
            if reply.status in _FAULTS and name in self._nondeterministic:
                again.append(requests[reply.id])
            else:
                unanswered.discard(reply.id)
                yield _given(reply, name)
        for reply in implementation.run(again) if again else ():
            unanswered.discard(reply.id)
            yield _given(reply, name)
        if unanswered:
            raise CannotStart(f"{name}: the implementation gave up: no reply")


def _given(reply: Reply, name: str) -> Reply:
    if reply.status is Status.NOT_RUN:
        raise CannotStart(f"{name}: the implementation gave up: {reply.detail}")
    return reply
