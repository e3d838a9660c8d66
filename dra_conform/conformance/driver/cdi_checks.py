"""The checks of CDI devices and of the files that they mount: one class for each Then step."""

from __future__ import annotations

import re

from dra_conform.conformance.driver.answer import DriverHistory
from dra_conform.conformance.steps.step import Params

_PART = r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?"
_QUALIFIED = re.compile(rf"{_PART}/{_PART}=[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?")


def is_qualified(name: str) -> bool:
    """Return whether a name has the form `vendor/class=device`."""
    return _QUALIFIED.fullmatch(name) is not None


def not_called(call: str, claim: str) -> str:
    """Return the problem of a step that has no answer of a call for a ResourceClaim."""
    return f"the step has no answer of {call} for {claim}"


class CDIResolves(Params, frozen=True, kw_only=True):
    """A container runtime finds all CDI devices of the latest answer for a ResourceClaim.

    `unless_call_fails`: a call that fails as a whole has none.
    """

    resource_claim: str
    unless_call_fails: bool = False

    def problem(self, history: DriverHistory) -> str:
        prepared = history.prepared(self.resource_claim)
        calls = history.calls("prepare", self.resource_claim)
        if self.unless_call_fails and calls and all(call.error for call in calls):
            return ""
        if prepared is None:
            return not_called("prepare", self.resource_claim)
        missing = [name for device in prepared.devices for name in device.cdi if name not in history.now.cdi]
        if not missing:
            return ""
        files = history.now.unreadable_cdi
        rejected = f"; container runtimes reject {', '.join(files)}" if files else ""
        return f"the CDI folder has no device {missing[0]}{rejected}"


class CDIRemoved(Params, frozen=True, kw_only=True):
    """No CDI device of a ResourceClaim remains: none with its UID, and none that only it used.

    A CDI device that existed before the claim was prepared, or that another claim has, can stay.
    """

    resource_claim: str

    def problem(self, history: DriverHistory) -> str:
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

    def problem(self, history: DriverHistory) -> str:
        changed = set(history.now.cdi.items()) ^ set(history.before.cdi.items())
        return f"the CDI device {min(changed)[0]} has changed" if changed else ""


class CDINamesKeepContents(Params, frozen=True, kw_only=True):
    """A CDI device has the same contents as any earlier CDI device of the same name."""

    def problem(self, history: DriverHistory) -> str:
        earlier = dict(history.answer.start.cdi)
        for observation in history.answer.observations[: history.index]:
            earlier |= observation.cdi
        changed = [name for name, digest in history.now.cdi.items() if earlier.get(name, digest) != digest]
        return f"the CDI device {min(changed)} has other contents than before" if changed else ""


class MountedFilesExist(Params, frozen=True, kw_only=True):
    """CDI devices mount files in the driver's folder, and all these files exist."""

    def problem(self, history: DriverHistory) -> str:
        files = history.now.mounted_files
        missing = [path for path, exists in sorted(files.items()) if not exists]
        if missing:
            return f"a CDI device mounts {missing[0]}, which does not exist"
        return "" if files else "no CDI device mounts a file in the folder of the driver"


class NoMountedFilesLeft(Params, frozen=True, kw_only=True):
    """No file that a CDI device mounted earlier exists without such a CDI device."""

    def problem(self, history: DriverHistory) -> str:
        left = history.now.left_files
        return f"the driver still has {left[0]}, which no CDI device mounts any more" if left else ""


class OtherCDIUnchanged(Params, frozen=True, kw_only=True):
    """The CDI spec of another vendor exists."""

    def problem(self, history: DriverHistory) -> str:
        return "" if history.now.other_cdi_file else "the CDI spec of another vendor is gone"


class CDIQualified(Params, frozen=True, kw_only=True):
    """The CDI names of the latest answer for a ResourceClaim have the form vendor/class=name."""

    resource_claim: str

    def problem(self, history: DriverHistory) -> str:
        prepared = history.prepared(self.resource_claim)
        if prepared is None:
            return not_called("prepare", self.resource_claim)
        names = [name for device in prepared.devices for name in device.cdi if not is_qualified(name)]
        return f"{names[0]!r} is no CDI name, expected vendor/class=name" if names else ""
