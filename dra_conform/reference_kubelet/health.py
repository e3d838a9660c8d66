"""The newest health report of each device."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from dra_conform.kube.plugin_api import DeviceHealth, Health, HealthReport

DEFAULT_TIMEOUT = 30.0
"""The seconds for which a report without a timeout is valid."""
_WORDS = {Health.HEALTHY: "Healthy", Health.UNHEALTHY: "Unhealthy"}


@dataclass(frozen=True, slots=True)
class _Report:
    received: float
    health: DeviceHealth


class HealthReports:
    """The health of devices by driver, pool and name. All methods can be called from any thread."""

    def __init__(self) -> None:
        self._reports: dict[tuple[str, str, str], _Report] = {}
        self._lock = threading.Lock()

    def add(self, driver: str, report: HealthReport) -> None:
        """Store a health report of a driver."""
        now = time.monotonic()
        with self._lock:
            for health in report.devices:
                key = driver, health.device.pool_name, health.device.device_name
                self._reports[key] = _Report(now, health)

    def forget(self, driver: str) -> None:
        """Remove the reports of a driver that no longer sends any."""
        with self._lock:
            self._reports = {key: report for key, report in self._reports.items() if key[0] != driver}

    def of(self, driver: str, pool: str, device: str) -> tuple[str, str]:
        """Return the health of a device as in the API, and its message. A stale report is Unknown."""
        with self._lock:
            report = self._reports.get((driver, pool, device))
        if report is None:
            return "Unknown", ""
        of_driver = report.health.health_check_timeout_seconds
        timeout = of_driver if of_driver > 0 else DEFAULT_TIMEOUT
        if time.monotonic() - report.received > timeout:
            return "Unknown", ""
        return _WORDS.get(Health(report.health.health), "Unknown"), report.health.message
