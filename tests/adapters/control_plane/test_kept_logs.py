"""What is told of components that do not start or that end; a log is kept if a command asks for it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dra_conform.adapters.control_plane import host as host_module
from dra_conform.adapters.control_plane.host import ComponentFailed, Host


@pytest.mark.parametrize("keep_logs", [False, True])
def test_the_message_names_the_log_of_a_program_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep_logs: bool
) -> None:
    program = tmp_path / "kube-v1.37.1"
    program.write_text("#!/bin/sh\necho first\necho no space left\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    logs = tmp_path / "logs"
    logs.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(logs))
    with pytest.raises(ComponentFailed, match="certificate: no space left") as failed:
        Host(program, keep_logs=keep_logs)
    kept = list(logs.iterdir())
    assert [log.read_text("utf-8") for log in kept] == ["first\nno space left\n"] * keep_logs
    assert all(str(failed.value).endswith(f"(log: {log})") for log in kept)


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("I1 start\npanic: first\nI1 start\npanic: index out of range\n\ngoroutine 1 [running]:\n",
         "the scheduler ended with exit code 2: panic: index out of range"),
        ("I1 start\n", "the scheduler ended with exit code 2"),
    ],
)  # fmt: skip
def test_the_message_names_the_newest_panic_of_a_component_that_ended(log: str, told: str) -> None:
    host: Any = object.__new__(Host)
    host._replaced = {}
    host._processes = SimpleNamespace(exit_code=lambda _: 2, log=lambda _: log)
    with pytest.raises(ComponentFailed) as failed:
        host.check_running("scheduler")
    assert str(failed.value) == told


@pytest.mark.parametrize(
    ("exit_code", "expected"),
    [(None, "scheduler: does not become ready: no space left"), (1, "scheduler: no space left")],
)
def test_the_message_says_whether_a_component_ended_or_does_not_become_ready(
    monkeypatch: pytest.MonkeyPatch, exit_code: int | None, expected: str
) -> None:
    monkeypatch.setattr(host_module, "_READY_SECONDS", 0.0)
    host: Any = object.__new__(Host)
    host._keep_logs = False
    host._processes = SimpleNamespace(
        start=lambda *_: None,
        stop=lambda _: None,
        exit_code=lambda _: exit_code,
        log=lambda _: "no space left\n",
    )
    with pytest.raises(ComponentFailed) as failed:
        host._start("scheduler", ["kube"], lambda: False)
    assert str(failed.value) == expected
