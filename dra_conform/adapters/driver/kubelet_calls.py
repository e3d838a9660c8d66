"""The kubelet's calls to a driver, with what the driver answered: preparation and unpreparation of
ResourceClaims, and a watch of the health of all devices."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from dra_conform.adapters.driver import plugin_client
from dra_conform.adapters.driver.claims import Device, Devices
from dra_conform.adapters.driver.driver_process import RegisteredDriver
from dra_conform.adapters.driver.observed_strings import MAX_DEVICES, shortened
from dra_conform.adapters.driver.plugin_client import CallFailed, TimedReport
from dra_conform.adapters.driver.scenario_claims import ScenarioClaims
from dra_conform.conformance.driver.actions import Prepare, Unprepare
from dra_conform.conformance.driver.answer import ClaimResult, HealthWatch, KubeletCall
from dra_conform.kube.plugin_api import PLUGIN_SERVICES, Claim

PARALLEL_CALLS = 16
"""The maximum number of parallel calls."""


class KubeletCalls:
    """Calls to a registered driver for the ResourceClaims of a scenario."""

    def __init__(self, claims: ScenarioClaims) -> None:
        self._claims = claims

    def of(self, action: Prepare | Unprepare, registered: RegisteredDriver) -> tuple[KubeletCall, ...]:
        """Return the calls of an action. If a call gets no answer, later calls are not made."""
        service = action.service or registered.service

        def call(names: tuple[str, ...]) -> KubeletCall:
            if isinstance(action, Prepare):
                return self._prepare(registered, service, names)
            return self._unprepare(registered, service, names, earlier=action.earlier)

        if not action.parallel:
            return _until_timeout(call(action.claims) for _ in range(action.times))
        each = [(name,) for name in action.claims] * action.times
        with ThreadPoolExecutor(PARALLEL_CALLS) as threads:
            return tuple(sorted(threads.map(call, each), key=lambda made: made.asked))

    def empty(self, registered: RegisteredDriver) -> tuple[KubeletCall, ...]:
        """Return a call without ResourceClaims for each service of the driver."""
        return _until_timeout(
            self._prepare(registered, service, ())
            for service in registered.info.supported_versions
            if service in PLUGIN_SERVICES
        )

    def _prepare(self, registered: RegisteredDriver, service: str, names: tuple[str, ...]) -> KubeletCall:
        claims, began = self._claims.references(names), time.monotonic()
        try:
            response = registered.client.prepare(service, tuple(claims.values()))
        except CallFailed as failed:
            return _failed("prepare", service, names, failed, began)
        results = {
            name: ClaimResult(
                shortened(result.error),
                tuple(map(self._claims.prepared_device, result.devices[:MAX_DEVICES])),
            )
            for name, claim in claims.items()
            if (result := response.claims.get(claim.uid)) is not None
        }
        return _answered("prepare", service, claims, results, response.claims, began)

    def _unprepare(
        self, registered: RegisteredDriver, service: str, names: tuple[str, ...], *, earlier: bool
    ) -> KubeletCall:
        claims, began = self._claims.references(names, earlier=earlier), time.monotonic()
        try:
            response = registered.client.unprepare(service, tuple(claims.values()))
        except CallFailed as failed:
            return _failed("unprepare", service, names, failed, began)
        results = {
            name: ClaimResult(shortened(result.error))
            for name, claim in claims.items()
            if (result := response.claims.get(claim.uid)) is not None
        }
        return _answered("unprepare", service, claims, results, response.claims, began)


def timed_out(call: KubeletCall) -> bool:
    """Return whether a call took as long as a kubelet waits."""
    return bool(call.error) and call.seconds >= plugin_client.CALL_SECONDS


def _failed(
    call: Literal["prepare", "unprepare"],
    service: str,
    names: tuple[str, ...],
    failed: CallFailed,
    began: float,
) -> KubeletCall:
    return KubeletCall(call, service, names, shortened(str(failed)), seconds=time.monotonic() - began)


def _answered(
    call: Literal["prepare", "unprepare"],
    service: str,
    claims: Mapping[str, Claim],
    results: dict[str, ClaimResult],
    answered: Mapping[str, Any],
    began: float,
) -> KubeletCall:
    asked = {claim.uid for claim in claims.values()}
    missing = tuple(name for name in claims if name not in results)
    unasked = tuple(sorted(shortened(uid) for uid in answered if uid not in asked)[:MAX_DEVICES])
    seconds = round(time.monotonic() - began, 3)
    return KubeletCall(call, service, tuple(claims), "", results, missing, unasked, seconds)


def _until_timeout(calls: Iterable[KubeletCall]) -> tuple[KubeletCall, ...]:
    """Repeat calls until one of them takes as long as a kubelet waits."""
    made: list[KubeletCall] = []
    for call in calls:
        made.append(call)
        if timed_out(call):
            break
    return tuple(made)


HEALTH_SECONDS = 40.0
"""How long a watch lasts at most."""
DEFAULT_HEALTH_TIMEOUT = 30
"""The default time in seconds after which a kubelet takes an unreported device for Unknown."""
HEALTH_REPORTS = 4
"""The number of reports of each device after which a watch of health ends."""
MAX_REPORTS = 100
"""The maximum number of health reports in an observation."""


def watch_health(
    registered: RegisteredDriver, devices: Devices, service: str = "", *, whole: bool = False
) -> HealthWatch:
    """Watch the health of the devices until each has enough reports, or to the end; raises DriverFailed.

    The service is by default that which a kubelet takes.
    """
    service = service or registered.health_service()
    began, began_at = time.monotonic(), time.time()
    reports, end = registered.client.watch_health(
        service, HEALTH_SECONDS, lambda reports: not whole and _have_enough(reports, devices)
    )
    latest = _latest_report(reports, devices, time.monotonic() - began)
    return HealthWatch(
        service,
        end,
        tuple(_reported(report, devices) for report in reports[:MAX_REPORTS]),
        round(latest.pause, 1),
        latest.timeout,
        _ahead(reports, began_at),
        _oldest(reports),
        latest.device,
    )


def _ahead(reports: Sequence[TimedReport], began: float) -> int:
    """Return how much later the newest time in the reports is than its report, in seconds."""
    times = (
        health.last_updated_time - math.ceil(began + report.seconds)
        for report in reports
        for health in report.report.devices
    )
    return max((0, *times))


def _oldest(reports: Sequence[TimedReport]) -> int:
    """Return the oldest time in the reports, 0 if they have none."""
    times = (health.last_updated_time for report in reports for health in report.report.devices)
    return min(filter(None, times), default=0)


def _reported(report: TimedReport, devices: Devices) -> tuple[int | str, ...]:
    """Return the sorted numbers of the devices in a report, or their names if they are not published."""
    numbers = (
        devices.number(shortened(health.device.pool_name), shortened(health.device.device_name))
        for health in report.report.devices[:MAX_DEVICES]
    )
    return tuple(sorted(numbers, key=str))


def _have_enough(reports: Sequence[TimedReport], devices: Devices) -> bool:
    """Return whether each published device has enough health reports."""
    return len(reports) >= HEALTH_REPORTS and all(
        len(of_device) >= HEALTH_REPORTS for of_device in _reports_of_devices(reports, devices).values()
    )


class _Pause(NamedTuple):
    """The time after a report of a device until its next report, and the timeout in that report."""

    pause: float
    timeout: int
    device: int | str

    @property
    def late(self) -> float:
        """By how many seconds the next report is later than the timeout."""
        return self.pause - self.timeout


def _latest_report(reports: Sequence[TimedReport], devices: Devices, seconds: float) -> _Pause:
    """Return the pause that exceeds the timeout most, or is nearest to it, by the end of the watch."""
    pauses = (
        _Pause(later - earlier, timeout, devices.number(*device))
        for device, of_device in _reports_of_devices(reports, devices).items()
        for (earlier, timeout), (later, _) in pairwise([*of_device, (seconds, 0)])
    )
    return max(pauses, key=attrgetter("late"), default=_Pause(0.0, DEFAULT_HEALTH_TIMEOUT, 0))


def _reports_of_devices(
    reports: Sequence[TimedReport], devices: Devices
) -> dict[Device, list[tuple[float, int]]]:
    """Return the times of the reports of each published device, each with its timeout; both in seconds."""
    found: dict[Device, list[tuple[float, int]]] = {device: [] for device in devices.definitions}
    for report in reports:
        for health in report.report.devices:
            of_device = found.get((health.device.pool_name, health.device.device_name))
            if of_device is not None:
                timeout = health.health_check_timeout_seconds
                of_device.append((report.seconds, timeout if timeout > 0 else DEFAULT_HEALTH_TIMEOUT))
    return found
