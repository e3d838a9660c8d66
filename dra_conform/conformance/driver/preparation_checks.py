"""The checks of prepared and unprepared claims: one class for each Then step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.driver.answer import OWN, DriverHistory, KubeletCall, PreparedDevice
from dra_conform.conformance.driver.cdi_checks import not_called
from dra_conform.conformance.steps.step import Params
from dra_conform.kube.listing import counted


class ExpectedDevice(Params, frozen=True, kw_only=True):
    """A prepared device: its number, its request if named, and the number of its shared allocation."""

    device: int
    request: str = ""
    share: int = 0


class Prepared(Params, frozen=True, kw_only=True):
    """Each call of the step prepares a ResourceClaim with exactly these devices.

    A device has a CDI name if the driver has a CDI device of the ResourceClaim that no device has.
    `unless_call_fails`: calls that fail as a whole do not count.
    """

    resource_claim: str
    devices: tuple[ExpectedDevice, ...]
    unless_call_fails: bool = False

    def problem(self, history: DriverHistory) -> str:
        calls = history.calls("prepare", self.resource_claim)
        if calls and self.unless_call_fails:
            calls = [call for call in calls if not call.error]
        elif not calls:
            return not_called("prepare", self.resource_claim)
        own_cdi = history.now.cdi_of_claims.get(self.resource_claim, ())
        return next(filter(None, (self._problem_of(call, own_cdi) for call in calls)), "")

    def _problem_of(self, call: KubeletCall, own_cdi: tuple[str, ...]) -> str:
        return (
            _entry_problem(call, self.resource_claim)
            or self._wrong(call)
            or self._unnamed(call.claims[self.resource_claim].devices, own_cdi)
        )

    def _unnamed(self, devices: tuple[PreparedDevice, ...], own_cdi: tuple[str, ...]) -> str:
        """Return which device has no CDI name, although a CDI device of the ResourceClaim is named nowhere.

        One device may have the CDI names of all, and CDI devices that are not of one ResourceClaim need not
        be named.
        """
        without = next((device for device in devices if not device.cdi), None)
        named = {name for device in devices for name in device.cdi}
        unnamed = [name for name in own_cdi if name not in named]
        if without is None or not unnamed:
            return ""
        return (
            f"device {without.device} has no CDI name, and no device has that of the CDI device {unnamed[0]}"
        )

    def _wrong(self, call: KubeletCall) -> str:
        devices = call.claims[self.resource_claim].devices
        if len(devices) != len(self.devices):
            return f"the driver prepares {_listed(devices)}, expected {counted(len(self.devices), 'device')}"
        one_request = len({expected.request for expected in self.devices}) == 1

        def key(number: int | str, request: str, share: int | str) -> tuple[str, str, str]:
            return str(number), "" if one_request else request, str(share)

        wanted = sorted(self.devices, key=lambda one: key(one.device, one.request or "r0", one.share))
        found = sorted(devices, key=lambda one: key(one.device, ",".join(one.requests), one.share))
        for expected, device in zip(wanted, found, strict=True):
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

    def problem(self, history: DriverHistory) -> str:
        calls = history.calls("prepare", self.resource_claim)
        for call in calls:
            result = call.claims.get(self.resource_claim)
            if not call.error and (result is None or not result.error):
                prepared = "no entry" if result is None else _listed(result.devices)
                return f"the answer has {prepared} for {self.resource_claim}, expected an error"
        return "" if calls else not_called("prepare", self.resource_claim)


class AtMostOnePrepared(Params, frozen=True, kw_only=True):
    """The calls of the step prepare at most one of several ResourceClaims."""

    resource_claims: tuple[str, ...]

    def problem(self, history: DriverHistory) -> str:
        names = set(self.resource_claims)
        calls = [call for call in history.now.calls if call.call == "prepare" and names & {*call.asked}]
        prepared = [name for name in self.resource_claims if any(_is_prepared(call, name) for call in calls)]
        if len(prepared) > 1:
            return f"the driver prepares {' and '.join(prepared)}, expected at most one of them"
        return "" if calls else not_called("prepare", " and ".join(self.resource_claims))


class Unprepared(Params, frozen=True, kw_only=True):
    """Each call of the step unprepares a ResourceClaim without an error."""

    resource_claim: str

    def problem(self, history: DriverHistory) -> str:
        calls = history.calls("unprepare", self.resource_claim)
        problems = (_entry_problem(call, self.resource_claim) for call in calls)
        return next(filter(None, problems), "") if calls else not_called("unprepare", self.resource_claim)


class UnprepareFails(Params, frozen=True, kw_only=True):
    """Each call of the step to unprepare a ResourceClaim fails, as a whole or with an error of the claim."""

    resource_claim: str

    def problem(self, history: DriverHistory) -> str:
        calls = history.calls("unprepare", self.resource_claim)
        if any(not _entry_problem(call, self.resource_claim) for call in calls):
            return f"the answer has no error for {self.resource_claim}, expected one"
        return "" if calls else not_called("unprepare", self.resource_claim)


class SameAnswer(Params, frozen=True, kw_only=True):
    """Each answer of the step for a ResourceClaim is as before; `without_shares`: except share IDs."""

    resource_claim: str
    without_shares: bool = False

    def problem(self, history: DriverHistory) -> str:
        earlier = history.prepared(self.resource_claim, earlier=True)
        calls = history.calls("prepare", self.resource_claim)
        if earlier is None or not calls:
            return not_called("prepare", self.resource_claim)
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


def _is_prepared(call: KubeletCall, claim: str) -> bool:
    return not call.error and claim in call.claims and not call.claims[claim].error


def _entry_problem(call: KubeletCall, claim: str) -> str:
    """Return why a call has no valid entry for a claim, empty if it has."""
    if call.error:
        return f"the call fails: {call.error}"
    if call.unasked:
        return f"the answer has an entry for the UID {call.unasked[0]}, which the call did not name"
    if claim not in call.claims:
        return f"the answer has no entry for {claim}"
    error = call.claims[claim].error
    return f"the answer has an error for {claim}: {error}" if error else ""


def _listed(devices: tuple[PreparedDevice, ...]) -> str:
    return ", ".join(_words(devices)) or "no devices"


def _words(devices: tuple[PreparedDevice, ...]) -> Iterator[str]:
    for device in devices:
        pool = "" if device.pool == OWN else f" of pool {device.pool}"
        cdi = f" ({', '.join(device.cdi)})" if device.cdi else ""
        yield f"device {device.device}{pool}{cdi}"
