"""Print golden/kubelet/sequences.yaml: pods that are prepared and unprepared in every kind of state.

All short sequences of actions of `kubelet_model` are searched for the situations in which a pod is prepared
or unprepared. The file has each pair of facts about such situations, in the shortest sequence to one. Of the
sequences with changes it has most of the pairs with a fact about a change. `make feature-interactions` writes
the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from golden_text import golden_text
from kubelet_model import (
    SETUPS,
    SETUPS_WITH_CHANGES,
    Node,
    Setup,
    Step,
    device,
    healing,
    prepare,
    steps,
    unprepare,
    with_two_drivers,
)

from dra_conform.kube.json_values import Json

HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make feature-interactions` from tools/docs/kubelet_sequences.py.
document: KUBELET
area: sequences
title: Pods whose ResourceClaims are new, prepared, failed, or prepared before a restart (pre-restart)
cases:"""
LONGEST = 6
"""The number of actions of the longest sequence."""
CHANGES = ("deleted", "replaced", "unallocated", "unreserved", "unpreparing", "instances:")
"""Words in facts about ResourceClaims and instances of drivers that have changed or are missing."""


@dataclass(frozen=True, eq=False)
class Situation:
    """The last step of a sequence, in which a pod is prepared or unprepared."""

    setup: Setup
    path: tuple[Step, ...]

    @property
    def facts(self) -> frozenset[str]:
        return self.path[-1].facts


def situations(setup: Setup) -> Iterator[Situation]:
    """Yield the situations with the shortest sequences to them, shorter ones first."""
    reached: dict[Node, tuple[Step, ...]] = {Node(): ()}
    seen = set()
    front = [Node()]
    for _ in range(LONGEST):
        following = []
        for node in front:
            for step in steps(setup, node):
                path = (*reached[node], step)
                if step.facts and step.facts not in seen:
                    seen.add(step.facts)
                    yield Situation(setup, path)
                if step.after not in reached:
                    reached[step.after] = path
                    following.append(step.after)
        front = following


def chosen() -> Iterator[Situation]:
    """Yield situations with all pairs of facts, then some with most pairs that have a change."""
    ids: set[str] = set()
    for setups, words, most in (
        (SETUPS, ("",), 100),
        ([setup for setup in SETUPS_WITH_CHANGES if setup.changes == "claims"], CHANGES, 30),
        ([setup for setup in SETUPS_WITH_CHANGES if setup.changes == "instances"], CHANGES, 16),
        ([setup for setup in SETUPS_WITH_CHANGES if not setup.changes], CHANGES, 12),
    ):
        found = sorted((s for setup in setups for s in situations(setup)), key=lambda s: len(s.path))
        shortest: dict[frozenset[str], Situation] = {}
        for situation in found:
            if any(requirements(situation.facts)):
                shortest.setdefault(situation.facts, situation)
        for situation in islice(covering(list(shortest.values()), words), most):
            if case_id(situation.facts) not in ids:
                yield situation
            ids.add(case_id(situation.facts))


def covering(found: Sequence[Situation], words: Sequence[str]) -> Iterator[Situation]:
    """Yield situations that have all pairs of facts, each time the one with most new pairs for its length.

    Only pairs with one of the words in a fact count.
    """
    pairs = {
        situation: {
            pair
            for pair in combinations(sorted(counted(situation.facts, words)), 2)
            if any(word in fact for word in words for fact in pair)
        }
        for situation in found
    }
    missing = set().union(*pairs.values())
    while missing:
        best = max(pairs, key=lambda s: len(pairs[s] & missing) / (2 + len(s.path)))
        missing -= pairs[best]
        yield best


def counted(facts: frozenset[str], words: Sequence[str]) -> frozenset[str]:
    """Return the facts of which pairs count: of changes without numbers and what follows from other facts."""
    followed = () if words == ("",) else ("users:", "released:", "last:", "several claims:", "drivers:")
    return frozenset(fact for fact in facts if not fact.startswith(followed or "-"))


def values(facts: frozenset[str], name: str) -> list[str]:
    return sorted(fact.partition(":")[2] for fact in facts if fact.startswith(f"{name}:"))


def value(facts: frozenset[str], name: str) -> str:
    return values(facts, name)[0]


PODS = {
    "new": "a pod",
    "prepared": "a prepared pod",
    "prepared twice": "a twice-prepared pod",
    "failed": "a failed pod",
    "rejected": "a failed pod",
    "unprepared": "a pod",
    "not unprepared": "a pod",
}
WITHOUT_CLAIMS_IN_USE = {
    "new": "a pod that was never prepared",
    "rejected": "a pod that failed before a driver call",
    "unprepared": "an unprepared pod again",
}
"""Pods that use none of their ResourceClaims."""
BEFORE_A_CALL = ("before a driver is called", "before a driver call", "before any call")
FAILURES = {
    "claim-error": ("if the response has an error", "on a response error"),
    "call-error": ("if the driver call fails", "if the call fails"),
    "left-out": ("if the response is incomplete", "on an incomplete response", "on a partial response"),
    "stopped": ("while the driver is stopped", "with the driver stopped", "without its driver"),
    **dict.fromkeys(("deleted", "unallocated", "unreserved", "replaced", "unpreparing"), BEFORE_A_CALL),
}
"""Conditions of a failure, the longer words first."""
NUMBERS = ("calls no driver", "calls the driver", "calls both drivers")
INSTANCES = {"1": "first", "2": "second", "1+2": "newer"}
STATES = {"unpreparing": "partly unprepared", "unused": "another pod's", "checkpointed": "pre-restart"}
"""Words for states of ResourceClaims: `another pod's` is one that the pod itself no longer uses."""


LONGEST_TITLE = 90


def title(situation: Situation, others: Collection[str]) -> str:
    """Return a title that differs from the others, with fewer words if it would be too long."""
    facts = situation.facts
    event, states, when = words(facts)
    call, outcome = call_of(facts), value(facts, "outcome")
    texts = [*calls_of(facts, drivers_of(situation.setup))]
    if outcome != "succeeds":
        texts = [tuple(f"fails {condition}" for condition in FAILURES[outcome])]
        for numbers in values(facts, "instances") if outcome == "call-error" else ():
            ways = ("the driver's", "the", "a")
            texts[:0] = [(f"fails if {way} {INSTANCES[numbers]} instance fails",) for way in ways]
    doing = f"{when} a restart, {call[:-1]}ing" if when else f"{call[:-1]}ing"
    titles = (
        f"{subject} {text}"
        for equal_texts in texts
        for subject in subjects(doing, event, states, pod_claims(situation))
        for text in equal_texts
    )
    short = (each[0].upper() + each[1:] for each in titles if len(each) <= LONGEST_TITLE)
    return next(each for each in short if each not in others)


def subjects(doing: str, event: str, states: Sequence[str], number: int) -> Iterator[str]:
    """Yield words for a pod with its ResourceClaims and what is done with it, longer ones first."""
    if [*states] == ["unused"]:
        yield f"{doing} {WITHOUT_CLAIMS_IN_USE[event]}"
        return
    changed = [change(state) for state in states]
    last = [*dict.fromkeys(STATES.get(word := changes_only(state).split()[-1], word) for state in states)]
    attempts = ("a second attempt to unprepare",) if event == "not unprepared" else ()
    short = [STATES.get(state, state) for state in states]
    for adjectives, noun in product((changed, last, short), ("ResourceClaim", "claim")):
        claims = having(adjectives, number, noun)
        yield from (f"{attempt} {PODS[event]} {claims}" for attempt in (*attempts, doing))
        yield f"{doing} a pod {claims}"
        yield f"{doing.rpartition(', ')[2]} a pod {claims}"


def change(state: str) -> str:
    """Return the state of a ResourceClaim, and only its change and whether it is shared if it has changed."""
    changed = changes_only(state)
    if state in (changed, f"shared {changed}"):
        return " ".join(STATES.get(word, word) for word in state.split())
    return f"{'shared ' if 'shared' in state else ''}{STATES.get(changed, changed)}"


def pod_claims(situation: Situation) -> int:
    """Return the number of ResourceClaims of the pod that the last step prepares or unprepares."""
    (pod,) = next(iter(situation.path[-1].when.values()))["pods"]
    return len(situation.setup.pods[pod])


def drivers_of(setup: Setup) -> int:
    """Return the number of drivers on the node."""
    return len({driver for drivers in setup.claims.values() for driver in drivers})


def calls_of(facts: frozenset[str], drivers: int) -> Iterator[tuple[str, ...]]:
    """Yield words for the calls to some of the `drivers` of a success, longer ones first."""
    number = int(value(facts, "drivers"))
    for numbers in values(facts, "instances"):
        yield (f"calls the {INSTANCES[numbers]} instance{' of one driver' if number > 1 else ''}",)
    if number == 1 < drivers:
        yield ("calls only one driver",)
    yield (NUMBERS[number],)


def having(adjectives: Sequence[str], number: int, noun: str) -> str:
    """Return words for a number of ResourceClaims, of which each has one of the adjectives."""
    if len(adjectives) == 1 and number > 1:
        return f"with two {adjectives[0]} {noun}s"
    articles = (
        "" if each == STATES["unused"] else "an " if each[0] in "aeiou" else "a " for each in adjectives
    )
    each = (f"{article}{adjective}" for article, adjective in zip(articles, adjectives, strict=True))
    return f"with {' and '.join(each)} {noun}"


def changes_only(claim: str) -> str:
    """Return how a ResourceClaim has changed, its state if it has not."""
    return next((word for word in CHANGES if word in claim), claim)


def case_id(facts: frozenset[str]) -> str:
    event, claims, when = words(facts)
    outcome = value(facts, "outcome").removeprefix("claim-").replace("succeeds", "")
    outcome = "" if outcome in CHANGES else outcome
    instances = [INSTANCES[numbers] for numbers in values(facts, "instances")]
    claims = list(map(changes_only, claims))
    parts = (call_of(facts), when, event.removeprefix("prepared "), *claims, outcome, *instances)
    return "-".join(part for part in parts if part).replace(" ", "-")


def words(facts: frozenset[str]) -> tuple[str, Sequence[str], str]:
    """Return the state of the pod, those of its ResourceClaims, and `after` if they do not show a restart."""
    event, _, restarted = value(facts, "pod").partition(", ")
    claims = values(facts, "claim")
    after = "after" if restarted and "checkpointed" not in " ".join(claims) else ""
    if all(claim.startswith("shared ") for claim in claims):
        claims[1:] = [claim.removeprefix("shared ") for claim in claims[1:]]
    return event, claims, after


def call_of(facts: frozenset[str]) -> str:
    return "prepare" if "prepare" in facts else "unprepare"


CAUSES = {
    "claim-error": "prepare/error-of-claim",
    "call-error": "prepare/error-of-call",
    "left-out": "prepare/left-out",
    **dict.fromkeys(("stopped", "deleted", "unallocated", "unreserved"), "prepare/validates-first"),
    "replaced": "prepare/replaced-claim",
    "unpreparing": "prepare/not-while-unpreparing",
}
"""The requirements of pods that cannot be prepared, without document."""


def requirements(facts: frozenset[str]) -> Iterator[str]:
    """Yield the requirements, without document, that the last step of a sequence shows."""
    outcome, states = value(facts, "outcome"), " ".join(values(facts, "claim"))
    if values(facts, "instances"):
        yield "registration/falls-back"
    yield from (preparing if "prepare" in facts else unpreparing)(facts, outcome, states)
    if "several claims:True" in facts:
        yield "prepare/one-call-per-driver"


def preparing(_: frozenset[str], outcome: str, states: str) -> Iterator[str]:
    if outcome in CAUSES:
        yield CAUSES[outcome]
    if outcome == "stopped" or outcome in CHANGES:
        return
    if outcome in CAUSES or "failed" in states:
        yield "prepare/retried"
    if "shared prepared" in states:
        yield "prepare/shared"
    elif "prepared" in states:
        yield "prepare/once"
    if "checkpointed" in states:
        yield "restart/prepares-again"


def unpreparing(facts: frozenset[str], outcome: str, states: str) -> Iterator[str]:
    if outcome != "succeeds":
        yield "unprepare/until-success"
    if "restarted" in value(facts, "pod") or "checkpointed" in states:
        yield "restart/checkpoint"
    if "unused" in states:
        ended = "unprepared" in value(facts, "pod")
        yield "unprepare/idempotent" if ended else "unprepare/only-users"
    if states != "unused":
        yield "unprepare/last-pod"


def given(setup: Setup) -> Iterator[Json]:
    for driver in dict.fromkeys(driver for drivers in setup.claims.values() for driver in drivers):
        yield {"nodeDriver": {"name": driver}}
    for claim, drivers in setup.claims.items():
        if claim in setup.unallocated:
            yield {"resourceClaim": {"name": claim, "requests": [{"request": "gpu"}]}}
            continue
        results = [{"request": d.partition(".")[0], "device": device(claim, d), "driver": d} for d in drivers]
        yield {"allocated": {"resourceClaim": claim, "results": results}}
    for pod, claims in setup.pods.items():
        containers = [{"name": "main", "claims": list(claims)}]
        containers += [{"name": "gpu", "claims": [f"{c}/gpu"]} for c in with_two_drivers(setup, claims)]
        yield {"pod": {"name": pod, "resourceClaims": list(claims), "containers": containers}}
    for claim, pod in sorted(setup.unreserved):
        yield {"notReserved": {"resourceClaim": claim, "pod": pod}}


def golden_case(situation: Situation, title: str) -> dict[str, Json]:
    path = situation.path
    if path[-1].after.answers and values(situation.facts, "outcome") != ["succeeds"]:
        path = (*path, *retry(situation))
    later = {"profiles": ["kep", "since 1.37"]} if any(step.since_1_37 for step in path) else {}
    return {
        "case": case_id(situation.facts),
        "title": title,
        "requirements": [f"KUBELET/{name}" for name in dict.fromkeys(requirements(situation.facts))],
        **later,
        "given": list(given(situation.setup)),
        "steps": [{"when": step.when, "then": list(step.then)} for step in path],
    }


def retry(situation: Situation) -> Iterator[Step]:
    """Yield the steps by which the driver is again as it should be, and the call is tried again."""
    last = situation.path[-1]
    healed = healing(last.after)
    yield healed
    (pod,) = next(iter(last.when.values()))["pods"]
    step = (prepare if "prepare" in last.facts else unprepare)(situation.setup, healed.after, pod)
    assert step is not None, "a driver that answers as it should fails no pod"
    yield step


if __name__ == "__main__":
    titles: list[str] = []
    situations_chosen = list(chosen())
    for situation in situations_chosen:
        titles.append(title(situation, titles))
    print(golden_text(HEAD, list(map(golden_case, situations_chosen, titles))), end="")
