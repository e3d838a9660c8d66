"""Devices that have to be made ready before a pod that uses them is bound (binding conditions)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from enum import Enum, auto
from typing import Any

from dra_conform.controlplane.simulation.clock import Clock, time_of
from dra_conform.controlplane.simulation.pods import allocation_of, status_of

Json = Any

TIMEOUT = timedelta(seconds=600)
"""How long the scheduler waits for the conditions by default."""


class Readiness(Enum):
    """Whether the devices of a claim are ready to be used."""

    READY = auto()
    WAITING = auto()
    FAILED = auto()


def stamped(allocation: Json, clock: Clock) -> Json:
    """The allocation with the time from which the scheduler waits, if it has to."""
    if any(result.get("bindingConditions") for result in _results(allocation)):
        return {**allocation, "allocationTimestamp": clock.text}
    return allocation


def readiness(claim: Json, clock: Clock) -> Readiness:
    """Ready once every condition of every device is true; failed when one of failure is, or time is over."""
    since = (allocation_of(claim) or {}).get("allocationTimestamp")
    reported = readiness_reported(claim)
    over = reported is Readiness.WAITING and since is not None and time_of(since) + TIMEOUT <= clock.now
    return Readiness.FAILED if over else reported


def readiness_reported(claim: Json) -> Readiness:
    """What drivers have reported so far, however long that took."""
    allocation = allocation_of(claim) or {}
    waiting = False
    for result in _results(allocation):
        true = set(_true(status_of(claim).get("devices") or (), result))
        if true.intersection(result.get("bindingFailureConditions") or ()):
            return Readiness.FAILED
        waiting = waiting or not true.issuperset(result.get("bindingConditions") or ())
    return Readiness.WAITING if waiting else Readiness.READY


def _results(allocation: Json) -> list[Json]:
    found: list[Json] = allocation.get("devices", {}).get("results") or []
    return found


def _true(devices: Iterable[Json], result: Json) -> Iterator[str]:
    """The types of the conditions that a driver reported as true for the device of a result."""
    for device in devices:
        if all(device.get(name) == result.get(name) for name in ("driver", "pool", "device", "shareID")):
            for condition in device.get("conditions") or ():
                if condition["status"] == "True":
                    yield condition["type"]
