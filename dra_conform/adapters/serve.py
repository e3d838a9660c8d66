"""An adapter process for a Python implementation: `python -m dra_conform.adapters.serve SPEC`.

SPEC is `python:module:attribute` or `builtin`. As a separate process, the implementation cannot crash the
runner, and deadlines can be enforced.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from dra_conform.adapters import wire
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.specs import BadSpec, open_for_serving
from dra_conform.adapters.wire import Frame
from dra_conform.conformance import plugin_entries
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

WINDOW = 16
_STATUS = {Status.OK: "ok", Status.UNSUPPORTED: "unsupported", Status.UNDECLARED: "unsupported"}
_FAULTS = {Status.MUTATED: "changed-input", Status.PROTOCOL: "no-answer"}


class FrameServer:
    """A server that answers the frames of the protocol with an implementation."""

    def __init__(self, implementation: InProcessImplementation) -> None:
        self._implementation = implementation
        self._profiles: dict[str, Profile] = {}

    def answer(self, frame: Frame) -> dict[str, Json] | None:
        """Return the answer to a frame, None for `bye`.

        Raises KeyError or a similar error if the frame violates the schema.
        """
        body = frame.body
        match body["type"]:
            case "hello":
                return {"id": frame.id, **self._hello(body)}
            case "configure":
                for name, profile in body["profiles"].items():
                    self._profiles[name] = Profile(profile["name"], profile["kubernetes"], profile["gates"])
                return {"id": frame.id, "type": "configured", "accepted": list(body["profiles"])}
            case "run":
                return {"id": frame.id, "type": "result", **self._run(body["case"])}
            case _:
                return None

    def _hello(self, body: Mapping[str, Json]) -> dict[str, Json]:
        offered = body["protocol"]
        if not offered["min"] <= wire.VERSION <= offered["max"]:
            message = f"only protocol version {wire.VERSION} is supported"
            return {"type": "error", "code": "protocol-version", "message": message}
        suite = body.get("suite", {})
        fields = (suite.get(field, "") for field in ("name", "version", "fingerprint"))
        try:
            identity = self._implementation.start(Suite(*fields))
        except CannotStart as error:
            return {"type": "error", "code": "cannot-start", "message": _text(str(error))}
        return {
            "type": "hello",
            "protocol": wire.VERSION,
            "implementation": _implementation(identity),
            "operations": sorted(identity.operations),
            "features": dict(identity.features),
            "modes": {"pipeline": {"window": WINDOW}},
        }

    def _run(self, case: Mapping[str, Json]) -> dict[str, Json]:
        request = Request(
            id=0,
            case_id=case["caseId"],
            operation=case["operation"],
            profile=self._profiles[case["profile"]],
            objects=case["objects"],
            ask=case["ask"],
            seed=case.get("seed", 0),
            deadline_ms=case.get("deadlineMs", 2000),
        )
        [reply] = self._implementation.run((request,))
        return _result(request, reply)


def _implementation(identity: Identity) -> dict[str, str]:
    fields = ("name", "version", "language", "homepage", "source")
    return {field: value for field in fields if (value := getattr(identity, field))}


def _result(request: Request, reply: Reply) -> dict[str, Json]:
    if reply.answer is None or reply.status is not Status.OK:
        status = _STATUS.get(reply.status, "failed")
        texts = {"message": _text(reply.detail or reply.status.value), "traceback": _text(reply.log)}
        fault = _FAULTS.get(reply.status)
        return {"status": status, **texts, **({"fault": fault} if fault else {})}
    return {"status": "ok", **OPERATIONS[request.operation].write(reply.answer)}


def _text(text: str) -> str:
    """Return the string with lone surrogates escaped, so that it can be encoded as JSON."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def serve(server: FrameServer, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one frame per line until `bye` or the end of the input."""
    for line in requests:
        frame = wire.decode(line)
        if not isinstance(frame, Frame):
            raise SystemExit(f"a line on stdin is not a message ({frame.problem}): {frame.text!r}")
        answer = server.answer(frame)
        if answer is None:
            return
        answers.write(wire.encode(answer))
        answers.flush()


def main(arguments: list[str]) -> int:
    """Serve the implementation that the only argument names; return the exit code, 2 for wrong usage."""
    if len(arguments) != 1:
        print("usage: python -m dra_conform.adapters.serve SPEC", file=sys.stderr)  # noqa: T201 - a command
        return 2
    # The implementation must neither print between the frames nor read them, so it gets other streams.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with Path(os.devnull).open("rb") as null:
        os.dup2(null.fileno(), 0)
    try:
        plugin_entries.load()
        with answers:
            serve(FrameServer(open_for_serving(arguments[0])), requests, answers)
    except (BadSpec, plugin_entries.BadPlugin) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 2
    except BrokenPipeError:
        return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
