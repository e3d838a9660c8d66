"""The log of the simulated scheduler, with the messages that KEP-5075 names under "Troubleshooting"."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.cluster_state.pods import requests_of
from dra_conform.kube.category import Category
from dra_conform.kube.json_values import Json
from dra_conform.simulation.scheduling.phases import PhaseFailed
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle

_ATTEMPT, _DEVICE, _REJECTED_DEVICE = 5, 6, 7
"""Verbosities of messages about a whole attempt, about an allocated device, and about a device that is too
small."""
_CONSUMABLE_CAPACITY = "DRAConsumableCapacity"


class SchedulerLog:
    """The lines of a log with a verbosity, each a message and its fields; 0 logs nothing."""

    def __init__(self, verbosity: int) -> None:
        self.verbosity = verbosity
        self._lines: list[str] = []

    def take(self) -> list[dict[str, Json]]:
        """Return the lines since the last call."""
        taken, self._lines = self._lines, []
        return [{"component": "scheduler", "line": line} for line in taken]

    def failed(
        self, attempt: SchedulingCycle, reason: str, again: Callable[[], SchedulingCycle] | None
    ) -> None:
        """Log a failed attempt, and the devices without enough capacity.

        `again` returns a new attempt, which looks for these devices; it is None after an error.
        """
        self._add(_ATTEMPT, "Unable to schedule pod", pod=attempt.cycle.name, err=reason)
        if again is not None and self.verbosity >= _REJECTED_DEVICE:
            for device in _too_small(again()):
                self._add(_REJECTED_DEVICE, "Device capacity not enough", device=device)

    def allocated(self, attempt: SchedulingCycle) -> None:
        """Log each device that an attempt has allocated, with the requested capacities if the gate
        DRAConsumableCapacity is on (KEP-5075/diagnostics/allocating-log-has-capacities)."""
        cycle = attempt.cycle
        if self.verbosity < _DEVICE or cycle.node not in cycle.fits:
            return
        fit = cycle.fits[cycle.node]
        for claim in (*cycle.claims, *([fit.extended.claim] if fit.extended is not None else ())):
            key = f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
            allocation = fit.allocations.get(key) or {}
            for result in allocation.get("devices", {}).get("results") or ():
                fields = {"pod": cycle.name, "device": result["device"]}
                if cycle.profile.enabled(_CONSUMABLE_CAPACITY):
                    fields["capacities"] = json.dumps(_requested(claim, result["request"]), sort_keys=True)
                self._add(_DEVICE, "Allocating one device", **fields)

    def _add(self, verbosity: int, message: str, **fields: str) -> None:
        if verbosity <= self.verbosity:
            self._lines.append(
                " ".join((f'"{message}"', *(f'{name}="{value}"' for name, value in fields.items())))
            )


def _too_small(attempt: SchedulingCycle) -> Iterator[str]:
    """Yield the devices whose capacity is not enough (KEP-5075/diagnostics/capacity-not-enough-log)."""
    if not attempt.cycle.profile.enabled(_CONSUMABLE_CAPACITY):
        return
    try:
        attempt.pre_enqueue()
    except PhaseFailed:
        return
    groups: list[FailureReasonGroup] = [group for node in attempt.explain() for group in node.refusals]
    for group in groups:
        if group.category is Category.INSUFFICIENT_CAPACITY:
            yield from group.devices


def _requested(claim: Json, name: str) -> Json:
    """Return the capacities that a request asks for; `name` is `request` or `request/subrequest`."""
    request_name, _, subrequest_name = name.partition("/")
    for request in requests_of(claim):
        if request["name"] == request_name:
            subrequests = request.get("firstAvailable") or ()
            parts = [each for each in subrequests if each["name"] == subrequest_name]
            asked = parts[0] if parts else request.get("exactly") or {}
            return (asked.get("capacity") or {}).get("requests") or {}
    return {}
