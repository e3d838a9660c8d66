"""The checks of registration, sockets, health reports and device statuses: one class for each Then step."""

from __future__ import annotations

from dra_conform.conformance.driver.answer import (
    OWN,
    DriverHistory,
    RegistrationInfo,
    device_numbers,
)
from dra_conform.conformance.steps.step import Params
from dra_conform.kube.listing import counted

KNOWN_SERVICES = ("v1.DRAPlugin", "v1beta1.DRAPlugin")
"""The services that kubelets support, newest first."""
EARLIEST = 10**9
"""A time in seconds since 1970, in September 2001; an earlier time is not in seconds since 1970."""
MAX_AHEAD = 60
"""How many seconds the time of a health report may be in the future: clocks differ."""


class Registers(Params, frozen=True, kw_only=True):
    """`GetInfo` answers with the type DRAPlugin, the driver's name, its endpoint and a known service."""

    def problem(self, history: DriverHistory) -> str:
        info = history.now.registration
        if info is None:
            return "the driver is not registered"
        if info.type != "DRAPlugin":
            return f"the type is {info.type!r}, expected 'DRAPlugin'"
        if info.name != OWN:
            return f"the name is {info.name!r}, expected the name of the driver"
        if info.endpoint != OWN:
            return f"the endpoint is {info.endpoint!r}, expected a socket on which the driver answers"
        known = _known(info)
        return (
            "" if known else f"the services are {', '.join(info.services)}, expected one of {KNOWN_SERVICES}"
        )


class InfoWithin(Params, frozen=True, kw_only=True):
    """`GetInfo` answers within a number of seconds."""

    seconds: float

    def problem(self, history: DriverHistory) -> str:
        info = history.now.registration
        if info is None:
            return "the driver is not registered"
        return "" if info.seconds <= self.seconds else f"GetInfo took {info.seconds:.3f} seconds"


class NewestServiceFirst(Params, frozen=True, kw_only=True):
    """The first supported service in the answer to `GetInfo` is the newest of those that it lists."""

    def problem(self, history: DriverHistory) -> str:
        known = _known(history.now.registration)
        if not known:
            return "the driver names no known service"
        newest = min(known, key=KNOWN_SERVICES.index)
        return "" if known[0] == newest else f"{known[0]} comes before {newest}"


class CallsSucceed(Params, frozen=True, kw_only=True):
    """All calls of the step succeed."""

    def problem(self, history: DriverHistory) -> str:
        calls = history.now.calls
        failed = [call for call in calls if call.error]
        if failed:
            return f"{failed[0].service}: the call fails: {failed[0].error}"
        return "" if calls else "no call was made"


class Runs(Params, frozen=True, kw_only=True):
    """The process of the driver is running."""

    def problem(self, history: DriverHistory) -> str:
        return f"the driver ended ({history.now.process})" if history.now.process else ""


class Sockets(Params, frozen=True, kw_only=True):
    """The exact number of registration sockets, and the minimum number of service sockets."""

    registration: int

    def problem(self, history: DriverHistory) -> str:
        now = history.now
        if now.registration_sockets != self.registration:
            found = counted(now.registration_sockets, "registration socket")
            return f"found {found}, expected {self.registration}"
        left = not self.registration and now.service_sockets
        found = counted(now.service_sockets, "service socket")
        return f"found {found}, expected none" if left else ""


class OtherSocketExists(Params, frozen=True, kw_only=True):
    """The registration socket of another plugin exists."""

    def problem(self, history: DriverHistory) -> str:
        return "" if history.now.other_socket else "the registration socket of another plugin is gone"


class HealthOfAllDevices(Params, frozen=True, kw_only=True):
    """The health reports cover all published devices, or the driver answers UNIMPLEMENTED."""

    def problem(self, history: DriverHistory) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        if watch.end == "UNIMPLEMENTED" and not watch.reports:
            return ""
        if not watch.reports:
            return f"no report came{', but ' + watch.end if watch.end else ''}"
        reported = {device for report in watch.reports for device in report}
        missing = [number for number in device_numbers(history.answer.start.pools) if number not in reported]
        return f"no report has device {missing[0]}" if missing else ""


class FirstHealthReport(Params, frozen=True, kw_only=True):
    """The first health report covers all published devices, or the driver answers UNIMPLEMENTED."""

    def problem(self, history: DriverHistory) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        if not watch.reports:
            return "" if watch.end == "UNIMPLEMENTED" else f"no report came: {watch.end or 'no end'}"
        devices = device_numbers(history.answer.start.pools)
        missing = [number for number in devices if number not in watch.reports[0]]
        return f"the first report does not have device {missing[0]}" if missing else ""


class HealthStreamOpen(Params, frozen=True, kw_only=True):
    """The stream of health reports stays open, or ends with UNIMPLEMENTED before the first report."""

    def problem(self, history: DriverHistory) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        at_once = watch.end == "UNIMPLEMENTED" and not watch.reports
        reports = f"{len(watch.reports)} reports"
        return f"the stream ended after {reports}: {watch.end}" if watch.end and not at_once else ""


class HealthStaysFresh(Params, frozen=True, kw_only=True):
    """Each reported device is reported again before its timeout."""

    def problem(self, history: DriverHistory) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        pause, timeout = watch.longest_pause, watch.timeout
        late = f"device {watch.latest} had no report for {pause:g} seconds, and its timeout is {timeout}"
        return late if pause > timeout else ""


class HealthTimes(Params, frozen=True, kw_only=True):
    """No health report has a time that is more than a minute in the future, or too long ago.

    A report can leave out the time.
    """

    def problem(self, history: DriverHistory) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        late = f"a report has a time {watch.ahead} seconds in the future, expected seconds since 1970"
        early = f"a report has the time {watch.oldest}, expected seconds since 1970"
        if watch.ahead > MAX_AHEAD:
            return late
        return early if watch.oldest and watch.oldest < EARLIEST else ""


class HasDeviceStatus(Params, frozen=True, kw_only=True):
    """Another driver has an entry in `status.devices` of a ResourceClaim, or has none with `absent`."""

    resource_claim: str
    driver: str
    absent: bool = False

    def problem(self, history: DriverHistory) -> str:
        entries = history.now.device_status.get(self.resource_claim, ())
        present = any(entry.driver == self.driver for entry in entries)
        if present is not self.absent:
            return ""
        words = "an entry of {}, expected none" if present else "no entry of {}"
        return f"status.devices of {self.resource_claim} has {words.format(self.driver)}"


def _known(info: RegistrationInfo | None) -> list[str]:
    return [service for service in info.services if service in KNOWN_SERVICES] if info else []
