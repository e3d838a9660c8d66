"""Many requests run on two control planes, and each has one reply; a repeated request runs on one of them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace

import pytest

from dra_conform.adapters.control_plane import implementation, plane_runner
from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.implementation import KubeImplementation
from dra_conform.adapters.control_plane.processes import SupervisorEnded
from dra_conform.conformance.implementation import Request, Status, Suite
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

SIDE_BY_SIDE = 4
MANY = implementation._SECOND_PLANE_ROUNDS * SIDE_BY_SIDE
REQUESTS = [
    Request(number, f"case-{number}", "allocate", Profile.named("kubernetes-1.37"), {}, {})
    for number in range(MANY)
]


class Planes:
    """Starts control planes without processes; the one with number `ends` ends at its first request."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, ends: int = -1, most: int = 2, memory: int = 1 << 40
    ) -> None:
        self.asked: Counter[int] = Counter()
        self.closed: list[int] = []
        self._started = 0
        self._ends = ends
        self._most = most
        self._both = threading.Barrier(2, timeout=10)
        self._busy: set[int] = set()
        monkeypatch.setattr(plane_runner, "ControlPlane", lambda *_, **__: self._start())
        monkeypatch.setattr(plane_runner, "_operations", lambda plane: {"allocate": plane.allocate})
        monkeypatch.setattr(implementation, "_available_kib", lambda: memory)
        monkeypatch.setattr(implementation.os, "sched_getaffinity", lambda _: {0, 1})

    def _start(self) -> SimpleNamespace:
        if self._started == self._most:
            raise ComponentFailed("etcd: no space left on device")
        number, self._started = self._started, self._started + 1

        def allocate(objects: Json, ask: Mapping[str, Json], profile: Profile) -> Json:
            assert number not in self._busy
            self._busy.add(number)
            if self._most == 2 and not self.asked[number]:
                self._both.wait()  # Otherwise one of them could run everything.
            self.asked[number] += 1
            time.sleep(0.001)  # Otherwise a second request would hardly ever come meanwhile.
            self._busy.remove(number)
            if number == self._ends:
                raise SupervisorEnded("somebody ended it")
            return {"outcome": "unallocatable"}

        return SimpleNamespace(allocate=allocate, close=lambda: self.closed.append(number))


def statuses(requests: list[Request]) -> Counter[Status]:
    kube = KubeImplementation(ControlPlaneFile("v1.37.1", {}), spec="kube:v1.37.1", side_by_side=SIDE_BY_SIDE)
    kube.start(Suite("", "", ""))
    replies = list(kube.run(requests))
    kube.close()
    assert sorted(reply.id for reply in replies) == [request.id for request in requests]
    return Counter(reply.status for reply in replies)


def test_two_control_planes_share_many_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    planes = Planes(monkeypatch)
    assert statuses(REQUESTS) == {Status.OK: MANY}
    assert sorted(planes.asked) == sorted(planes.closed) == [0, 1]
    assert planes.asked.total() == MANY


def test_the_other_control_plane_runs_what_one_that_ended_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    Planes(monkeypatch, ends=0)
    assert statuses(REQUESTS) == {Status.OK: MANY - 1, Status.CRASH: 1}


def test_what_no_control_plane_is_left_for_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    Planes(monkeypatch, ends=0, most=1)
    assert statuses(REQUESTS) == {Status.CRASH: 1, Status.NOT_RUN: MANY - 1}


@pytest.mark.parametrize(
    ("count", "memory", "most"), [(MANY - 1, 1 << 40, 1), (MANY, 1 << 20, 1), (MANY, 1 << 40, 1)]
)
def test_one_control_plane_is_enough(
    monkeypatch: pytest.MonkeyPatch, count: int, memory: int, most: int
) -> None:
    planes = Planes(monkeypatch, most=most, memory=memory)
    assert statuses(REQUESTS[:count]) == {Status.OK: count}
    assert planes.asked == {0: count}


def test_a_request_that_is_repeated_during_the_run_has_a_control_plane_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planes = Planes(monkeypatch)
    kube = KubeImplementation(ControlPlaneFile("v1.37.1", {}), spec="kube:v1.37.1", side_by_side=SIDE_BY_SIDE)
    kube.start(Suite("", "", ""))
    again = [one for reply in kube.run(REQUESTS) for one in kube.run([REQUESTS[reply.id]])]
    kube.close()
    assert {reply.status for reply in again} == {Status.OK}
    assert sorted(reply.id for reply in again) == [request.id for request in REQUESTS]
    assert planes.asked.total() == 2 * MANY


def test_a_caller_that_stops_early_ends_the_control_planes(monkeypatch: pytest.MonkeyPatch) -> None:
    planes = Planes(monkeypatch)
    kube = KubeImplementation(ControlPlaneFile("v1.37.1", {}), spec="kube:v1.37.1", side_by_side=SIDE_BY_SIDE)
    kube.start(Suite("", "", ""))
    replies = kube.run(REQUESTS)
    next(replies)
    replies.close()
    assert sorted(planes.closed) == [0, 1]
    assert {reply.status for reply in kube.run(REQUESTS)} == {Status.NOT_RUN}


def test_an_implementation_starts_again_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    Planes(monkeypatch, most=2)
    kube = KubeImplementation(ControlPlaneFile("v1.37.1", {}), spec="kube:v1.37.1")
    for _ in range(2):
        kube.start(Suite("", "", ""))
        kube.close()
    Planes(monkeypatch, most=1)
    kube.start(Suite("", "", ""))
    assert [reply.status for reply in kube.run(REQUESTS[:1])] == [Status.OK]
    kube.close()
