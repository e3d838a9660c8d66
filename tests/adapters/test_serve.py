"""`python -m dra_conform.adapters.serve` gives the same answers as the implementation in process."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters import schemas, serve, wire
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.session import profile_body, run_body
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome, Reason
from dra_conform.conformance.implementation import Reply, Status, Suite
from dra_conform.kube.profile import Profile
from tests.support.adapters import device_requests

SUITE = Suite("tests", "1", "sha256:0")
REQUESTS = [device_requests.request(n, devices=n % 3) for n in range(9)]


def run(spec: str) -> list[Reply]:
    implementation = open_implementation(spec)
    implementation.start(SUITE)
    found = sorted(implementation.run(REQUESTS), key=lambda reply: reply.id)
    implementation.close()
    return [replace(reply, seconds=0.0) for reply in found]


def test_the_builtin_answers_the_same_over_the_wire() -> None:
    served = run(f"exec:{sys.executable} -m dra_conform.adapters.serve builtin")
    assert served == run("builtin")
    assert {reply.status for reply in served} == {Status.OK}


def test_printed_text_is_not_written_between_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "talkative.py").write_text(
        "import os\n"
        "print('loading')\n"
        "def allocate(objects, ask, profile):\n"
        "    print('thinking', flush=True)\n"
        "    os.write(1, b'deeply')\n"
        "    return {'outcome': 'unallocatable'}\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    replies = run(f"exec:{sys.executable} -m dra_conform.adapters.serve python:talkative:allocate")
    assert {reply.status for reply in replies} == {Status.OK}
    assert "deeply" in "".join(reply.log for reply in replies)


def conversation(target: Any, *frames: dict[str, Any]) -> list[dict[str, Any]]:
    server = serve.FrameServer(InProcessImplementation(lambda: target, spec="python:test:target"))
    out = io.BytesIO()
    serve.serve(server, io.BytesIO(b"".join(wire.encode(frame) for frame in frames)), out)
    return [dict(wire.decode(line).body) for line in out.getvalue().splitlines()]  # type: ignore[union-attr]


HELLO = {
    "type": "hello",
    "id": 0,
    "protocol": {"min": 1, "max": 3},
    "runner": {"name": "r", "version": "1"},
    "suite": {"name": "s", "version": "1", "fingerprint": "f"},
}
CONFIGURE = {"type": "configure", "id": 1, "profiles": {"p1": profile_body(Profile.named("kep"))}}
RUN = {"type": "run", "id": 2, "case": run_body(REQUESTS[1], "p1")}
BYE = {"type": "bye", "id": 3}


def test_every_answer_follows_its_schema() -> None:
    reason = {"category": "Other", "message": "m"}
    answers = conversation(
        lambda objects, ask, profile: {"outcome": "rejected", "reasons": [reason]},
        HELLO,
        CONFIGURE,
        RUN,
        BYE,
        RUN,
    )
    for message, answer in zip(("hello-answer", "configured", "result"), answers, strict=True):
        assert schemas.violations(message, answer) == ()
    assert schemas.result_violations("allocate", answers[2]) == ()
    assert answers[2] == {
        "type": "result",
        "id": 2,
        "status": "ok",
        "outcome": "rejected",
        "reasons": [reason],
    }


def test_an_exception_is_status_failed() -> None:
    [_, _, result] = conversation(lambda objects, ask, profile: 1 / 0, HELLO, CONFIGURE, RUN)
    assert schemas.violations("result", result) == ()
    assert (result["status"], result["message"]) == ("failed", "ZeroDivisionError: division by zero")
    assert "Traceback" in result["traceback"]


def test_an_unsupported_protocol_version_is_declined() -> None:
    [answer] = conversation(None, {**HELLO, "protocol": {"min": 99, "max": 99}})
    assert schemas.violations("error", answer) == ()
    assert answer["code"] == "protocol-version"


def test_an_allocation_is_unchanged_over_the_wire() -> None:
    reply = Reply(1, Status.OK, AllocationAnswer(Outcome.ALLOCATED, {}, (Reason("Other", phase="p"),)))
    assert serve._result(REQUESTS[0], reply) == {
        "status": "ok",
        "outcome": "allocated",
        "allocations": {},
        "reasons": [{"category": "Other", "phase": "p"}],
    }


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [([], 2, "usage"), (["nonsense"], 2, "names no implementation"), (["python:a", "b"], 2, "usage")],
)
def test_bad_usage(arguments: list[str], code: int, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    implementation = open_implementation(
        f"exec:{sys.executable} -m dra_conform.adapters.serve {' '.join(arguments)}"
    )
    with pytest.raises(Exception, match=f"exit code {code}[\\s\\S]*{message}"):
        implementation.start(SUITE)
