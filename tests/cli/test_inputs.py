"""Inputs that are not regular files: a command never waits for a pipe without a writer."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

NODE = "{apiVersion: v1, kind: Node, metadata: {name: one}}\n"


@pytest.mark.parametrize("command", ["allocate", "schedule", "admit"])
@pytest.mark.parametrize("where", ["here", "folder"])
def test_a_pipe_that_nobody_writes_to(call: Call, folder: Path, command: str, where: str) -> None:
    (folder / "m").mkdir()
    os.mkfifo(folder / "m" / "pipe.yaml")
    completed = call(command, "-f", "m/pipe.yaml" if where == "here" else "m")
    problem = "cannot be read: is a pipe without a writer" if where == "here" else "expected a regular file"
    assert completed.code == exits.USAGE
    assert f"m/pipe.yaml: {problem}" in completed.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "pipe", "pipe"),
        ("run", "--suite", "suite", "--resume", "pipe"),
        ("run", "--suite", "suite", "--expect", "pipe"),
        ("admit", "-f", "m", "--old", "pipe"),
    ],
)
def test_no_command_waits_for_a_pipe(call: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    os.mkfifo("pipe")
    (folder / "m").write_text(NODE, "utf-8")
    completed = call(*arguments)
    assert completed.code == exits.USAGE
    assert "pipe: cannot be read: is a pipe without a writer" in completed.err


def test_a_pipe_that_is_written_to_is_read_to_its_end(call: Call, folder: Path) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        threading.Timer(0.2, lambda: (stream.write(NODE), stream.close())).start()
        completed = call("admit", "-f", f"/dev/fd/{reading}")
    os.close(reading)
    assert completed.code == exits.OK
    assert "Node one: admitted" in completed.out


def test_a_file_of_a_folder_that_leads_nowhere_is_not_passed_over(call: Call, folder: Path) -> None:
    (folder / "m").mkdir()
    (folder / "m" / "a.yaml").write_text(NODE, "utf-8")
    (folder / "m" / "b.yaml").symlink_to("gone")
    completed = call("admit", "-f", "m")
    assert completed.code == exits.USAGE
    assert "m/b.yaml: cannot be read: No such file or directory" in completed.err


@pytest.mark.parametrize("kind", ["features", "golden", "requirements", "fixtures"])
def test_a_pipe_in_a_suite(call: Call, folder: Path, kind: str) -> None:
    place = folder / "suite" / kind
    place.mkdir(exist_ok=True)
    os.mkfifo(place / ("pipe.feature" if kind == "features" else "pipe.yaml"))
    if kind == "fixtures":
        golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
        golden.write_text(
            golden.read_text("utf-8").replace("given:\n", "given:\n      - fixture: pipe\n"), "utf-8"
        )
    assert call("run", "--suite", "suite").code == exits.SUITE_BROKEN
