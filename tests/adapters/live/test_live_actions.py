"""Scenarios that a real cluster cannot run, and the time that they advance."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest

from dra_conform.adapters.live import live_actions
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.live_actions import LiveActions
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


class Clock:
    """A clock that advances with sleep and with each steady state."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(live_actions, "time", found)
    return found


def actions(clock: Clock, settling_seconds: float = 0.0) -> LiveActions:
    scenario: Json = SimpleNamespace(api=SimpleNamespace(check=lambda: None))
    settling: Json = SimpleNamespace(run_kubelet=lambda: None, settle=lambda: clock.sleep(settling_seconds))
    state: Json = SimpleNamespace(observe=lambda: {"outcome": "settled", "objects": {}})
    return LiveActions(scenario, settling, state, None, partial(Profile.named, "kep"), lambda: None)


def advance(seconds: int) -> Json:
    return {"do": "advance", "seconds": seconds}


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"do": "fail"}, "needs to make writes of components fail"),
        ({"do": "set-gates", "components": ["scheduler"], "gates": {}}, "needs to change feature gates"),
        ({"do": "set-version", "components": ["scheduler"]}, "start components of another release"),
        ({"do": "restart", "components": ["scheduler"]}, "needs to restart components"),
        ({"do": "create", "object": {}, "user": {"name": "u"}}, "user u has no rights"),
        (advance(61), "advances by 61 seconds, expected at most 60"),
    ],
)
def test_scenarios_that_cannot_run(clock: Clock, action: Json, message: str) -> None:
    with pytest.raises(CannotRun, match=message):
        actions(clock).do(action)


def test_waiting_for_the_steady_state_counts_as_advanced_time(clock: Clock) -> None:
    live_actions = actions(clock, settling_seconds=3.0)
    for action in ({"do": "settle"}, advance(10), {"do": "settle"}, advance(5)):
        live_actions.do(action)
    assert clock.now == pytest.approx(115.0)


def test_advancing_less_than_the_steady_state_takes_cannot_run(clock: Clock) -> None:
    live_actions = actions(clock, settling_seconds=3.0)
    live_actions.do(advance(29))
    live_actions.do({"do": "settle"})
    with pytest.raises(CannotRun, match="longer than 2 seconds to reach a steady state"):
        live_actions.do(advance(2))


def test_advanced_seconds_are_summed(clock: Clock) -> None:
    live_actions = actions(clock)
    live_actions.do(advance(40))
    with pytest.raises(CannotRun, match="at most 60"):
        live_actions.do(advance(21))


@pytest.mark.parametrize(
    ("first", "before", "after"),
    [
        ({"do": "delete", "of": {"kind": "DeviceClass", "name": "old"}}, 1, 1),
        ({"do": "get", "of": {"kind": "DeviceClass", "name": "old"}}, 0, 0),
        ({"do": "delete", "of": {"kind": "Pod", "name": "p"}}, 0, 0),
    ],
    ids=["class-deleted", "class-read", "pod-deleted"],
)
def test_a_pod_is_created_after_components_have_seen_configuration(
    clock: Clock, first: Json, before: int, after: int
) -> None:
    """Pods of the setup come with the first steady state, before which configuration may change, too."""
    sent: list[float] = []
    scenario: Json = SimpleNamespace(
        create=lambda *_: Answer(201, {"kind": "Pod"}),
        get=lambda *_, **__: Answer(404, {}),
        delete=lambda *_, **__: Answer(200, {}),
    )
    settling: Json = SimpleNamespace(settle=lambda: None, handle_probe=lambda: sent.append(clock.now))
    state: Json = SimpleNamespace(observe=lambda: {"outcome": "settled", "objects": {}})
    doing = LiveActions(scenario, settling, state, None, partial(Profile.named, "kep"), lambda: None)
    create = {"do": "create", "object": {"kind": "Pod", "metadata": {"name": "q"}}}
    for action in (first, {"do": "settle"}):
        doing.do(action)
    assert len(sent) == before
    for action in (first, create, create, {"do": "settle"}, create):
        doing.do(action)
    assert len(sent) == before + after


def test_configuration_changes_after_components_have_seen_a_changed_pod(clock: Clock) -> None:
    """Otherwise a scheduler may give a published device to a pod that failed before."""
    sent: list[float] = []
    deleted = Answer(200, {})
    scenario: Json = SimpleNamespace(delete=lambda *_, **__: deleted, get=lambda *_, **__: Answer(404, {}))
    settling: Json = SimpleNamespace(settle=lambda: None, handle_probe=lambda: sent.append(clock.now))
    state: Json = SimpleNamespace(observe=lambda: {"outcome": "settled", "objects": {}})
    doing = LiveActions(scenario, settling, state, None, partial(Profile.named, "kep"), lambda: None)
    pod, driver = ({"do": "delete", "of": {"kind": kind, "name": "n"}} for kind in ("Pod", "ResourceSlice"))
    numbers = []
    for action in (pod, driver, {"do": "settle"}, pod, driver, driver, pod, {"do": "settle"}, driver):
        doing.do(action)
        numbers.append(len(sent))
    assert numbers == [0, 0, 1, 1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("answer", "observation"),
    [
        (Answer(200, {"items": []}), {"outcome": "found", "object": {"items": []}}),
        (Answer(400, {}), {"outcome": "missing"}),
    ],
)
def test_a_list_is_found_or_missing(answer: Answer, observation: Json) -> None:
    scenario: Json = SimpleNamespace(listed_by=lambda *_: answer)
    nothing: Json = None
    doing = LiveActions(scenario, nothing, nothing, None, partial(Profile.named, "kep"), None)
    assert doing.do({"do": "list", "kind": "ResourceSlice", "spec": {"driver": "d"}}) == observation
