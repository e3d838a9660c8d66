"""Waiting for the steady state depends on the cluster: longer if it is slow, given up if it keeps changing."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live import probe_pod, settling
from dra_conform.adapters.live.pending_work import FAILED_GENERATION, ComponentQueues
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.settling import (
    MAX_POLLS,
    PROBE_FACTOR,
    RETURNS,
    STABLE_SECONDS,
    UNCHANGED_SECONDS,
    NoSteadyState,
    Settling,
)
from dra_conform.kube.json_values import Json

UNTRIED = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "default", "uid": "p"},
    "spec": {},
}


class Clock:
    """A clock that only advances by waiting."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Watch:
    """The watch of a cluster with a pod that the scheduler does not try.

    With `restless` there is a change at each poll; with `every` the pod changes after so many seconds. It
    returns to its first state after `states` changes.
    """

    def __init__(
        self, clock: Clock, *, restless: bool = False, every: float = 1e9, states: int = 10**9
    ) -> None:
        self._clock = clock
        self._restless = restless
        self._every = every
        self._states = states
        self._polls = 0

    @property
    def changes(self) -> int:
        return self._polls * self._restless + int(self._clock.now // self._every)

    def wait(self, seconds: float, seen: int) -> bool:
        self._clock.now += seconds
        self._polls += 1
        return self.changes != seen

    def object_states(self) -> frozenset[Json]:
        return frozenset({("p", b"pending %d" % (self._clock.now // self._every % self._states))})

    def recurring_state(self) -> bytes:
        return b"".join(state for _, state in self.object_states())

    def pods(self) -> list[Json]:
        return [UNTRIED]

    def claims(self) -> list[Json]:
        return []

    def events(self) -> list[Json]:
        return []

    def is_current(self) -> bool:
        return True


class Idle:
    """An emulated kubelet without work."""

    def work(self, pods: Json, claims: Json) -> bool:
        return False


class ProbePod:
    """A probe pod that is tried after some seconds."""

    def __init__(self, took: float) -> None:
        self.seconds = took

    def send(self) -> float:
        return self.seconds


def seconds_to_settle(
    probe: float,
    *,
    restless: bool = False,
    every: float = 1e9,
    states: int = 10**9,
    clock: Clock | None = None,
    queues: ComponentQueues | None = None,
) -> float:
    clock = clock or Clock()
    watch: Any = Watch(clock, restless=restless, every=every, states=states)
    kubelet: Any = Idle()
    probe_pod_stub: Any = ProbePod(probe)
    Settling(watch, kubelet, probe_pod_stub, queues).settle(clock)
    return clock.now


def queues_with_backoff(pods: int) -> str:
    """Return the metrics of queues that are empty except for these pods."""
    return f"""
scheduler_pending_pods{{queue="active"}} 0
scheduler_pending_pods{{queue="backoff"}} {pods}
workqueue_depth{{name="resource_claim"}} 0
"""


def test_unfinished_work_is_awaited_longer_on_a_slow_cluster() -> None:
    quick, slow = seconds_to_settle(0.05), seconds_to_settle(2.0)
    assert UNCHANGED_SECONDS < quick < UNCHANGED_SECONDS + 2
    assert slow > PROBE_FACTOR * 2.0


@pytest.mark.parametrize(("backoff", "longest"), [(0, 3.0), (1, UNCHANGED_SECONDS + 2)])
def test_unfinished_work_is_not_awaited_if_all_queues_are_empty(backoff: int, longest: float) -> None:
    queues = ComponentQueues(lambda: {"scheduler": queues_with_backoff(backoff)})
    seconds = seconds_to_settle(0.05, queues=queues)
    assert (UNCHANGED_SECONDS if backoff else 0) < seconds < longest


def test_a_cluster_that_keeps_changing_is_given_up() -> None:
    with pytest.raises(NoSteadyState, match=f"does not reach a steady state within {MAX_POLLS} polls"):
        seconds_to_settle(0.05, restless=True)


def test_a_cluster_that_changes_every_ten_seconds_is_given_up() -> None:
    clock = Clock()
    with pytest.raises(NoSteadyState):
        seconds_to_settle(0.05, every=10.0, clock=clock)
    assert clock.now < 1.1 * MAX_POLLS * STABLE_SECONDS


@pytest.mark.parametrize("states", [2, 3])
def test_a_cluster_that_returns_to_a_state_is_steady_after_some_returns(states: int) -> None:
    seconds = seconds_to_settle(0.05, every=10.0, states=states)
    assert RETURNS * states * 10.0 < seconds < (RETURNS * states + 1) * 10.0


def test_returns_after_writes_that_have_to_fail_do_not_count() -> None:
    clock = Clock()
    watch: Any = Watch(clock, every=10.0, states=2)
    kubelet: Any = Idle()
    probe: Any = ProbePod(0.05)
    fails_until = 100.0
    settling = Settling(watch, kubelet, probe, failed_writes=lambda: min(clock.now, fails_until) // 10)
    settling.settle(clock)
    assert fails_until + RETURNS * 2 * 10.0 - 10.0 < clock.now


@pytest.mark.parametrize("is_bound", [False, True])
def test_a_pending_pod_is_retried_once_after_the_deletion_of_a_claim(is_bound: bool) -> None:
    clock, deleted_at = Clock(), STABLE_SECONDS

    class WithClaim(Watch):
        def claims(self) -> list[Json]:
            claim = {"kind": "ResourceClaim", "metadata": {"name": "c", "namespace": "default", "uid": "c"}}
            return [claim] if clock.now < deleted_at else []

        def pods(self) -> list[Json]:
            return [{**UNTRIED, "spec": {"nodeName": "n"}}] if is_bound else super().pods()

    retries: list[float] = []
    watch: Any = WithClaim(clock)
    kubelet: Any = Idle()
    probe: Any = ProbePod(0.05)
    Settling(watch, kubelet, probe, retry=lambda: retries.append(clock.now)).settle(clock)
    assert len(retries) == (not is_bound)


@pytest.mark.parametrize(
    ("passed", "retried_at", "latest"),
    [(0, 4, 6), (0, 10**9, UNCHANGED_SECONDS + 2), (60, 90, 92), (60, 10**9, 125 + UNCHANGED_SECONDS)],
)
def test_a_claim_that_was_not_generated_is_awaited_until_the_controller_retries(
    passed: float, retried_at: float, latest: float
) -> None:
    clock = Clock()
    failed_at = [0.0]

    class WithFailures(Watch):
        def pods(self) -> list[Json]:
            claims = [{"name": "c", "resourceClaimTemplateName": "t"}]
            return [{**UNTRIED, "spec": {"resourceClaims": claims}}]

        def events(self) -> list[Json]:
            version = str(sum(clock.now >= time for time in failed_at))
            metadata = {"uid": "e", "resourceVersion": version}
            return [{"metadata": metadata, "reason": FAILED_GENERATION, "regarding": {"uid": "p"}}]

    watch: Any = WithFailures(clock)
    kubelet: Any = Idle()
    probe: Any = ProbePod(0.05)
    queues = ComponentQueues(lambda: {"scheduler": queues_with_backoff(0)})
    steps = Settling(watch, kubelet, probe, queues)
    if passed:
        failed_at.append(1.0)
        steps.settle(clock)
        clock.now += passed
    failed_at.append(retried_at)
    steps.settle(clock)
    assert min(retried_at, UNCHANGED_SECONDS + passed) < clock.now < latest


def test_the_first_probe_pod_is_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = iter([9.0, 0.05])
    probe = probe_pod.ProbePod(*[None] * 2, "run", "namespace", "default-scheduler")  # type: ignore[arg-type]
    monkeypatch.setattr(probe, "send", lambda: setattr(probe, "seconds", next(seconds)))
    probe.begin()
    assert probe.seconds == 0.05


def test_polling_ends_with_the_first_true_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling.time, "sleep", lambda seconds: None)
    answers = iter(["", "", "here", "never"])
    assert poll(9, lambda: next(answers)) == "here"
    assert poll(1, lambda: "") == ""
