"""A watch of the health of all devices, as a kubelet keeps it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise

from dra_conform.adapters.driver.claims import Device, Devices
from dra_conform.adapters.driver.driver_process import DriverFailed, Registered
from dra_conform.adapters.driver.observed_strings import MAX_DEVICES, shortened
from dra_conform.adapters.driver.plugin_client import TimedReport
from dra_conform.conformance.driver.answer import HealthWatch
from dra_conform.kube.plugin_api import HEALTH_SERVICES

HEALTH_SECONDS = 40.0
"""How long a watch lasts at most."""
DEFAULT_HEALTH_TIMEOUT = 30
"""The default time in seconds after which a kubelet takes an unreported device for Unknown."""
HEALTH_REPORTS = 4
"""The number of reports of each device after which a watch of health ends."""
MAX_REPORTS = 100
"""The maximum number of health reports in an observation."""


def watch_health(registered: Registered, devices: Devices) -> HealthWatch:
    """Watch the health of the devices until each has enough reports; raises DriverFailed."""
    services = [name for name in registered.info.supported_versions if name in HEALTH_SERVICES]
    if not services:
        raise DriverFailed("the driver names no service that reports health")
    service = services[0]
    began = time.monotonic()
    reports, end = registered.client.watch_health(
        service, HEALTH_SECONDS, lambda reports: _have_enough(reports, devices)
    )
    pause = _longest_pause(reports, devices, time.monotonic() - began)
    timeouts = [
        health.health_check_timeout_seconds or DEFAULT_HEALTH_TIMEOUT
        for report in reports
        for health in report.report.devices
    ]
    return HealthWatch(
        service,
        end,
        tuple(_reported(report, devices) for report in reports[:MAX_REPORTS]),
        round(pause, 1),
        min(timeouts, default=DEFAULT_HEALTH_TIMEOUT),
    )


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
        len(times) >= HEALTH_REPORTS for times in _times_of_devices(reports, devices).values()
    )


def _longest_pause(reports: Sequence[TimedReport], devices: Devices, seconds: float) -> float:
    """Return the longest time between two reports of a device, or until the end of the watch."""
    return max(
        (
            later - earlier
            for times in _times_of_devices(reports, devices).values()
            for earlier, later in pairwise([*times, seconds])
        ),
        default=0.0,
    )


def _times_of_devices(reports: Sequence[TimedReport], devices: Devices) -> dict[Device, list[float]]:
    times: dict[Device, list[float]] = {device: [] for device in devices.definitions}
    for report in reports:
        for health in report.report.devices:
            known = times.get((health.device.pool_name, health.device.device_name))
            if known is not None:
                known.append(report.seconds)
    return times
