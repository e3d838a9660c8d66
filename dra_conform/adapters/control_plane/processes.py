"""The processes of the components, started and ended through their supervisor process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dra_conform.adapters.control_plane import component_supervisor
from dra_conform.adapters.supervised_command import scrubbed

_END_SECONDS = 30.0
"""Time for the supervisor to end all processes."""


class SupervisorEnded(Exception):  # noqa: N818 - it reads as what happened
    """Another process ended the supervisor process, and so all components ended."""


class Processes:
    """Named processes, and the folder in which they run and log. It can be used from several threads.

    A process runs until `stop`, until `close`, or until this process ends for any reason.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._supervisor = subprocess.Popen(
            [sys.executable, "-I", "-S", component_supervisor.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # No command may wait in a buffer when the supervisor has ended.
            env=scrubbed(os.environ),
            start_new_session=True,  # Only this process gets Ctrl-C; it then ends the supervisor.
        )
        self.supervisor_pid = self._supervisor.pid
        self.folder = Path(self._read_answer()["folder"])

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start a command under a name; raises OSError if it cannot be run."""
        answer = self._ask(do="start", name=name, command=list(command))
        if "error" in answer:
            raise OSError(answer["error"])

    def stop(self, name: str) -> None:
        """End a process, if it runs, and wait for its end."""
        self._ask(do="stop", name=name)

    def exit_code(self, name: str) -> int | None:
        """Return the exit code of a process that ended by itself, else None; a negative code is a signal."""
        code: int | None = self._ask(do="code", name=name)["code"]
        return code

    def log(self, name: str) -> str:
        """Return the output of a process so far."""
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")

    def close(self) -> None:
        """End all processes and remove the folder."""
        with self._lock:
            for pipe in (self._supervisor.stdin, self._supervisor.stdout):
                if pipe is not None:
                    pipe.close()
            try:
                self._supervisor.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._supervisor.kill()
                self._supervisor.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _ask(self, **command: Any) -> dict[str, Any]:
        with self._lock:
            assert self._supervisor.stdin is not None
            try:
                self._supervisor.stdin.write(json.dumps(command).encode() + b"\n")
                self._supervisor.stdin.flush()
            except (BrokenPipeError, ValueError):
                raise SupervisorEnded("another process ended the supervisor of the components") from None
            return self._read_answer()

    def _read_answer(self) -> dict[str, Any]:
        assert self._supervisor.stdout is not None
        line = self._supervisor.stdout.readline()
        if not line:
            raise SupervisorEnded("another process ended the supervisor of the components")
        answer: dict[str, Any] = json.loads(line)
        return answer
