"""The answers of an emulated DRA driver to calls of a kubelet, as its script says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from dra_conform.conformance.kubelet.actions import SetAnswer
from dra_conform.conformance.steps.given import name_in_case
from dra_conform.kube.plugin_api import (
    Claim,
    PluginDevice,
    PreparedClaim,
    PrepareResponse,
    UnpreparedClaim,
    UnprepareResponse,
)

UNKNOWN_UID = "00000000-0000-4000-8000-000000000000"
"""The UID of a ResourceClaim that does not exist."""

DevicesOf = Callable[[str], tuple[PluginDevice, ...]]
"""A function that returns the devices that a driver prepares for a ResourceClaim by its name in the case."""
UIDOf = Callable[[str], str]
"""A function that returns the UID of a ResourceClaim by its name in the case."""


def second(cdi_name: str) -> str:
    """Return the second CDI name of a device."""
    return f"{cdi_name}-second"


def claim_name(claim: Claim) -> str:
    """Return the name of a ResourceClaim in the case."""
    return name_in_case(claim.namespace, claim.name)


def prepare_response(
    script: SetAnswer | None, claims: Sequence[Claim], devices_of: DevicesOf, uid_of: UIDOf
) -> PrepareResponse:
    """Return the answer to NodePrepareResources for claims; without a script it is correct."""
    answered = {
        claim.uid: _prepared(script, claim, devices_of) for claim in claims if not _is_left_out(script, claim)
    }
    return PrepareResponse({**answered, **dict.fromkeys(_further(script, uid_of), PreparedClaim())})


def unprepare_response(script: SetAnswer | None, claims: Sequence[Claim], uid_of: UIDOf) -> UnprepareResponse:
    """Return the answer to NodeUnprepareResources for claims; without a script it is correct."""
    answered = {
        claim.uid: UnpreparedClaim("the device is busy" if _has_error(script, claim) else "")
        for claim in claims
        if not _is_left_out(script, claim)
    }
    return UnprepareResponse({**answered, **dict.fromkeys(_further(script, uid_of), UnpreparedClaim())})


def _prepared(script: SetAnswer | None, claim: Claim, devices_of: DevicesOf) -> PreparedClaim:
    devices = _devices(script, devices_of(claim_name(claim)))
    if not _has_error(script, claim):
        return PreparedClaim(devices)
    kept = devices if script and script.to == "claim-error-with-devices" else ()
    return PreparedClaim(kept, "the device is broken")


def _devices(script: SetAnswer | None, devices: tuple[PluginDevice, ...]) -> tuple[PluginDevice, ...]:
    requests = tuple(dict.fromkeys(name for device in devices for name in device.request_names))
    match script.to if script else "valid":
        case "without-requests":
            return tuple(msgspec.structs.replace(device, request_names=()) for device in devices)
        case "all-requests":
            return tuple(msgspec.structs.replace(device, request_names=requests) for device in devices)
        case "no-cdi-names":
            return tuple(msgspec.structs.replace(device, cdi_device_ids=()) for device in devices)
        case "two-cdi-names":
            return tuple(
                msgspec.structs.replace(
                    device, cdi_device_ids=(*device.cdi_device_ids, *map(second, device.cdi_device_ids))
                )
                for device in devices
            )
        case "one-device":
            return devices[:1]
    return devices


def _has_error(script: SetAnswer | None, claim: Claim) -> bool:
    return bool(
        script
        and script.to in ("claim-error", "claim-error-with-devices")
        and script.claim == claim_name(claim)
    )


def _is_left_out(script: SetAnswer | None, claim: Claim) -> bool:
    return bool(script and script.to in ("left-out", "unknown-entry") and script.claim == claim_name(claim))


def _further(script: SetAnswer | None, uid_of: UIDOf) -> tuple[str, ...]:
    """Return the UIDs of the entries for ResourceClaims that were not asked."""
    match script:
        case SetAnswer(to="unknown-entry"):
            return (UNKNOWN_UID,)
        case SetAnswer(to="further-entry", claim=claim):
            return (uid_of(claim),)
    return ()
