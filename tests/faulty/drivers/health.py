"""Faults of health reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.kube.plugin_api import HEALTH_SERVICES, HealthReport
from dra_conform.reference_driver import __main__ as process
from tests.faulty.drivers.fault import around, fault
from tests.faulty.drivers.registering import change_services


def _change_reports(change: Any) -> None:
    @around(process, "_reports")
    def changed(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        yield from change(original(*arguments))


@fault("DRIVER/health/first-report")
def first_report_lacks_devices() -> None:
    """The first report has one device; later reports have all."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        for number, report in enumerate(reports):
            yield msgspec.structs.replace(report, devices=report.devices[:1]) if not number else report

    _change_reports(change)


@fault("DRIVER/health/first-report", "DRIVER/health/kept-fresh")
def no_report_before_a_change() -> None:
    """No report comes until the health of a device changes."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        yield from (report for report in reports if not report.devices)

    _change_reports(change)


@fault("DRIVER/health/kept-fresh")
def reports_only_once() -> None:
    """After the first report none follows."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        yield next(reports)
        for _ in reports:
            continue

    _change_reports(change)


@fault("DRIVER/health/kept-fresh")
def reports_are_stale_before_the_next() -> None:
    """The timeout of a report is shorter than the pause between two."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        for report in reports:
            devices = [
                msgspec.structs.replace(device, health_check_timeout_seconds=2) for device in report.devices
            ]
            yield HealthReport(tuple(devices))

    _change_reports(change)


@fault("DRIVER/health/kept-fresh")
def stream_ends_after_a_report() -> None:
    """The driver ends the stream after the first report."""
    _change_reports(lambda reports: [next(reports)])


@fault("DRIVER/health/unimplemented", "DRIVER/health/first-report", "DRIVER/health/kept-fresh")
def health_fails() -> None:
    """A driver that reports no health ends the stream with an error other than UNIMPLEMENTED."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        raise RuntimeError("health is not supported")

    _change_reports(change)


@fault("DRIVER/health/both-versions")
def newest_health_service_only() -> None:
    """There is no health service for kubelets before 1.37."""
    oldest = [*HEALTH_SERVICES][-1]
    change_services(lambda services: [name for name in services if name != oldest])
