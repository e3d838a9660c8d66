"""Faults of health reports."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.kube.plugin_api import HEALTH_SERVICES, HealthReport
from dra_conform.reference_driver import __main__ as process
from tests.faulty.drivers.fault import around, fault


def _change_reports(change: Any) -> None:
    """Change the reports, whose timeout is short so that tests are fast."""
    process.HEALTH_TIMEOUT = 3

    @around(process, "_reports")
    def changed(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        yield from change(original(*arguments))


@fault("DRIVER/health/all-devices", "DRIVER/health/kept-fresh")
def reports_lack_a_device() -> None:
    """One device is in no report."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        for report in reports:
            yield HealthReport(report.devices[1:])

    _change_reports(change)


@fault("DRIVER/health/all-devices", "DRIVER/health/kept-fresh")
def no_report_before_a_change() -> None:
    """No report comes until the health of a device changes."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        yield from (report for report in reports if not report.devices)

    _change_reports(change)


@fault("DRIVER/health/kept-fresh")
def one_device_is_reported_once() -> None:
    """One device is in the first report only."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        for number, report in enumerate(reports):
            yield HealthReport(report.devices[1:]) if number else report

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
                msgspec.structs.replace(device, health_check_timeout_seconds=1) for device in report.devices
            ]
            yield HealthReport(tuple(devices))
            time.sleep(4)

    _change_reports(change)


@fault("DRIVER/health/unimplemented")
def stream_ends_after_a_report() -> None:
    """The driver ends the stream after the first report."""
    _change_reports(lambda reports: [next(reports)])


@fault("DRIVER/health/unimplemented", "DRIVER/health/all-devices", "DRIVER/health/kept-fresh")
def health_fails() -> None:
    """A driver that reports no health ends the stream with an error other than UNIMPLEMENTED."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        raise RuntimeError("health is not supported")

    _change_reports(change)


def _change_each_report(change: Any) -> None:
    """Change the health reports; `change` gets the number of the watch and of the report."""
    watches = iter(range(10**9))

    @around(process, "_reports")
    def changed(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        watch = next(watches)
        for number, report in enumerate(original(*arguments)):
            yield change(watch, number, report)


@fault("DRIVER/health/first-report")
def first_health_report_of_one_device() -> None:
    """The first report has only one device, the later ones have all."""
    _change_each_report(
        lambda _, number, report: (
            report if number else msgspec.structs.replace(report, devices=report.devices[:1])
        )
    )


@fault("DRIVER/health/all-devices")
def second_watch_has_no_reports() -> None:
    """A kubelet that watches health a second time gets empty reports."""
    _change_each_report(
        lambda watch, _, report: msgspec.structs.replace(report, devices=()) if watch else report
    )


@fault("DRIVER/health/time")
def health_times_in_milliseconds() -> None:
    """The time of a report is a thousand times too large."""

    @around(process, "_reports")
    def reports(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        for report in original(*arguments):
            yield HealthReport(
                tuple(
                    msgspec.structs.replace(device, last_updated_time=device.last_updated_time * 1000)
                    for device in report.devices
                )
            )


@fault("DRIVER/health/kept-fresh")
def five_health_reports() -> None:
    """No report follows the fifth; the timeout of a report is two seconds."""

    @around(process, "_reports")
    def reports(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        for number, report in enumerate(original(*arguments)):
            if number < 5:
                yield HealthReport(
                    tuple(
                        msgspec.structs.replace(device, health_check_timeout_seconds=2)
                        for device in report.devices
                    )
                )


@fault("DRIVER/health/both-versions", "DRIVER/health/all-devices")
def older_service_reports_no_device() -> None:
    """The reports of the service v1alpha1.DRAResourceHealth have no devices."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = dict(original(*arguments))
        method = HEALTH_SERVICES["v1alpha1.DRAResourceHealth"]["watch"]
        reports = handlers[method]
        handlers[method] = lambda *of_call: (HealthReport() for _ in reports(*of_call))
        return handlers
