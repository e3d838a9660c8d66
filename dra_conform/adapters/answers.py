"""The body of a `result`, from a process or from Python code alike, as a reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from dra_conform.conformance.allocate.answer import Answer, Outcome, Reason
from dra_conform.conformance.implementation import Reply, Status

Json = Any


class _Device(msgspec.Struct):
    request: str
    driver: str
    pool: str
    device: str
    consumedCapacity: dict[str, str] | None = None  # noqa: N815 - the API's name
    shareID: str | None = None  # noqa: N815 - the API's name
    adminAccess: bool | None = None  # noqa: N815 - the API's name


class _Devices(msgspec.Struct):
    results: list[_Device] = []
    config: list[dict[str, Any]] = []


class _Allocation(msgspec.Struct):
    devices: _Devices
    nodeSelector: dict[str, Any] | None = None  # noqa: N815 - the API's name
    allocationTimestamp: str | None = None  # noqa: N815 - the API's name


class _Reason(msgspec.Struct):
    category: str
    phase: str = ""
    scope: str = ""
    subject: str = ""
    path: str = ""
    message: str = ""


class _Result(msgspec.Struct):
    """The parts of `result.schema.json` that are checked on every answer, since that costs microseconds."""

    type: Literal["result"]
    status: Literal["ok", "unsupported", "failed"]
    outcome: Outcome | None = None
    allocations: dict[str, _Allocation] = {}
    reasons: list[_Reason] = []
    feature: str = ""
    message: str = ""
    issue: str = ""
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class Malformed:
    """The body is no result; `problem` says where and why."""

    problem: str


def to_reply(request_id: int, body: Mapping[str, Json], seconds: float = 0.0) -> Reply | Malformed:
    """The reply that a `result` body stands for; unknown fields are ignored."""
    try:
        result = msgspec.convert(body, _Result)
    except msgspec.ValidationError as error:
        return Malformed(str(error))
    if result.status == "unsupported":
        said = (result.feature, result.message, result.issue)
        return Reply(
            request_id, Status.UNSUPPORTED, detail=": ".join(part for part in said if part), seconds=seconds
        )
    if result.status == "failed":
        if "message" not in body:
            return Malformed("status failed without a message")
        return Reply(request_id, Status.FAILED, detail=result.message, log=result.traceback, seconds=seconds)
    if result.outcome is None:
        return Malformed("status ok without an outcome")
    allocated = result.outcome is Outcome.ALLOCATED
    if allocated and "allocations" not in body:
        return Malformed("outcome allocated without allocations")
    reasons = tuple(
        Reason(r.category, phase=r.phase, scope=r.scope, subject=r.subject, path=r.path, message=r.message)
        for r in result.reasons
    )
    allocations = body["allocations"] if allocated else {}
    return Reply(request_id, Status.OK, Answer(result.outcome, allocations, reasons), seconds=seconds)
