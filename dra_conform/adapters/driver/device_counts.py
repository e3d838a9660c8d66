"""The number of devices that a driver publishes when it starts, learned from earlier scenarios."""

from __future__ import annotations

from threading import Lock

from dra_conform.adapters.driver.scenario_needs import START_VARIANTS
from dra_conform.conformance.driver.actions import DriverQuestion


class DeviceCounts:
    """The numbers of devices by the variants of the driver file with which a scenario starts the driver.

    No document limits the time between the pools of a driver. So a number is only the most that was seen, and
    a scenario that saw more devices later is to be repeated. Several threads may use it.
    """

    def __init__(self) -> None:
        self._counts: dict[frozenset[str], int] = {}
        self._growing: set[frozenset[str]] = set()
        self._lock = Lock()

    def expected(self, question: DriverQuestion) -> int:
        """Return how many devices the driver is expected to publish, 0 if that is unknown."""
        return self._counts.get(_variants(question), 0)

    def learn(self, question: DriverQuestion, expected: int, at_start: int, most: int) -> bool:
        """Learn from a scenario, and return whether it is to be repeated, because a pool came too late.

        `expected`, `at_start`, `most`: how many devices the scenario waited for, saw at its start, and saw at
        most. If it waited for them in vain, the driver adds devices while it runs: later ones are its own.
        """
        variants = _variants(question)
        with self._lock:
            if at_start < expected:
                self._growing.add(variants)
                self._counts[variants] = at_start
            late = most > at_start and variants not in self._growing
            self._counts[variants] = max(self._counts.get(variants, 0), most if late else at_start)
            return late


def _variants(question: DriverQuestion) -> frozenset[str]:
    return frozenset(question.needs).intersection(START_VARIANTS)
