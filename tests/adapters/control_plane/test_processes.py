"""Processes end with the process that started them, and their folder is removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dra_conform.adapters.control_plane.processes import Processes, SupervisorEnded
from tests.support.adapters.control_plane.leftovers import processes_in, remaining_after

SLEEP = ["sleep", "1000"]
STARTER = """
import sys
from dra_conform.adapters.control_plane.processes import Processes
processes = Processes()
processes.start("one", ["sleep", "1000"])
processes.start("two", ["sleep", "1000"])
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def processes(temporary: Path) -> Iterator[Processes]:
    found = Processes()
    yield found
    found.close()


def test_a_process_runs_until_it_is_stopped(processes: Processes) -> None:
    processes.start("one", SLEEP)
    assert processes.exit_code("one") is None
    processes.stop("one")
    assert processes.folder.is_dir()
    assert processes_in(processes.folder) == []


def test_the_output_of_a_process_is_its_log(processes: Processes) -> None:
    processes.start("one", ["sh", "-c", "echo out; echo error >&2; exit 3"])
    while (code := processes.exit_code("one")) is None:
        time.sleep(0.01)
    assert (code, processes.log("one")) == (3, "out\nerror\n")


def test_a_program_that_does_not_exist_is_an_error(processes: Processes) -> None:
    with pytest.raises(OSError, match="no-such-program: No such file"):
        processes.start("one", ["./no-such-program"])


def test_close_ends_all_processes_and_removes_the_folder(temporary: Path) -> None:
    processes = Processes()
    processes.start("one", SLEEP)
    processes.close()
    assert remaining_after(temporary, 0.0) == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_if_their_owner_is_killed(temporary: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"ready\n"
        one.send_signal(number)
    assert remaining_after(temporary) == ""


def test_processes_end_if_their_supervisor_is_killed(temporary: Path, processes: Processes) -> None:
    processes.start("one", SLEEP)
    os.kill(processes.supervisor_pid, signal.SIGKILL)
    with pytest.raises(SupervisorEnded):
        processes.exit_code("one")
    processes.close()
    assert remaining_after(temporary) == ""
