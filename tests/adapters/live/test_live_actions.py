"""What a real cluster cannot be told, and how its time passes."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from dra_conform.adapters.live import live_actions
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.live_actions import LiveActions
from dra_conform.kube.profile import Profile

Json = Any


class Clock:
    """Time that passes by sleeping, and where a cluster settles."""

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


def actions(clock: Clock, settling_takes: float = 0.0) -> LiveActions:
    scenario: Json = SimpleNamespace(api=SimpleNamespace(check=lambda: None))
    settling: Json = SimpleNamespace(run_kubelet=lambda: None, settle=lambda: clock.sleep(settling_takes))
    state: Json = SimpleNamespace(observe=lambda: {"outcome": "settled", "objects": {}})
    return LiveActions(scenario, settling, state, None, partial(Profile.named, "kep"), lambda: None)


def advance(seconds: int) -> Json:
    return {"do": "advance", "seconds": seconds}


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"do": "fail"}, "makes writes of components fail"),
        ({"do": "set-gates", "components": ["scheduler"], "gates": {}}, "needs to change feature gates"),
        ({"do": "set-version", "components": ["scheduler"]}, "start components of another release"),
        ({"do": "restart", "components": ["scheduler"]}, "needs to restart components"),
        ({"do": "create", "object": {}, "user": {"name": "u"}}, "user u has no rights"),
        (advance(61), "advances by 61 seconds, expected at most 60"),
    ],
)
def test_what_cannot_be_told(clock: Clock, action: Json, said: str) -> None:
    with pytest.raises(CannotRun, match=said):
        actions(clock).do(action)


def test_settling_is_part_of_the_time_that_passes(clock: Clock) -> None:
    story = actions(clock, settling_takes=3.0)
    for action in ({"do": "settle"}, advance(10), {"do": "settle"}, advance(5)):
        story.do(action)
    assert clock.now == pytest.approx(115.0)


def test_moments_nearer_than_a_cluster_settles_cannot_be_told_apart(clock: Clock) -> None:
    story = actions(clock, settling_takes=3.0)
    story.do(advance(29))
    story.do({"do": "settle"})
    with pytest.raises(CannotRun, match="longer than 2 seconds to reach a steady state"):
        story.do(advance(2))


def test_all_that_passes_counts(clock: Clock) -> None:
    story = actions(clock)
    story.do(advance(40))
    with pytest.raises(CannotRun, match="at most 60"):
        story.do(advance(21))
