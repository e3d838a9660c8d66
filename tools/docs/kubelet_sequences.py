"""Print golden/kubelet/sequences.yaml: pods that are prepared and unprepared in every kind of state.

`Node` is what the statements of KUBELET say of prepared ResourceClaims and of their pods. All short sequences
of actions on it are searched for the situations in which a pod is prepared or unprepared. The file has each
pair of facts about such situations, in the shortest sequence to one. `make feature-interactions` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from golden_text import golden_text

from dra_conform.kube.json_values import Json

GPU, NIC = "gpu.example.com", "nic.example.com"
HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make feature-interactions` from tools/docs/kubelet_sequences.py.
document: KUBELET
area: sequences
title: Pods with several ResourceClaims that are prepared and unprepared in every kind of state
cases:"""
LONGEST = 6
"""The number of actions of the longest sequence."""


@dataclass(frozen=True)
class Setup:
    """The drivers of each ResourceClaim, and the ResourceClaims of each pod."""

    claims: Mapping[str, tuple[str, ...]]
    pods: Mapping[str, tuple[str, ...]]


SETUPS = (
    Setup({"shared": (GPU,)}, {"p": ("shared",), "q": ("shared",), "r": ("shared",)}),
    Setup(
        {"shared": (GPU,), "own": (GPU,), "other": (GPU,)},
        {"p": ("shared", "own"), "q": ("other", "shared"), "r": ("shared",)},
    ),
    Setup({"shared": (GPU,), "own": (NIC,)}, {"p": ("own", "shared"), "q": ("shared",), "r": ("shared",)}),
    Setup({"shared": (GPU, NIC)}, {"p": ("shared",), "q": ("shared",), "r": ("shared",)}),
    Setup({"shared": (GPU, NIC), "own": (GPU,)}, {"p": ("own", "shared"), "q": ("shared",)}),
    Setup({"one": (GPU,), "two": (NIC,)}, {"p": ("one", "two"), "q": ("one",), "r": ("two",)}),
)


@dataclass(frozen=True)
class Claim:
    """A ResourceClaim that the kubelet knows: the pods that use it, and whether it is prepared.

    `why` says why it is not prepared: a call failed, or the kubelet has restarted since. `unpreparing`: a
    call to unprepare it has failed. `done`: the drivers that may have unprepared it in spite of that.
    Whether these are called again is open.
    """

    users: frozenset[str] = frozenset()
    prepared: bool = False
    why: str = ""
    unpreparing: bool = False
    done: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Node:
    """What the kubelet knows: `claims` by name, the latest event of each pod, and the answers of drivers.

    `answers` has, for the driver and call that fail, how and for which ResourceClaim. A driver that is
    `stopped` fails every call.
    `dropped`: a failed call to unprepare has released a shared ResourceClaim. Whether a restarted kubelet
    knows that is open.
    """

    claims: tuple[tuple[str, Claim], ...] = ()
    pods: tuple[tuple[str, str], ...] = ()
    answers: tuple[tuple[str, str, str, str], ...] = ()
    dropped: bool = False

    def claim(self, name: str) -> Claim | None:
        return dict(self.claims).get(name)

    def latest(self, pod: str) -> str:
        return dict(self.pods).get(pod, "new")

    def with_claims(self, changed: Mapping[str, Claim | None]) -> Node:
        claims = {**dict(self.claims), **changed}
        return replace(self, claims=tuple(sorted((name, claim) for name, claim in claims.items() if claim)))

    def with_pod(self, pod: str, event: str) -> Node:
        return replace(self, pods=tuple(sorted({**dict(self.pods), pod: event}.items())))

    def failing(self, call: str, calls: Mapping[str, Sequence[str]]) -> tuple[str, str, str] | None:
        """Return the driver that fails one of these calls, how, and the ResourceClaim that it names."""
        for driver, its_call, how, claim in self.answers:
            if its_call in (call, "") and driver in calls and (not claim or claim in calls[driver]):
                return driver, how, claim
        return None


@dataclass(frozen=True)
class Step:
    """An action with its When step, the node after it, what must be seen, and facts about the situation.

    `since_1_37`: earlier releases are known to do otherwise. They keep the devices of an earlier answer, and
    unprepare ResourceClaims for pods that do not use them.
    """

    when: Json
    after: Node
    then: tuple[Json, ...] = ()
    facts: frozenset[str] = frozenset()
    since_1_37: bool = False


def steps(setup: Setup, node: Node) -> Iterator[Step]:
    """Yield the actions that are possible, without those whose result the statements leave open."""
    for pod in setup.pods:
        ended = "unprepared" in node.latest(pod)
        if not ended and not any(claim.unpreparing for claim in known(setup, node, pod)):
            yield prepare(setup, node, pod)
        yield unprepare(setup, node, pod)
    if node.claims and not node.dropped:
        yield restart(setup, node)
    if node.answers:
        yield healing(node)
        return
    for driver in (GPU, NIC):
        claims = [claim for claim, drivers in setup.claims.items() if driver in drivers]
        for call in ("prepare", "unprepare") if claims else ():
            yield answering(node, driver, call, "call-error")
            yield from (answering(node, driver, call, "claim-error", claim) for claim in claims)
            yield answering(node, driver, call, "left-out", claims[-1])
        if claims:
            yield answering(node, driver, "", "stopped")


def healing(node: Node) -> Step:
    (driver, call, how, _), *_ = node.answers
    return answering(node, driver, call, "started" if how == "stopped" else "valid")


def answering(node: Node, driver: str, call: str, how: str, claim: str = "") -> Step:
    answers = () if how in ("valid", "started") else ((driver, call, how, claim),)
    after = replace(node, answers=answers)
    if not call:
        return Step({"driverChanges": {"driver": driver, "to": how}}, after)
    named = {"resourceClaim": claim} if claim else {}
    return Step({"driverAnswers": {"driver": driver, "call": call, "to": how, **named}}, after)


def known(setup: Setup, node: Node, pod: str) -> list[Claim]:
    return [claim for name in setup.pods[pod] if (claim := node.claim(name))]


def prepare(setup: Setup, node: Node, pod: str) -> Step:
    needed, facts, changed = [], [f"pod:{node.latest(pod)}"], {}
    for name in setup.pods[pod]:
        claim = node.claim(name) or Claim(why="new")
        others = claim.users - {pod}
        facts += [f"claim:{state(claim, others)}", f"users:{len(others)}"]
        changed[name] = replace(claim, users=claim.users | {pod})
        if not claim.prepared:
            needed.append(name)
    when = {"kubeletPreparesPods": {"pods": [pod]}}
    missing = node.failing("", by_driver(setup, setup.pods[pod]))
    if missing:
        using = any(pod in claim.users for claim in known(setup, node, pod))
        then = [{"podFails": {"pod": pod, "call": "prepare"}}, {"driverNotCalled": {}}]
        then += [{"podNeedsUnprepare": {"pod": pod, "needed": using}}, *devices(setup, node)]
        after = node if node.latest(pod) != "new" else node.with_pod(pod, "rejected")
        return Step(when, after, tuple(then), frozenset({"prepare", *facts, *call_facts({}, missing)}))
    calls = by_driver(setup, needed)
    failure = node.failing("prepare", calls)
    facts += call_facts(calls, failure)
    for name in needed:
        new = {"why": "failed"} if failure else {"why": "", "prepared": True}
        changed[name] = replace(changed[name], **new)
    twice = node.latest(pod).startswith("prepared")
    event = "failed" if failure else "prepared twice" if twice else "prepared"
    after = node.with_claims(changed).with_pod(pod, event)
    then = [result("prepare", pod, failure), *called(setup, "prepare", calls, failure)]
    if not failure:
        then += [*devices(setup, after), {"podNeedsUnprepare": {"pod": pod, "needed": True}}]
    again = any(node.claim(name) for name in needed)
    return Step(when, after, tuple(then), frozenset({"prepare", *facts}), since_1_37=again)


def unprepare(setup: Setup, node: Node, pod: str) -> Step:
    released, last, facts = [], [], [f"pod:{node.latest(pod)}"]
    for name in setup.pods[pod]:
        claim = node.claim(name)
        if claim is None or pod not in claim.users:
            facts.append("claim:unused")
            continue
        others = claim.users - {pod}
        facts += [f"claim:{state(claim, others)}", f"users:{len(others)}"]
        (released if others else last).append(name)
    facts += [f"released:{bool(released)}", f"last:{bool(last)}"]
    calls = by_driver(setup, last)
    failure = node.failing("unprepare", calls)
    facts += call_facts(calls, failure)
    changed: dict[str, Claim | None] = {}
    for name in released:
        claim = node.claim(name) or Claim()
        changed[name] = replace(claim, users=claim.users - {pod})
    again = frozenset(driver for name in last for driver in (node.claim(name) or Claim()).done)
    for name in last:
        claim = node.claim(name) or Claim()
        done = frozenset(setup.claims[name]) - failed_drivers(name, failure)
        changed[name] = replace(claim, unpreparing=True, done=claim.done | done) if failure else None
    after = node.with_claims(changed).with_pod(pod, "not unprepared" if failure else "unprepared")
    after = replace(after, dropped=failure is not None and (bool(released) or node.dropped))
    then = [result("unprepare", pod, failure), *called(setup, "unprepare", calls, failure, again)]
    then += [{"podNeedsUnprepare": {"pod": pod, "needed": bool(failure)}}, *devices(setup, after)]
    foreign = any(pod not in claim.users for claim in known(setup, node, pod))
    when = {"kubeletUnpreparesPods": {"pods": [pod]}}
    return Step(when, after, tuple(then), frozenset({"unprepare", *facts}), since_1_37=foreign)


def failed_drivers(claim: str, failure: tuple[str, str, str] | None) -> frozenset[str]:
    """Return the driver that has certainly not unprepared a ResourceClaim, if there is one."""
    return frozenset({failure[0]} if failure and failure[2] in ("", claim) else ())


def state(claim: Claim, others: frozenset[str]) -> str:
    """Return a word for the state of a ResourceClaim, `shared` if other pods use it."""
    return f"{'shared ' if others else ''}{claim.why or 'prepared'}"


def restart(setup: Setup, node: Node) -> Step:
    claims = {
        name: replace(claim, prepared=False, why="checkpointed" if claim.prepared else claim.why)
        for name, claim in node.claims
    }
    after = node.with_claims(claims)
    for pod, event in node.pods:
        after = after.with_pod(pod, event if "restarted" in event else f"{event}, restarted")
    then = [*devices(setup, after)]
    for pod in setup.pods:
        if node.latest(pod) != "new":
            needed = any(pod in claim.users for claim in known(setup, node, pod))
            then.append({"podNeedsUnprepare": {"pod": pod, "needed": needed}})
    return Step({"kubeletRestarts": {}}, after, tuple(then))


def by_driver(setup: Setup, claims: Sequence[str]) -> dict[str, list[str]]:
    calls: dict[str, list[str]] = {}
    for claim in claims:
        for driver in setup.claims[claim]:
            calls.setdefault(driver, []).append(claim)
    return calls


def call_facts(calls: Mapping[str, Sequence[str]], failure: tuple[str, str, str] | None) -> list[str]:
    several = any(len(claims) > 1 for claims in calls.values())
    outcome = failure[1] if failure else "succeeds"
    return [f"outcome:{outcome}", f"drivers:{len(calls)}", f"several claims:{several}"]


def result(call: str, pod: str, failure: tuple[str, str, str] | None) -> Json:
    if failure is None:
        return {"podSucceeds": {"pod": pod, "call": call}}
    return {"podFails": {"pod": pod, "call": call}}


def called(
    setup: Setup,
    call: str,
    calls: Mapping[str, Sequence[str]],
    failure: tuple[str, str, str] | None,
    again: frozenset[str] = frozenset(),
) -> Iterator[Json]:
    """Yield the calls to drivers. Whether another driver than the failing one is called is open.

    `again`: the drivers of which it is open for which ResourceClaims they are called.
    """
    if not calls:
        yield {"driverNotCalled": {}}
        return
    for driver in dict.fromkeys(driver for drivers in setup.claims.values() for driver in drivers):
        if driver not in calls or (failure and failure[:2] == (driver, "stopped")):
            yield {"driverNotCalled": {"driver": driver}}
        elif driver not in again and (failure is None or failure[0] == driver):
            yield {"driverCalled": {"driver": driver, "call": call, "resourceClaims": calls[driver]}}


def devices(setup: Setup, node: Node) -> Iterator[Json]:
    """Yield the devices of the containers of prepared pods."""
    for pod, claims in setup.pods.items():
        found = known(setup, node, pod)
        ready = len(found) == len(claims) and all(
            pod in claim.users and (claim.prepared or claim.why == "checkpointed") and not claim.unpreparing
            for claim in found
        )
        if ready and node.latest(pod).startswith("prepared"):
            names = [device(claim, driver) for claim in claims for driver in setup.claims[claim]]
            yield {"containerDevices": {"pod": pod, "container": "main", "devices": names}}
            for claim in with_two_drivers(setup, claims):
                of_request = [device(claim, GPU)]
                yield {"containerDevices": {"pod": pod, "container": "gpu", "devices": of_request}}


def with_two_drivers(setup: Setup, claims: Sequence[str]) -> list[str]:
    """Return the ResourceClaims whose request `gpu` the container `gpu` of a pod names."""
    return [claim for claim in claims if len(setup.claims[claim]) > 1]


def device(claim: str, driver: str) -> str:
    return f"{claim}-{driver.partition('.')[0]}"


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
    """Yield situations that have all pairs of facts, each time the one with most new pairs for its length."""
    found = sorted((s for setup in SETUPS for s in situations(setup)), key=lambda s: len(s.path))
    shortest: dict[frozenset[str], Situation] = {}
    for situation in found:
        if any(requirements(situation.facts)):
            shortest.setdefault(situation.facts, situation)
    pairs = {s: set(combinations(sorted(s.facts), 2)) for s in shortest.values()}
    missing = set().union(*pairs.values())
    ids: set[str] = set()
    while missing:
        best = max(pairs, key=lambda s: len(pairs[s] & missing) / (2 + len(s.path)))
        missing -= pairs[best]
        if case_id(best.facts) not in ids:
            yield best
        ids.add(case_id(best.facts))


def values(facts: frozenset[str], name: str) -> list[str]:
    return sorted(fact.partition(":")[2] for fact in facts if fact.startswith(f"{name}:"))


def value(facts: frozenset[str], name: str) -> str:
    return values(facts, name)[0]


PODS = {
    "new": "a pod",
    "prepared": "a prepared pod",
    "prepared twice": "a twice prepared pod",
    "failed": "a failed pod",
    "rejected": "a rejected pod",
    "unprepared": "an unprepared pod",
    "not unprepared": "an ended pod",
}
FAILS = {"prepare": "fails on", "unprepare": "is held on"}
FAILURES = {
    "claim-error": "an error",
    "call-error": "a call error",
    "left-out": "a missing entry",
    "stopped": "a missing driver",
}
NUMBERS = ("no call", "a call", "calls to two drivers")


LONGEST_TITLE = 90


def title(facts: frozenset[str]) -> str:
    """Return a title, without the state of the pod and the restart if it would be too long with them."""
    event, claims, when = words(facts)
    adjectives = " and ".join(claims)
    article = "" if len(claims) > 1 else "an " if adjectives[0] in "aeiou" else "a "
    having = f"with {article}{adjectives} ResourceClaim{'s' if len(claims) > 1 else ''}"
    call, failure = call_of(facts), FAILURES.get(value(facts, "outcome"), "")
    outcome = (
        f"{FAILS[call]} {failure}" if failure else f"is {call}d by {NUMBERS[int(value(facts, 'drivers'))]}"
    )
    after = f"{when} a restart " if when else ""
    subjects = (f"{after}{PODS[event]}", f"{after}a pod", "a pod")
    texts = (f"{subject} {having} {outcome}" for subject in subjects)
    text = next(text for text in texts if len(text) <= LONGEST_TITLE)
    return text[0].upper() + text[1:]


def case_id(facts: frozenset[str]) -> str:
    event, claims, when = words(facts)
    outcome = value(facts, "outcome").removeprefix("claim-").replace("succeeds", "")
    parts = (call_of(facts), when, event.removeprefix("prepared "), *claims, outcome)
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


def requirements(facts: frozenset[str]) -> Iterator[str]:
    """Yield the requirements, without document, that the last step of a sequence shows."""
    outcome, states = value(facts, "outcome"), " ".join(values(facts, "claim"))
    if "several claims:True" in facts:
        yield "prepare/one-call-per-driver"
    if "prepare" in facts:
        causes = {
            "claim-error": "error-of-claim",
            "call-error": "error-of-call",
            "left-out": "left-out",
            "stopped": "validates-first",
        }
        if outcome in causes:
            yield f"prepare/{causes[outcome]}"
        if outcome == "stopped":
            return
        if outcome in causes or "failed" in states:
            yield "prepare/retried"
        if "shared prepared" in states:
            yield "prepare/shared"
        elif "prepared" in states:
            yield "prepare/once"
        if "checkpointed" in states:
            yield "restart/prepares-again"
        return
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
        results = [{"request": d.partition(".")[0], "device": device(claim, d), "driver": d} for d in drivers]
        yield {"allocated": {"resourceClaim": claim, "results": results}}
    for pod, claims in setup.pods.items():
        containers = [{"name": "main", "claims": list(claims)}]
        containers += [{"name": "gpu", "claims": [f"{c}/gpu"]} for c in with_two_drivers(setup, claims)]
        yield {"pod": {"name": pod, "resourceClaims": list(claims), "containers": containers}}


def golden_case(situation: Situation) -> dict[str, Json]:
    path = situation.path
    if path[-1].after.answers and values(situation.facts, "outcome") != ["succeeds"]:
        path = (*path, *retry(situation))
    later = {"profiles": ["kep", "since 1.37"]} if any(step.since_1_37 for step in path) else {}
    return {
        "case": case_id(situation.facts),
        "title": title(situation.facts),
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
    yield (prepare if "prepare" in last.facts else unprepare)(situation.setup, healed.after, pod)


if __name__ == "__main__":
    print(golden_text(HEAD, [golden_case(situation) for situation in chosen()]), end="")
