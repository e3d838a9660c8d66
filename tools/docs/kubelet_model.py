"""What the statements of KUBELET say of a node: its pods, ResourceClaims and drivers, and actions on them.

`Node` is the state that a kubelet knows, `steps` are the actions on it with what must be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dra_conform.kube.json_values import Json

GPU, NIC = "gpu.example.com", "nic.example.com"


@dataclass(frozen=True)
class Setup:
    """The drivers of each ResourceClaim, and the ResourceClaims of each pod.

    `changes`: whether ResourceClaims are replaced and deleted, or instances of drivers start and stop.
    `unreserved`: the ResourceClaims that are not reserved for a pod. `unallocated`: those without devices.
    """

    claims: Mapping[str, tuple[str, ...]]
    pods: Mapping[str, tuple[str, ...]]
    changes: Literal["", "claims", "instances"] = ""
    unreserved: frozenset[tuple[str, str]] = frozenset()
    unallocated: frozenset[str] = frozenset()


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
SETUPS_WITH_CHANGES = (
    Setup({"shared": (GPU,)}, {"p": ("shared",), "q": ("shared",)}, "claims"),
    Setup({"shared": (GPU,), "own": (NIC,)}, {"p": ("shared", "own"), "q": ("shared",)}, "claims"),
    Setup({"shared": (GPU, NIC)}, {"p": ("shared",), "q": ("shared",)}, "claims"),
    Setup({"shared": (GPU,), "own": (NIC,)}, {"p": ("shared", "own"), "q": ("shared",)}, "instances"),
    Setup({"shared": (GPU, NIC)}, {"p": ("shared",), "q": ("shared",)}, "instances"),
    Setup(
        {"shared": (GPU,), "own": (NIC,)},
        {"p": ("own", "shared"), "q": ("shared",)},
        unreserved=frozenset({("shared", "p")}),
    ),
    Setup(
        {"shared": (GPU,), "own": (GPU,)},
        {"p": ("shared", "own"), "q": ("shared",)},
        unallocated=frozenset({"own"}),
    ),
)
"""Setups in which ResourceClaims, reservations or instances of drivers change or are missing."""


@dataclass(frozen=True)
class Claim:
    """A ResourceClaim that the kubelet knows: the pods that use it, and whether it is prepared.

    `why` says why it is not prepared: a call failed, or the kubelet has restarted since. `maybe`: its drivers
    may have prepared it in spite of that. `replaced`: the API server has another ResourceClaim of its name.
    `unpreparing`: a call to unprepare it has failed. `done`: the drivers that may have unprepared it in spite
    of that. Whether a driver is called again for a ResourceClaim that it may have handled is open.
    """

    users: frozenset[str] = frozenset()
    prepared: bool = False
    why: str = ""
    maybe: bool = False
    replaced: bool = False
    unpreparing: bool = False
    done: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Node:
    """What the kubelet knows: `claims` by name, the latest event of each pod, and the answers of drivers.

    `answers` has, for the driver and call that fail, how and for which ResourceClaim. A driver that is
    `stopped` fails every call.
    `dropped`: a failed call to unprepare has released a shared ResourceClaim. Whether a restarted kubelet
    knows that is open.
    `changed`: the ResourceClaim that was replaced or deleted, and which of both. `instances`: the numbers of
    the running instances of each driver that has another than the first, the newest last.
    """

    claims: tuple[tuple[str, Claim], ...] = ()
    pods: tuple[tuple[str, str], ...] = ()
    answers: tuple[tuple[str, str, str, str], ...] = ()
    dropped: bool = False
    changed: tuple[tuple[str, str], ...] = ()
    instances: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def claim(self, name: str) -> Claim | None:
        return dict(self.claims).get(name)

    def latest(self, pod: str) -> str:
        return dict(self.pods).get(pod, "new")

    def running(self, driver: str) -> tuple[int, ...]:
        return dict(self.instances).get(driver, (1,))

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
        if not ended and not is_open(setup, node, pod) and (step := prepare(setup, node, pod)):
            yield step
        yield unprepare(setup, node, pod)
    if node.claims and not node.dropped and all(len(running) == 1 for _, running in node.instances):
        yield restart(setup, node)
    if setup.changes == "claims":
        yield from claim_changes(setup, node)
    if setup.changes == "instances":
        yield from instance_changes(setup, node)
    if node.answers:
        yield healing(node)
        return
    for driver in (GPU, NIC):
        claims = [claim for claim, drivers in setup.claims.items() if driver in drivers]
        for call in ("prepare", "unprepare") if claims else ():
            yield answering(node, driver, call, "call-error")
            if setup in SETUPS_WITH_CHANGES:
                continue
            yield from (answering(node, driver, call, "claim-error", claim) for claim in claims)
            yield answering(node, driver, call, "left-out", claims[-1])
        if claims and node.running(driver) == (1,):
            yield answering(node, driver, "", "stopped")


def is_open(setup: Setup, node: Node, pod: str) -> bool:
    """Return whether the result of preparing a pod is open.

    It is open whether a pod uses the ResourceClaims before one for which it fails. A kubelet may know after
    a restart that a ResourceClaim is being unprepared.
    """
    if setup in SETUPS:
        return any(claim.unpreparing for claim in known(setup, node, pod))
    for number, name in enumerate(setup.pods[pod]):
        claim = node.claim(name)
        if claim and (claim.replaced or claim.unpreparing):
            earlier = (node.claim(other) for other in setup.pods[pod][:number])
            used = all(other and pod in other.users for other in earlier)
            return not used or (claim.unpreparing and not claim.prepared)
    return False


def claim_changes(setup: Setup, node: Node) -> Iterator[Step]:
    """Yield the changes of ResourceClaims in the API server, at most one in a sequence."""
    for name in () if node.changed else setup.claims:
        for to in ("replaced", "deleted"):
            claim = node.claim(name)
            if claim or to == "deleted":
                after = replace(node, changed=((name, to),))
                if claim:
                    after = after.with_claims({name: replace(claim, replaced=to == "replaced")})
                yield Step({"claimOfPodChanges": {"resourceClaim": name, "to": to}}, after)


def instance_changes(setup: Setup, node: Node) -> Iterator[Step]:
    """Yield the changes of a driver: its second instance starts, and then one of both stops."""
    for driver in () if node.answers else by_driver(setup, [*setup.claims]):
        running = node.running(driver)
        if running == (1,):
            yield instance_change(node, driver, "started", 2, (1, 2))
        elif len(running) == 2:
            yield instance_change(node, driver, "stopped", 1, (2,))
            yield instance_change(node, driver, "stopped", 2, (1,))


def instance_change(node: Node, driver: str, to: str, instance: int, running: tuple[int, ...]) -> Step:
    others = tuple((name, numbers) for name, numbers in node.instances if name != driver)
    after = replace(node, instances=tuple(sorted((*others, (driver, running)))))
    return Step({"driverChanges": {"driver": driver, "to": to, "instance": instance}}, after)


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


def prepare(setup: Setup, node: Node, pod: str) -> Step | None:
    """Return the step in which a pod is prepared, None if it is open whether this fails."""
    needed, facts, changed = [], [f"pod:{node.latest(pod)}"], {}
    for name in setup.pods[pod]:
        claim = node.claim(name) or Claim(why="new")
        others = claim.users - {pod}
        problem = problem_of(setup, node, pod, name)
        facts += [f"claim:{state(claim, others, problem)}", f"users:{len(others)}"]
        changed[name] = replace(claim, users=claim.users | {pod})
        if not claim.prepared:
            needed.append(name)
    when = {"kubeletPreparesPods": {"pods": [pod]}}
    problems = [problem for name in setup.pods[pod] if (problem := problem_of(setup, node, pod, name))]
    certain = by_driver(setup, [name for name in needed if not changed[name].maybe])
    missing = node.failing("", by_driver(setup, setup.pods[pod]))
    if problems or missing:
        using = any(pod in claim.users for claim in known(setup, node, pod))
        then = [{"podFails": {"pod": pod, "call": "prepare"}}, {"driverNotCalled": {}}]
        then += [{"podNeedsUnprepare": {"pod": pod, "needed": using}}, *devices(setup, node)]
        after = node if node.latest(pod) != "new" else node.with_pod(pod, "rejected")
        facts += call_facts({}, missing or ("", problems[0], ""))
        since_1_37 = "unpreparing" in problems
        return Step(when, after, tuple(then), frozenset({"prepare", *facts}), since_1_37)
    calls = by_driver(setup, needed)
    failure = node.failing("prepare", calls)
    if failure != node.failing("prepare", certain):
        return None
    facts += [*call_facts(calls, failure), *instance_facts(node, calls, failure)]
    again = frozenset(driver for name in needed if changed[name].maybe for driver in setup.claims[name])
    for name in needed:
        failed = Claim(changed[name].users, why="failed", maybe=not certainly_failed(setup, name, failure))
        changed[name] = failed if failure else Claim(changed[name].users, prepared=True)
    twice = node.latest(pod).startswith("prepared")
    event = "failed" if failure else "prepared twice" if twice else "prepared"
    after = node.with_claims(changed).with_pod(pod, event)
    then = [result("prepare", pod, failure), *called(setup, node, "prepare", calls, failure, again)]
    if not failure:
        then += [*devices(setup, after), {"podNeedsUnprepare": {"pod": pod, "needed": True}}]
    known_before = any(node.claim(name) for name in needed)
    return Step(when, after, tuple(then), frozenset({"prepare", *facts}), since_1_37=known_before)


def certainly_failed(setup: Setup, claim: str, failure: tuple[str, str, str] | None) -> bool:
    return failure is not None and failure[0] in setup.claims[claim] and failure[2] in ("", claim)


def problem_of(setup: Setup, node: Node, pod: str, name: str) -> str:
    """Return why a pod cannot be prepared with a ResourceClaim, before a call to a driver."""
    claim = node.claim(name) or Claim()
    problems = {
        "deleted": (name, "deleted") in node.changed,
        "unallocated": name in setup.unallocated,
        "unreserved": (name, pod) in setup.unreserved,
        "replaced": claim.replaced,
        "unpreparing": claim.unpreparing,
    }
    return next((problem for problem, exists in problems.items() if exists), "")


def unprepare(setup: Setup, node: Node, pod: str) -> Step:
    released, last, facts = [], [], [f"pod:{node.latest(pod)}"]
    for name in setup.pods[pod]:
        claim = node.claim(name)
        if claim is None or pod not in claim.users:
            facts.append("claim:unused")
            continue
        others = claim.users - {pod}
        gone = "replaced" if claim.replaced else "deleted" if (name, "deleted") in node.changed else ""
        facts += [f"claim:{state(claim, others, gone)}", f"users:{len(others)}"]
        (released if others else last).append(name)
    facts += [f"released:{bool(released)}", f"last:{bool(last)}"]
    calls = by_driver(setup, last)
    failure = node.failing("unprepare", calls)
    facts += [*call_facts(calls, failure), *instance_facts(node, calls, failure)]
    changed: dict[str, Claim | None] = {}
    for name in released:
        claim = node.claim(name) or Claim()
        changed[name] = replace(claim, users=claim.users - {pod})
    again = frozenset(driver for name in last for driver in (node.claim(name) or Claim()).done)
    for name in last:
        claim = node.claim(name) or Claim()
        certain = {failure[0]} if failure and certainly_failed(setup, name, failure) else set()
        done = frozenset(setup.claims[name]) - certain
        changed[name] = replace(claim, unpreparing=True, done=claim.done | done) if failure else None
    after = node.with_claims(changed).with_pod(pod, "not unprepared" if failure else "unprepared")
    after = replace(after, dropped=failure is not None and (bool(released) or node.dropped))
    then = [result("unprepare", pod, failure), *called(setup, node, "unprepare", calls, failure, again)]
    then += [{"podNeedsUnprepare": {"pod": pod, "needed": bool(failure)}}, *devices(setup, after)]
    foreign = any(pod not in claim.users for claim in known(setup, node, pod))
    when = {"kubeletUnpreparesPods": {"pods": [pod]}}
    return Step(when, after, tuple(then), frozenset({"unprepare", *facts}), since_1_37=foreign)


def state(claim: Claim, others: frozenset[str], problem: str = "") -> str:
    """Return words for the state of a ResourceClaim, `shared` if other pods use it.

    `problem`: why it cannot be used for a pod, or how it has changed in the API server.
    """
    why = "" if problem and claim.why == "new" else claim.why or "prepared"
    return " ".join(word for word in ("shared" if others else "", problem, why) if word)


def instance_facts(
    node: Node, calls: Mapping[str, Sequence[str]], failure: tuple[str, str, str] | None
) -> list[str]:
    """Return a fact if a driver is called that has had another instance than the first."""
    if failure and failure[1] == "stopped":
        return []
    numbers = [node.running(driver) for driver, _ in node.instances if driver in calls]
    return [f"instances:{'+'.join(map(str, numbers[0]))}"] if numbers else []


def restart(setup: Setup, node: Node) -> Step:
    claims = {
        name: replace(claim, prepared=False, maybe=False, why="checkpointed" if claim.prepared else claim.why)
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
    node: Node,
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
            newest = {"instance": node.running(driver)[-1]} if driver in dict(node.instances) else {}
            yield {
                "driverCalled": {"driver": driver, "call": call, "resourceClaims": calls[driver], **newest}
            }


def devices(setup: Setup, node: Node) -> Iterator[Json]:
    """Yield the devices of the containers of prepared pods whose ResourceClaims have not changed."""
    for pod, claims in setup.pods.items():
        found = known(setup, node, pod)
        same = not any(claim.replaced for claim in found)
        same &= not any(name in claims for name, to in node.changed if to == "deleted")
        ready = (
            same
            and len(found) == len(claims)
            and all(
                pod in claim.users
                and (claim.prepared or claim.why == "checkpointed")
                and not claim.unpreparing
                for claim in found
            )
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
