"""Binding conditions of devices, which the scheduler waits for before it binds a pod."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from enum import Enum, auto

from dra_conform.cluster_state.pods import allocation_of, status_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.scheduler import BindingSwitches

TIMEOUT = timedelta(seconds=600)
"""The default time that the scheduler waits for binding conditions."""


class Readiness(Enum):
    """The state of the binding conditions of a claim's devices."""

    READY = auto()
    WAITING = auto()
    FAILED = auto()
    LATE = auto()
    """The conditions are still not true after the scheduler's timeout."""


def binding_counts(profile: Profile) -> bool:
    """Whether the scheduler waits for binding conditions."""
    return profile.enabled("DRADeviceBindingConditions") and profile.enabled("DRAResourceClaimDeviceStatus")


def has_conditions(allocation: Json) -> bool:
    """Whether a device of an allocation (None: unallocated) has binding conditions."""
    return any(result.get("bindingConditions") for result in _results(allocation or {}))


def readiness(claim: Json, now: datetime, switches: BindingSwitches) -> Readiness:
    """Return the readiness of a claim's devices.

    READY requires every binding condition to be true, FAILED one true failure condition, and LATE an expired
    timeout. An unallocated claim is WAITING.
    """
    since = (allocation_of(claim) or {}).get("allocationTimestamp")
    reported = readiness_reported(claim, switches)
    expired = (
        reported is Readiness.WAITING and since is not None and datetime.fromisoformat(since) + TIMEOUT <= now
    )
    return Readiness.LATE if expired else reported


def readiness_of_all(claims: Iterable[Json], now: datetime, switches: BindingSwitches) -> Readiness:
    """Return the combined readiness of a pod's claims: that of the first claim that is not ready."""
    states = [readiness(claim, now, switches) for claim in claims]
    return next((state for state in states if state is not Readiness.READY), Readiness.READY)


def readiness_reported(claim: Json, switches: BindingSwitches) -> Readiness:
    """Return the readiness according to the device status of a claim, regardless of the timeout.

    The first device that is not ready decides, as in Kubernetes: the API reference does not say whether a
    failure of a later device ends the wait.
    """
    allocation = allocation_of(claim)
    if allocation is None:
        return Readiness.WAITING
    for result in _results(allocation):
        true_types = set(_true_conditions(status_of(claim).get("devices") or (), result, switches))
        required = result.get("bindingConditions") or ()
        if required and true_types.intersection(result.get("bindingFailureConditions") or ()):
            return Readiness.FAILED
        if not true_types.issuperset(required):
            return Readiness.WAITING
    return Readiness.READY


def _results(allocation: Json) -> list[Json]:
    results: list[Json] = allocation.get("devices", {}).get("results") or []
    return results


def _true_conditions(devices: Iterable[Json], result: Json, switches: BindingSwitches) -> Iterator[str]:
    """Yield the types of the conditions with status True of a result's device."""
    identity = ("driver", "pool", "device", *(["shareID"] if switches.status_matched_by_share else []))
    for device in devices:
        if all(device.get(name) == result.get(name) for name in identity):
            for condition in device.get("conditions") or ():
                if condition["status"] == "True":
                    yield condition["type"]
            return
