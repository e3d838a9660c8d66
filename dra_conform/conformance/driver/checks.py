"""The checks of a driver's observations: one class for each Then step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dra_conform.conformance.driver.answer import (
    OWN,
    Call,
    ClaimResult,
    DriverAnswer,
    Observation,
    PreparedDevice,
    PublishedPool,
    Registration,
)
from dra_conform.conformance.driver.cdi_names import is_qualified
from dra_conform.conformance.steps.step import Params
from dra_conform.kube.listing import counted

KNOWN_SERVICES = ("v1.DRAPlugin", "v1beta1.DRAPlugin")
"""The services that kubelets support, newest first."""


@dataclass(frozen=True, slots=True)
class History:
    """The observations up to that of step `index`, from 0."""

    answer: DriverAnswer
    index: int

    @property
    def now(self) -> Observation:
        """The observation of this step."""
        return self.answer.observations[self.index]

    @property
    def before(self) -> Observation:
        """The observation before this step."""
        return self.answer.observations[self.index - 1] if self.index else self.answer.start

    def calls(self, kind: str, claim: str) -> list[Call]:
        """Return the calls of this step for a claim."""
        return [call for call in self.now.calls if call.call == kind and claim in call.asked]

    def prepared(self, claim: str, *, earlier: bool = False) -> ClaimResult | None:
        """Return the newest answer with devices for a claim, with `earlier` that before this step."""
        end = self.index if earlier else self.index + 1
        for observation in reversed(self.answer.observations[:end]):
            for call in reversed(observation.calls):
                result = call.claims.get(claim)
                if call.call == "prepare" and result is not None and not result.error:
                    return result
        return None


class ExpectedDevice(Params, frozen=True, kw_only=True):
    """A prepared device: its number, its request if named, and the number of its shared allocation."""

    device: int
    request: str = ""
    share: int = 0


class Prepared(Params, frozen=True, kw_only=True):
    """Each call of the step prepares a ResourceClaim with exactly these devices.

    `unless_call_fails`: calls that fail as a whole do not count.
    """

    resource_claim: str
    devices: tuple[ExpectedDevice, ...]
    unless_call_fails: bool = False

    def problem(self, history: History) -> str:
        calls = history.calls("prepare", self.resource_claim)
        if calls and self.unless_call_fails:
            calls = [call for call in calls if not call.error]
            return next(filter(None, map(self._problem_of, calls)), "")
        problems = map(self._problem_of, calls)
        return next(filter(None, problems), "") if calls else _not_called("prepare", self.resource_claim)

    def _problem_of(self, call: Call) -> str:
        return _entry_problem(call, self.resource_claim) or self._wrong(call)

    def _wrong(self, call: Call) -> str:
        devices = call.claims[self.resource_claim].devices
        if len(devices) != len(self.devices):
            return f"the driver prepares {_listed(devices)}, expected {len(self.devices)} devices"
        one_request = len({expected.request for expected in self.devices}) == 1
        for expected, device in zip(
            sorted(self.devices, key=lambda expected: expected.device),
            sorted(devices, key=lambda device: str(device.device)),
            strict=True,
        ):
            if (device.device, device.pool) != (expected.device, OWN):
                return f"the driver prepares {_listed(devices)}, expected its own device {expected.device}"
            names = {expected.request} if expected.request else {"r0"}
            if set(device.requests) != names and not (one_request and not device.requests):
                words = ", ".join(device.requests) or "all requests"
                return f"the driver prepares device {device.device} for {words}, expected for {min(names)}"
            if device.share != expected.share:
                return (
                    f"the answer has share ID {device.share or 'none'}, expected {expected.share or 'none'}"
                )
        return ""


class PrepareFails(Params, frozen=True, kw_only=True):
    """Preparing a ResourceClaim fails, with an error of the ResourceClaim or of the whole call."""

    resource_claim: str

    def problem(self, history: History) -> str:
        calls = history.calls("prepare", self.resource_claim)
        for call in calls:
            result = call.claims.get(self.resource_claim)
            if not call.error and (result is None or not result.error):
                prepared = "no entry" if result is None else _listed(result.devices)
                return f"the answer has {prepared} for {self.resource_claim}, expected an error"
        return "" if calls else _not_called("prepare", self.resource_claim)


class Unprepared(Params, frozen=True, kw_only=True):
    """Each call of the step unprepares a ResourceClaim without an error."""

    resource_claim: str

    def problem(self, history: History) -> str:
        calls = history.calls("unprepare", self.resource_claim)
        problems = (_entry_problem(call, self.resource_claim) for call in calls)
        return next(filter(None, problems), "") if calls else _not_called("unprepare", self.resource_claim)


class SameAnswer(Params, frozen=True, kw_only=True):
    """Each answer of the step for a ResourceClaim is as before; `without_shares`: except share IDs."""

    resource_claim: str
    without_shares: bool = False

    def problem(self, history: History) -> str:
        earlier = history.prepared(self.resource_claim, earlier=True)
        calls = history.calls("prepare", self.resource_claim)
        if earlier is None or not calls:
            return _not_called("prepare", self.resource_claim)
        for call in calls:
            entry = _entry_problem(call, self.resource_claim)
            if entry:
                return entry
            now = call.claims[self.resource_claim].devices
            if self._compared(now) != self._compared(earlier.devices):
                return f"the answer has {_listed(now)}, expected {_listed(earlier.devices)} as before"
        return ""

    def _compared(self, devices: tuple[PreparedDevice, ...]) -> Sequence[object]:
        return sorted(
            (
                str(device.device),
                device.pool,
                sorted(device.requests),
                sorted(device.cdi),
                "" if self.without_shares else str(device.share),
            )
            for device in devices
        )


class CDIResolves(Params, frozen=True, kw_only=True):
    """A container runtime finds all CDI devices of the latest answer for a ResourceClaim."""

    resource_claim: str

    def problem(self, history: History) -> str:
        prepared = history.prepared(self.resource_claim)
        if prepared is None:
            return _not_called("prepare", self.resource_claim)
        missing = [name for device in prepared.devices for name in device.cdi if name not in history.now.cdi]
        if not missing:
            return ""
        files = history.now.unreadable_cdi
        unreadable = f"; unreadable files: {', '.join(files)}" if files else ""
        return f"the CDI folder has no device {missing[0]}{unreadable}"


class CDIRemoved(Params, frozen=True, kw_only=True):
    """No CDI device of a ResourceClaim remains: none with its UID, and none that only it used.

    A CDI device that existed before the claim was prepared, or that another claim has, can stay.
    """

    resource_claim: str

    def problem(self, history: History) -> str:
        left = list(history.now.cdi_of_claims.get(self.resource_claim, ()))
        prepared = history.prepared(self.resource_claim)
        others = {
            name
            for observation in history.answer.observations[: history.index + 1]
            for call in observation.calls
            for claim, result in call.claims.items()
            if claim != self.resource_claim
            for device in result.devices
            for name in device.cdi
        }
        own = (name for device in prepared.devices for name in device.cdi) if prepared else ()
        left += [name for name in own if name in history.now.cdi and name not in others]
        left = [name for name in left if name not in history.answer.start.cdi]
        return f"the CDI folder still has {left[0]}" if left else ""


class CDIUnchanged(Params, frozen=True, kw_only=True):
    """The CDI devices and their contents are the same as before the step."""

    def problem(self, history: History) -> str:
        changed = set(history.now.cdi.items()) ^ set(history.before.cdi.items())
        return f"the CDI device {min(changed)[0]} has changed" if changed else ""


class CDINamesKeepContents(Params, frozen=True, kw_only=True):
    """A CDI device has the same contents as any earlier CDI device of the same name."""

    def problem(self, history: History) -> str:
        earlier = dict(history.answer.start.cdi)
        for observation in history.answer.observations[: history.index]:
            earlier |= observation.cdi
        changed = [name for name, digest in history.now.cdi.items() if earlier.get(name, digest) != digest]
        return f"the CDI device {min(changed)} has other contents than before" if changed else ""


class MountedFilesExist(Params, frozen=True, kw_only=True):
    """CDI devices mount files in the driver's folder, and all these files exist."""

    def problem(self, history: History) -> str:
        files = history.now.mounted_files
        missing = [path for path, exists in sorted(files.items()) if not exists]
        if missing:
            return f"a CDI device mounts {missing[0]}, which does not exist"
        return "" if files else "no CDI device mounts a file in the folder of the driver"


class CDIQualified(Params, frozen=True, kw_only=True):
    """The CDI names of the latest answer for a ResourceClaim have the form vendor/class=name."""

    resource_claim: str

    def problem(self, history: History) -> str:
        prepared = history.prepared(self.resource_claim)
        if prepared is None:
            return _not_called("prepare", self.resource_claim)
        names = [name for device in prepared.devices for name in device.cdi if not is_qualified(name)]
        return f"{names[0]!r} is no CDI name, expected vendor/class=name" if names else ""


class Publishes(Params, frozen=True, kw_only=True):
    """The driver publishes complete pools with the same devices as at the start.

    `devices`: all of them, fewer, or none.
    """

    devices: Literal["all", "fewer", "none"]

    def problem(self, history: History) -> str:
        pools, start = history.now.pools, history.answer.start.pools
        if not pools:
            return "the driver publishes no ResourceSlice"
        for pool in pools:
            if not pool.complete:
                return f"pool {pool.pool} is incomplete: {pool.slices} ResourceSlices"
            if pool.foreign:
                return f"pool {pool.pool} has the device {pool.foreign[0]}, which the driver did not have"
        now, before = _numbers(pools), _numbers(start)
        match self.devices:
            case "all":
                return "" if now == before else f"the driver publishes the devices {now}, expected {before}"
            case "fewer":
                fewer = now and len(now) < len(before)
                return (
                    "" if fewer else f"the driver publishes the devices {now}, expected fewer than {before}"
                )
            case "none":
                return f"the driver publishes the devices {now}, expected none" if now else ""


class GenerationRaised(Params, frozen=True, kw_only=True):
    """Each pool with several changed ResourceSlices has a higher generation than before the step."""

    def problem(self, history: History) -> str:
        before = {pool.pool: pool.generation for pool in history.before.pools}
        for pool in history.now.pools:
            old = before.get(pool.pool)
            if pool.changed > 1 and old is not None and pool.generation <= old:
                changes = f"{pool.changed} ResourceSlices of pool {pool.pool} changed"
                return f"{changes}, and its generation is {pool.generation}, expected more than {old}"
        return "" if history.now.pools else "the driver publishes no ResourceSlice"


class HasGroups(Params, frozen=True, kw_only=True):
    """Some device has compatibilityGroups, or no device has."""

    present: bool

    def problem(self, history: History) -> str:
        pools = history.now.pools
        if not pools:
            return "the driver publishes no ResourceSlice"
        grouped = [number for pool in pools for number, groups in pool.groups.items() if groups]
        if self.present:
            return "" if grouped else "no device has compatibilityGroups, expected some"
        return f"device {grouped[0]} has compatibilityGroups, expected none" if grouped else ""


class KeepsGroups(Params, frozen=True, kw_only=True):
    """The compatibilityGroups of a device are those of the start, or different ones with `changed`."""

    device: int
    changed: bool = False

    def problem(self, history: History) -> str:
        before, now = (self._groups(of.pools) for of in (history.answer.start, history.now))
        if self.changed:
            return (
                f"the compatibilityGroups of device {self.device} are still {now}, expected others"
                if now == before
                else ""
            )
        return (
            ""
            if now == before
            else f"the compatibilityGroups of device {self.device} are {now}, expected {before}"
        )

    def _groups(self, pools: tuple[PublishedPool, ...]) -> str:
        groups = (pool.groups.get(str(self.device), ()) for pool in pools)
        return ", ".join(next(filter(None, groups), ())) or "unset"


class OwnedByNode(Params, frozen=True, kw_only=True):
    """The ResourceSlices with the name of the node have the node as their only owner."""

    def problem(self, history: History) -> str:
        pools = history.now.pools
        for pool in pools:
            if pool.on_node and not pool.owned_by_node:
                return f"a ResourceSlice of pool {pool.pool} does not have the node as its only owner"
        return "" if pools else "the driver publishes no ResourceSlice"


class NoSliceWrites(Params, frozen=True, kw_only=True):
    """No ResourceSlice was created, changed or deleted in the step."""

    def problem(self, history: History) -> str:
        writes = history.now.slice_writes
        return f"ResourceSlices have {counted(writes, 'new version')}, expected no write" if writes else ""


class Registers(Params, frozen=True, kw_only=True):
    """`GetInfo` answers with the type DRAPlugin, the driver's name, its endpoint and a known service."""

    def problem(self, history: History) -> str:
        info = history.now.registration
        if info is None:
            return "the driver is not registered"
        if info.type != "DRAPlugin":
            return f"the type is {info.type!r}, expected 'DRAPlugin'"
        if info.name != OWN:
            return f"the name is {info.name!r}, expected the name of the driver"
        if info.endpoint != OWN:
            return f"the endpoint is {info.endpoint!r}, expected a socket in the kubelet's folders"
        known = _known(info)
        return (
            "" if known else f"the services are {', '.join(info.services)}, expected one of {KNOWN_SERVICES}"
        )


class InfoWithin(Params, frozen=True, kw_only=True):
    """`GetInfo` answers within a number of seconds."""

    seconds: float

    def problem(self, history: History) -> str:
        info = history.now.registration
        if info is None:
            return "the driver is not registered"
        return "" if info.seconds <= self.seconds else f"GetInfo took {info.seconds:.3f} seconds"


class NewestServiceFirst(Params, frozen=True, kw_only=True):
    """The first supported service in the answer to `GetInfo` is the newest of those that it lists."""

    def problem(self, history: History) -> str:
        known = _known(history.now.registration)
        if not known:
            return "the driver names no known service"
        newest = min(known, key=KNOWN_SERVICES.index)
        return "" if known[0] == newest else f"{known[0]} comes before {newest}"


class CallsSucceed(Params, frozen=True, kw_only=True):
    """All calls of the step succeed."""

    def problem(self, history: History) -> str:
        calls = history.now.calls
        failed = [call for call in calls if call.error]
        if failed:
            return f"{failed[0].service}: the call fails: {failed[0].error}"
        return "" if calls else "no call was made"


class Runs(Params, frozen=True, kw_only=True):
    """The process of the driver is running."""

    def problem(self, history: History) -> str:
        return f"the driver ended ({history.now.process})" if history.now.process else ""


class Sockets(Params, frozen=True, kw_only=True):
    """The exact number of registration sockets, and the minimum number of service sockets."""

    registration: int

    def problem(self, history: History) -> str:
        now = history.now
        if now.registration_sockets != self.registration:
            return f"{now.registration_sockets} registration sockets exist, expected {self.registration}"
        left = not self.registration and now.service_sockets
        return f"{now.service_sockets} service sockets are left, expected none" if left else ""


class OtherSocketExists(Params, frozen=True, kw_only=True):
    """The registration socket of another plugin exists."""

    def problem(self, history: History) -> str:
        return "" if history.now.other_socket else "the registration socket of another plugin is gone"


class HealthOfAllDevices(Params, frozen=True, kw_only=True):
    """The health reports cover all published devices, or the driver answers UNIMPLEMENTED."""

    def problem(self, history: History) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        if watch.end == "UNIMPLEMENTED" and not watch.reports:
            return ""
        if not watch.reports:
            return f"no report came{', but ' + watch.end if watch.end else ''}"
        reported = {device for report in watch.reports for device in report}
        missing = [number for number in _numbers(history.answer.start.pools) if number not in reported]
        return f"no report has device {missing[0]}" if missing else ""


class HealthStreamOpen(Params, frozen=True, kw_only=True):
    """The stream of health reports stays open, or ends with UNIMPLEMENTED before the first report."""

    def problem(self, history: History) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        at_once = watch.end == "UNIMPLEMENTED" and not watch.reports
        reports = f"{len(watch.reports)} reports"
        return f"the stream ended after {reports}: {watch.end}" if watch.end and not at_once else ""


class HealthStaysFresh(Params, frozen=True, kw_only=True):
    """Each reported device is reported again before its timeout."""

    def problem(self, history: History) -> str:
        watch = history.now.health
        if watch is None:
            return "the kubelet does not watch health in this step"
        pause, timeout = watch.longest_pause, watch.timeout
        late = f"a device had no report for {pause:g} seconds, and its timeout is {timeout}"
        return late if pause > timeout else ""


class KeepsDeviceStatus(Params, frozen=True, kw_only=True):
    """The entry of another driver is still in `status.devices` of a ResourceClaim."""

    resource_claim: str
    driver: str

    def problem(self, history: History) -> str:
        entries = history.now.device_status.get(self.resource_claim, ())
        kept = any(entry.driver == self.driver for entry in entries)
        return "" if kept else f"status.devices of {self.resource_claim} has no entry of {self.driver}"


def _entry_problem(call: Call, claim: str) -> str:
    """Return why a call has no valid entry for a claim, empty if it has."""
    if call.error:
        return f"the call fails: {call.error}"
    if call.unasked:
        return f"the answer has an entry for the UID {call.unasked[0]}, which the call did not name"
    if claim not in call.claims:
        return f"the answer has no entry for {claim}"
    error = call.claims[claim].error
    return f"the answer has an error for {claim}: {error}" if error else ""


def _not_called(call: str, claim: str) -> str:
    return f"the step has no answer of {call} for {claim}"


def _listed(devices: tuple[PreparedDevice, ...]) -> str:
    return ", ".join(_words(devices)) or "no devices"


def _words(devices: tuple[PreparedDevice, ...]) -> Iterator[str]:
    for device in devices:
        pool = "" if device.pool == OWN else f" of pool {device.pool}"
        cdi = f" ({', '.join(device.cdi)})" if device.cdi else ""
        yield f"device {device.device}{pool}{cdi}"


def _numbers(pools: tuple[PublishedPool, ...]) -> list[int]:
    return sorted(number for pool in pools for number in pool.devices)


def _known(info: Registration | None) -> list[str]:
    return [service for service in info.services if service in KNOWN_SERVICES] if info else []
