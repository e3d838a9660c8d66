"""Coverage of a campaign: a table of verbs by kind, and of gates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.cluster.answer import Done, StoryAnswer
from dra_conform.fuzz.multi_step.cluster_scenario import Action, RandomStory
from dra_conform.fuzz.multi_step.comparison.compared_observations import kind_of


class Reached:
    """Counts of the second implementation's observations, the one that is taken to be right."""

    def __init__(self) -> None:
        self.writes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.actions: Counter[str] = Counter()
        self.gates: dict[str, Counter[str]] = defaultdict(Counter)

    def take(self, story: RandomStory, answer: StoryAnswer | None) -> None:
        """Count one story."""
        for gate, on in story.gates.items():
            self.gates[gate]["on" if on else "off"] += 1
        for number, action in enumerate(story.actions):
            self.actions[action["do"]] += 1
            for gate in action.get("gates", ()):
                self.gates[gate]["switched"] += 1
            observed = answer.observations[number] if answer else None
            if isinstance(observed, AdmissionAnswer):
                taken = observed.outcome is Admission.ADMITTED
                self.writes[_written(action), action["do"]]["taken" if taken else "refused"] += 1
            elif isinstance(observed, Done) and "of" in action:
                self.writes[_written(action), action["do"]]["taken"] += 1

    def add(self, other: Reached) -> None:
        """Count what other stories have reached as well."""
        self.actions += other.actions
        for written, counts in other.writes.items():
            self.writes[written] += counts
        for gate, counts in other.gates.items():
            self.gates[gate] += counts

    def lines(self) -> Iterator[str]:
        """The table."""
        yield f"{'kind':<34} {'action':<8} {'taken':>7} {'refused':>7}"
        for (kind, verb), counts in sorted(self.writes.items()):
            yield f"{kind:<34} {verb:<8} {counts['taken']:>7} {counts['refused']:>7}"
        yield f"{'gate':<48} {'on':>6} {'off':>6} {'switched':>8}"
        for gate, counts in sorted(self.gates.items()):
            yield f"{gate:<48} {counts['on']:>6} {counts['off']:>6} {counts['switched']:>8}"
        yield ", ".join(f"{verb} {count}" for verb, count in sorted(self.actions.items()))


def _written(action: Action) -> str:
    return f"{kind_of(action)}{' by a user' if 'user' in action else ''}"
