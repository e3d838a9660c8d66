"""The probe pod: concurrent calls share an execution that starts after the call.

It can wait until the scheduler has seen all DeviceClasses.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from dra_conform.adapters.live import polling
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.probe_pod import ProbePod, SingleFlight
from dra_conform.adapters.live.resources import Address
from dra_conform.kube.json_values import Json


class Slow:
    """A function that waits until it is released and counts its calls."""

    def __init__(self, failures: int = 0) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Semaphore(0)
        self.times = 0
        self._failures = failures

    def __call__(self) -> float:
        self.times += 1
        number = self.times
        self.begun.release()
        assert self.go_on.acquire(timeout=10)
        if number <= self._failures:
            raise OSError(number)
        return float(number)


def test_calls_during_an_execution_share_the_next() -> None:
    slow = Slow()
    errand = SingleFlight(slow)
    with ThreadPoolExecutor(4) as threads:
        first = threads.submit(errand)
        assert slow.begun.acquire(timeout=10)
        late = [threads.submit(errand) for _ in range(3)]
        slow.go_on.release()
        assert first.result(10) == 1.0
        assert slow.begun.acquire(timeout=10)
        slow.go_on.release(3)
        assert {one.result(10) for one in late} <= {2.0, 3.0, 4.0}
    assert slow.times <= 4


def test_sequential_calls_each_have_an_execution() -> None:
    slow = Slow()
    slow.go_on.release(2)
    errand = SingleFlight(slow)
    assert [errand(), errand()] == [1.0, 2.0]


def test_a_failure_reaches_one_caller_and_the_next_runs_again() -> None:
    slow = Slow(failures=1)
    slow.go_on.release(2)
    errand = SingleFlight(slow)
    with pytest.raises(OSError, match="1"):
        errand()
    assert errand() == 2.0


class Api:
    """An API server whose pods get the scheduler's messages one after another."""

    def __init__(self, *messages: str) -> None:
        self.objects: dict[str, Json] = {}
        self.reads = 0
        self._messages = messages

    def check(self) -> None:
        pass

    def create(self, collection: Address, raw: Json) -> Answer:
        name = raw["metadata"].get("name") or raw["metadata"]["generateName"] + "x"
        self.objects[f"{collection}/{name}"] = raw
        return Answer(201, {**raw, "metadata": {"name": name}})

    def get(self, _: Address) -> Answer:
        condition = {"type": "PodScheduled", "message": self._messages[self.reads]}
        self.reads += 1
        return Answer(200, {"status": {"conditions": [condition] if condition["message"] else []}})

    def delete(self, address: Address, *, now: bool) -> None:
        del self.objects[str(address)]


UNKNOWN_CLASS = "request one: device class dra-conform-run.probe-0 does not exist"


@pytest.mark.parametrize(("with_class", "reads"), [(False, 2), (True, 4)])
def test_a_scheduler_that_misses_the_class_of_the_probe_pod_has_not_seen_all_classes(
    monkeypatch: pytest.MonkeyPatch, with_class: bool, reads: int
) -> None:
    monkeypatch.setattr(polling.time, "sleep", lambda _: None)
    api: Json = Api("", UNKNOWN_CLASS, UNKNOWN_CLASS, "0/1 nodes are available")
    served: Json = SimpleNamespace(newest=lambda _: "v1")
    probe = ProbePod(api, served, "run", "dra-conform-run", "default-scheduler")
    probe.send_with_class() if with_class else probe.send()
    assert api.reads == reads
    assert probe.count() == 1
    assert api.objects == {}
