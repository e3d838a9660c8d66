"""The probe pod: concurrent calls share an execution that starts after the call."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from dra_conform.adapters.live.probe_pod import SingleFlight


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
