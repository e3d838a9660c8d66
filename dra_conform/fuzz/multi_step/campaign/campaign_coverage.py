"""The coverage of a campaign: counts of verbs by kind, and of gates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from dra_conform.conformance.cluster.answer import ClusterAnswer, Done
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.fuzz.multi_step.cluster_scenario import Action, ClusterScenario
from dra_conform.fuzz.multi_step.comparison.compared_observations import kind_of


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
