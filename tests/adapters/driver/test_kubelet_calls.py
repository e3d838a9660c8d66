"""What a watch of health observes: pauses, timeouts, and times in the future."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.driver.claims import Devices
from dra_conform.adapters.driver.driver_process import DriverFailed, RegisteredDriver
from dra_conform.adapters.driver.kubelet_calls import watch_health
from dra_conform.adapters.driver.plugin_client import TimedReport
from dra_conform.kube.plugin_api import DeviceHealth, DeviceIdentifier, Health, HealthReport, PluginInfo

SERVICE = "v1.DRAResourceHealth"
DEVICES = Devices({("pool", "gpu-0"): {"name": "gpu-0"}})


class OneReport:
    """A client whose watch of health gets one report, then others at their times."""

    def __init__(self, health: DeviceHealth, *later: TimedReport) -> None:
        self._reports = [TimedReport(0.0, HealthReport((health,))), *later]

    def watch_health(
        self, service: str, _: float, __: Callable[[Any], bool]
    ) -> tuple[list[TimedReport], str]:
        assert service == SERVICE
        return self._reports, ""


def registered(client: object, *services: str) -> RegisteredDriver:
    info = PluginInfo("DRAPlugin", "gpu.example.com", "", ("v1.DRAPlugin", *services))
    return RegisteredDriver(Path("socket"), info, 0.0, "v1.DRAPlugin", client)  # type: ignore[arg-type]


def reported(ahead: int = 0, timeout: int = 0, device: str = "gpu-0") -> DeviceHealth:
    now = int(time.time()) + ahead
    return DeviceHealth(DeviceIdentifier("pool", device), Health.HEALTHY, now, timeout)


@pytest.mark.parametrize(("timeout", "used"), [(7, 7), (0, 30), (-5, 30)])
def test_a_timeout_that_is_not_positive_is_the_default(timeout: int, used: int) -> None:
    watch = watch_health(registered(OneReport(reported(timeout=timeout)), SERVICE), DEVICES)
    assert (watch.timeout, watch.reports) == (used, ((1,),))


def test_each_device_has_its_own_timeout() -> None:
    """Neither the longest pause nor the shortest timeout says which device is late."""
    slow, fast = reported(timeout=60), reported(timeout=3, device="gpu-1")
    reports = [TimedReport(float(second), HealthReport((fast,))) for second in (1, 2, 4, 8)]
    both = Devices({("pool", "gpu-0"): {}, ("pool", "gpu-1"): {}})
    watch = watch_health(registered(OneReport(slow, *reports), SERVICE), both)
    assert (watch.longest_pause, watch.timeout, watch.latest) == (4.0, 3, 2)


def test_times_in_the_future_are_observed() -> None:
    assert watch_health(registered(OneReport(reported(-100)), SERVICE), DEVICES).ahead == 0
    late = watch_health(registered(OneReport(reported(1000)), SERVICE), DEVICES).ahead
    assert 990 < late <= 1000


def test_the_oldest_time_is_observed() -> None:
    now = int(time.time())
    assert 0 <= watch_health(registered(OneReport(reported()), SERVICE), DEVICES).oldest - now <= 10
    assert watch_health(registered(OneReport(reported(-now)), SERVICE), DEVICES).oldest == 0


def test_a_driver_without_health_cannot_be_watched() -> None:
    with pytest.raises(DriverFailed, match="the driver names no service that reports health"):
        watch_health(registered(OneReport(reported())), DEVICES)


def test_a_named_service_is_watched_instead_of_the_first() -> None:
    client = OneReport(reported())
    watch = watch_health(registered(client, "v1alpha1.DRAResourceHealth", SERVICE), DEVICES, SERVICE)
    assert watch.service == SERVICE
