"""The When steps of kubelets about the health that drivers report."""

from __future__ import annotations

import re

import msgspec

from dra_conform.conformance.kubelet.actions import ReportHealth
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Params, StepError, Table, action_of, when
from dra_conform.kube.json_values import Json

_COLUMNS = frozenset({"device", "health", "timeout"})


class HealthReported(Params, frozen=True, kw_only=True):
    """The health of a device that an instance of a driver reports, as in `DeviceReport`."""

    driver: str
    device: str
    health: str
    message: str = ""
    timeout: int = 0
    pool: str = ""
    instance: int = 1


class ReportedDevice(Params, frozen=True, kw_only=True):
    """A device of a message with several devices. `timeout`: for how many seconds the report is valid."""

    device: str
    health: str
    timeout: int = 0


class DevicesReported(Params, frozen=True, kw_only=True):
    """The devices of one message of the health stream."""

    driver: str
    devices: tuple[ReportedDevice, ...]


def _report(match: re.Match[str], _: Table, __: str) -> Json:
    params: dict[str, Json] = {name: match[name] for name in ("driver", "device", "health")}
    if match["message"]:
        params["message"] = match["message"]
    if match["timeout"]:
        params["timeout"] = int(match["timeout"])
    if match["pool"]:
        params["pool"] = match["pool"]
    return params


def _devices(match: re.Match[str], table: Table, _: str) -> Json:
    unknown = sorted({column for row in table for column in row} - _COLUMNS)
    if unknown or not table:
        found = f"has no column {unknown[0]}" if unknown else "is missing"
        raise StepError(f"the table {found}, expected the columns {', '.join(sorted(_COLUMNS))}")
    devices = [
        {name: int(cell) if name == "timeout" and cell.isdecimal() else cell for name, cell in row.items()}
        for row in table
    ]
    return {"driver": match["driver"], "devices": devices}


@when(
    'driver "{driver}" reports device "{device}"[ of pool "{pool}"] as {health}'
    '[ with the message "{message}"][ for {timeout} second[s]]',
    _report,
    health="Healthy|Unhealthy|Unknown",
    timeout="[0-9]+",
)
@when(
    'the second instance of driver "{driver}" reports device "{device}" as {health}',
    {"instance": 2},
    health="Healthy|Unhealthy|Unknown",
)
def driver_reports_health(_: Given, params: HealthReported) -> ReportHealth:
    device = msgspec.structs.asdict(params)
    of_message = {name: device.pop(name) for name in ("driver", "instance")}
    return action_of(ReportHealth, "report-health", {**of_message, "devices": [device]})


@when('driver "{driver}" reports devices in one message', _devices)
def driver_reports_devices(_: Given, params: DevicesReported) -> ReportHealth:
    devices = [msgspec.structs.asdict(device) for device in params.devices]
    return action_of(ReportHealth, "report-health", {"driver": params.driver, "devices": devices})


HEALTH_STEPS = (driver_reports_health, driver_reports_devices)
