"""The Given steps of a DRA driver under test: devices, required properties, allocated ResourceClaims."""

from __future__ import annotations

import re
from typing import Literal, get_args

from dra_conform.conformance.steps.driver_claims import ClaimSetup, Need, Result
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, given
from dra_conform.conformance.steps.table_cells import whole_number
from dra_conform.kube.json_values import Json

_NEEDS: dict[str, Need] = {need.replace("-", " "): need for need in get_args(Need)}
_CONFIGURATIONS = {"a valid": "good", "an invalid": "bad", "another driver's": "other-driver"}


class GivenDriver(Params, frozen=True, kw_only=True):
    """A driver with at least this number of devices that has all properties in `needs`."""

    devices: int = 1
    needs: tuple[Need, ...] = ()


class GivenDriverResult(Params, frozen=True, kw_only=True):
    """One result of an allocation; `device` is a number, or a name that the driver does not have."""

    device: int | str
    request: str = "r0"
    pool: str = ""
    driver: str = ""
    share: int = 0


class GivenPreparedClaim(Params, frozen=True, kw_only=True):
    """A ResourceClaim that is allocated devices of the driver; without results it is not allocated."""

    name: str
    results: tuple[GivenDriverResult, ...] = ()
    admin_access: bool = False
    configuration: Literal["", "good", "bad", "other-driver"] = ""
    device_status: tuple[str, ...] = ()
    class_configuration: Literal["", "good", "bad", "other-driver"] = ""
    configured_request: str = ""


def _needed_driver_params(match: re.Match[str], _: Table, __: str) -> Json:
    needs = [_NEEDS[need] for need in re.split(", | and ", match["needs"] or "") if need]
    return {"devices": int(match["count"]), "needs": needs}


def _short(match: re.Match[str], _: Table, __: str) -> Json:
    params: dict[str, Json] = {
        "name": match["claim"],
        "results": [{"device": _device(device)} for device in re.split(", | and ", match["devices"])],
    }
    if match["configuration"]:
        of = "classConfiguration" if "of its DeviceClass" in match[0] else "configuration"
        params[of] = _CONFIGURATIONS[match["configuration"]]
    if match["own"]:
        params["configuration"] = _CONFIGURATIONS[match["own"]]
    if "admin access" in match[0]:
        params["adminAccess"] = True
    return params


def _rows(match: re.Match[str], rows: Table, _: str) -> Json:
    results = []
    for row in rows:
        unknown = row.keys() - {"request", "device", "pool", "driver", "share"}
        if unknown:
            raise StepError(
                f"unknown column {min(unknown)!r}, expected request, device, pool, driver or share"
            )
        cells: dict[str, Json] = {name: cell for name, cell in row.items() if cell}
        if "device" not in cells:
            raise StepError("a row has no device, expected its number or name")
        cells["device"] = _device(cells["device"])
        if "share" in cells:
            cells["share"] = whole_number(cells["share"])
        results.append(cells)
    status = [match["status"]] if match["status"] else []
    params: dict[str, Json] = {"name": match["claim"], "results": results, "deviceStatus": status}
    if match["configuration"]:
        params["classConfiguration"] = _CONFIGURATIONS[match["configuration"]]
    if match["own"]:
        params["configuration"] = _CONFIGURATIONS[match["own"]]
        params["configuredRequest"] = match["request"]
    if "admin access" in match[0]:
        params["adminAccess"] = True
    return params


def _device(text: str) -> int | str:
    return int(text) if text.isdigit() else text.strip('"')


_NEED = "|".join(_NEEDS)


@given(
    "a driver with {count} device[s][ that offers {needs}]",
    _needed_driver_params,
    count="[0-9]+",
    needs=f"(?:{_NEED})(?:(?:, | and )(?:{_NEED}))*",
)
def driver(given: Given, params: GivenDriver) -> None:
    given.driver_devices = params.devices
    _add_needs(given, *params.needs)


def _add_needs(given: Given, *needs: Need) -> None:
    given.driver_needs += tuple(need for need in needs if need not in given.driver_needs)


@given(
    'ResourceClaim "{claim}" is allocated device[s] {devices} of the driver'
    "[ with {configuration} configuration][ of its DeviceClass][ and {own} configuration of its own]"
    "[ with admin access]",
    _short,
    devices=r'(?:[0-9]+|"[^"]*")(?:(?:, | and )(?:[0-9]+|"[^"]*"))*',
    configuration="|".join(_CONFIGURATIONS),
    own="|".join(_CONFIGURATIONS),
)
@given(
    'ResourceClaim "{claim}" has the allocated device[s][ and a device status of driver "{status}"]'
    "[ and {configuration} configuration of its DeviceClass]"
    '[ and {own} configuration of request "{request}"][ with admin access]',
    _rows,
    configuration="|".join(_CONFIGURATIONS),
    own="|".join(_CONFIGURATIONS),
)
@given('ResourceClaim "{claim}" without an allocation', lambda match, _, __: {"name": match["claim"]})
def driver_claim(given: Given, params: GivenPreparedClaim) -> None:
    if any(claim.name == params.name for claim in given.driver_claims):
        raise StepError(f"ResourceClaim {params.name!r} is defined twice, expected it once")
    for result in params.results:
        device = None if result.driver else result.device
        if isinstance(device, int) and not 0 < device <= given.driver_devices:
            raise StepError(f"device {device} does not exist, expected 1 to {given.driver_devices}")
    results = tuple(
        Result(result.device, result.request, result.pool, result.driver, result.share)
        for result in params.results
    )
    config, of_class = params.configuration, params.class_configuration
    if not {"good", "bad"}.isdisjoint((config, of_class)):
        _add_needs(given, "configuration")
    if any(result.share for result in results):
        _add_needs(given, "shares")
    request = params.configured_request
    if request and request not in {result.request.partition("/")[0] for result in results}:
        raise StepError(f"request {request!r} has no allocated device, expected a request of the table")
    claim = ClaimSetup(
        params.name, results, params.admin_access, config, params.device_status, of_class, request
    )
    given.driver_claims.append(claim)


DRIVERS: tuple[Step, ...] = (
    driver,
    driver_claim,
)
"""The Given steps."""
