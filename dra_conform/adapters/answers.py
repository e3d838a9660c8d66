"""Decoding of the body of a `result` frame, from a process or from Python code, into a reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from dra_conform.conformance.answer_limits import shortened
from dra_conform.conformance.implementation import Reply, Request, Status
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.codec import STRUCT_LOCK
from dra_conform.kube.json_values import Json


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


def reply_with(request: Request, body: Mapping[str, Json], seconds: float, *, prefix: str = "") -> Reply:
    """Return the reply with the body of a `result`, whose status is ok unless it says otherwise.

    The detail of a malformed result begins with `prefix`.
    """
    reply = to_reply(request, {"type": "result", "status": "ok", **body}, seconds)
    if isinstance(reply, MalformedResult):
        return Reply(request.id, Status.PROTOCOL, detail=prefix + reply.problem, seconds=seconds)
    return reply


def to_reply(request: Request, body: Mapping[str, Json], seconds: float = 0.0) -> Reply | MalformedResult:
    """Decode the body of a `result` into a reply; unknown fields are ignored."""
    try:
        with STRUCT_LOCK:
            result = msgspec.convert(body, _Result)
            answer = OPERATIONS[request.operation].read(body) if result.status == "ok" else None
        if answer is not None:
            return Reply(request.id, Status.OK, answer, seconds=seconds)
    except ValueError as error:  # msgspec.ValidationError is a ValueError.
        return _malformed(request, body, str(error))
    if result.status == "unsupported":
        detail = ": ".join(part for part in (result.feature, result.message, result.issue) if part)
        return Reply(request.id, Status.UNSUPPORTED, detail=shortened(detail), seconds=seconds)
    if "message" not in body:
        return _malformed(request, body, "status failed without a message")
    status = _STATUS[result.fault]
    detail, log = map(shortened, (result.message, result.traceback))
    return Reply(request.id, status, detail=detail, log=log, seconds=seconds)


def _malformed(request: Request, body: Mapping[str, Json], problem: str) -> MalformedResult:
    """Return the violations of the schema, since all adapters report the same problem in the same words.

    `problem` is what the decoder says, in case the schema accepts the body, or the body has a list that is
    too long: the schema takes a fraction of a millisecond for each entry.
    """
    if "of length <=" in problem:
        return MalformedResult(problem)
    from dra_conform.adapters import schemas  # noqa: PLC0415 - only malformed answers need jsonschema

    frame = {"type": "result", "id": request.id, **body}
    return MalformedResult("; ".join(schemas.result_violations(request.operation, frame)) or problem)
