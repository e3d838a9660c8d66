"""Replies of drivers and kubelets, which run on a node of their own for each request."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter

from dra_conform.adapters.answers import reply_with
from dra_conform.apiserver.kinds import versions_served
from dra_conform.conformance.implementation import Reply, Request, Status
from dra_conform.conformance.verdict import unexpected_error_message
from dra_conform.kube.json_values import Json

_LOG_TAIL_BYTES = 2000
_VERSION = "resource.k8s.io/v1"
"""The version in which emulated nodes and their drivers read objects."""


class LacksFeature(Exception):  # noqa: N818 - it reads as what happened
    """The program under test lacks a feature that the request needs."""

    def __init__(self, feature: str, message: str) -> None:
        super().__init__(message)
        self.feature = feature


class OtherRelease(Exception):  # noqa: N818 - it reads as what happened
    """The profile of the request is of a release that the program under test is not for."""


def reply_to(
    request: Request,
    answer: Callable[[Request], Mapping[str, Json]],
    *,
    failures: tuple[type[Exception], ...],
    undeclared: tuple[type[Exception], ...] = (),
    doing: str,
) -> Reply:
    """Return the reply with the result that `answer` returns; it may also raise LacksFeature or OtherRelease.

    `failures` are exceptions with a message about the program under test. After one of `undeclared` the
    request could not be sent. `doing`, such as `running the driver`, is part of the message of any other
    exception.
    """
    began = perf_counter()
    unanswerable: tuple[type[Exception], ...] = (OtherRelease, *undeclared)
    try:
        if _VERSION not in versions_served("ResourceClaim", request.profile):
            raise OtherRelease(f"the API server of {request.profile.name} does not serve {_VERSION}")
        body = answer(request)
    except LacksFeature as declined:
        body = {"status": "unsupported", "feature": declined.feature, "message": str(declined)}
    except unanswerable as error:
        return Reply(request.id, Status.UNDECLARED, detail=str(error))
    except failures as failed:
        body = {"status": "failed", "message": str(failed)}
    except OSError as error:
        body = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
    except Exception as error:  # A program under test may do what nobody has thought of.
        body = {"status": "failed", "message": unexpected_error_message(error, doing)}
    return reply_with(request, body, perf_counter() - began)


def end_of_log(log: Path) -> str:
    """Return the end of a log file for a message, empty if nothing is logged."""
    try:
        # The program may have replaced its log by a pipe, which nobody writes to, or by a link.
        with os.fdopen(os.open(log, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _LOG_TAIL_BYTES))
            text = (stream.read(_LOG_TAIL_BYTES) or b"").decode(errors="replace").strip()
    except OSError:
        return ""
    return f"\nend of its log:\n{text}" if text else ""
