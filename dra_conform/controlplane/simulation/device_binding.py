"""Waiting for binding conditions of devices before a pod is bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Any

from dra_conform.controlplane.simulation.clock import Clock, time_of
from dra_conform.controlplane.simulation.pods import allocation_of, status_of
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch

Json = Any

TIMEOUT = timedelta(seconds=600)
"""How long the scheduler waits for the conditions by default."""


class Readiness(Enum):
    """Whether the devices of a claim are ready to be used."""

    READY = auto()
    WAITING = auto()
    FAILED = auto()
    LATE = auto()
    """Waiting for longer than the scheduler does."""


@dataclass(frozen=True, slots=True)
class BindingRules:
    """Where releases differ from the document in how they look at the conditions of several devices."""

    every_device_seen: bool = switch("kep")
    """A device that failed is seen wherever it is, else only before the first one, of the claims in their
    order, that is not ready yet (API/binding/failure)."""
    shares_apart: bool = switch("kep")
    """What is reported of another share of the device says nothing, else the first that is reported of the
    device counts (KEP-5075/allocation/prebind-provisioning)."""

    @staticmethod
    def of(profile: Profile) -> BindingRules:
        """Those of a profile."""
        return settled(BindingRules, profile)


def binding_counts(profile: Profile) -> bool:
    """Whether the scheduler looks at binding conditions at all."""
    return profile.enabled("DRADeviceBindingConditions") and profile.enabled("DRAResourceClaimDeviceStatus")


def stamped(allocation: Json, clock: Clock) -> Json:
    """The allocation with the time from which the scheduler waits, if it has to."""
    if has_conditions(allocation):
        return {**allocation, "allocationTimestamp": clock.text}
    return allocation


def has_conditions(allocation: Json) -> bool:
    """Whether some device of an allocation, None for no allocation, has to be made ready."""
    return any(result.get("bindingConditions") for result in _results(allocation or {}))


def readiness(claim: Json, clock: Clock, rules: BindingRules) -> Readiness:
    """Ready once every condition of every device is true; failed when one of failure is, late when time is
    over. A claim that is not allocated waits."""
    since = (allocation_of(claim) or {}).get("allocationTimestamp")
    reported = readiness_reported(claim, rules)
    over = reported is Readiness.WAITING and since is not None and time_of(since) + TIMEOUT <= clock.now
    return Readiness.LATE if over else reported


def readiness_of_all(claims: Iterable[Json], clock: Clock, rules: BindingRules) -> Readiness:
    """That of a pod with these claims."""
    found = [readiness(claim, clock, rules) for claim in claims]
    given_up = [one for one in found if one in (Readiness.FAILED, Readiness.LATE)]
    if given_up and rules.every_device_seen:
        return given_up[0]
    return next((one for one in found if one is not Readiness.READY), Readiness.READY)


def readiness_reported(claim: Json, rules: BindingRules) -> Readiness:
    """What drivers have reported so far, however long that took."""
    allocation = allocation_of(claim)
    if allocation is None:
        return Readiness.WAITING
    waiting = False
    for result in _results(allocation):
        true = set(_true(status_of(claim).get("devices") or (), result, rules))
        wanted = result.get("bindingConditions") or ()
        if wanted and true.intersection(result.get("bindingFailureConditions") or ()):
            return Readiness.FAILED
        waiting = waiting or not true.issuperset(wanted)
        if waiting and not rules.every_device_seen:
            break
    return Readiness.WAITING if waiting else Readiness.READY


def _results(allocation: Json) -> list[Json]:
    found: list[Json] = allocation.get("devices", {}).get("results") or []
    return found


def _true(devices: Iterable[Json], result: Json, rules: BindingRules) -> Iterator[str]:
    """The types of the conditions that a driver reported as true for the device of a result."""
    place = ("driver", "pool", "device", *(["shareID"] if rules.shares_apart else []))
    for device in devices:
        if all(device.get(name) == result.get(name) for name in place):
            for condition in device.get("conditions") or ():
                if condition["status"] == "True":
                    yield condition["type"]
            return
