"""Decoding of the body of a `result` frame, from a process or from Python code, into a reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from dra_conform.conformance.implementation import Reply, Request, Status
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.codec import STRUCT_LOCK

Json = Any


class _Result(msgspec.Struct):
    """The fields that a result has in every operation."""

    type: Literal["result"]
    status: Literal["ok", "unsupported", "failed"]
    feature: str = ""
    message: str = ""
    issue: str = ""
    traceback: str = ""
    fault: Literal["", "changed-input", "no-answer"] = ""


_STATUS = {"": Status.FAILED, "changed-input": Status.MUTATED, "no-answer": Status.PROTOCOL}


@dataclass(frozen=True, slots=True)
class MalformedResult:
    """A body that is not a valid result; `problem` says where and why."""

    problem: str


def to_reply(request: Request, body: Mapping[str, Json], seconds: float = 0.0) -> Reply | MalformedResult:
    """Decode the body of a `result` into a reply; unknown fields are ignored."""
    try:
        with STRUCT_LOCK:
            result = msgspec.convert(body, _Result)
            answer = OPERATIONS[request.operation].read(body) if result.status == "ok" else None
        if answer is not None:
            return Reply(request.id, Status.OK, answer, seconds=seconds)
    except ValueError as error:  # msgspec.ValidationError is a ValueError.
        return MalformedResult(str(error))
    if result.status == "unsupported":
        detail = ": ".join(part for part in (result.feature, result.message, result.issue) if part)
        return Reply(request.id, Status.UNSUPPORTED, detail=detail, seconds=seconds)
    if "message" not in body:
        return MalformedResult("status failed without a message")
    status = _STATUS[result.fault]
    return Reply(request.id, status, detail=result.message, log=result.traceback, seconds=seconds)
