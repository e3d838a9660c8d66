"""The component processes, started and ended through their supervisor."""

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

_PATIENCE = 30.0
"""Seconds that a warden has to clean up."""


class WardenGone(Exception):  # noqa: N818 - it reads as what happened
    """The warden was ended by somebody else, and with it all components."""


class Processes:
    """Processes with names, and the folder in which they run and log. Safe to use from several threads.

    They live until they are stopped, until `close`, or until this process ends, however it does.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._warden = subprocess.Popen(
            [sys.executable, "-I", "-S", component_supervisor.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # nothing waits in a buffer when the warden is gone
            env=scrubbed(os.environ),
            start_new_session=True,  # Ctrl-C is for us, and we tell the warden
        )
        self.warden_pid = self._warden.pid
        self.folder = Path(self._heard()["folder"])

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start a command; OSError where it cannot be run."""
        answer = self._ask(do="start", name=name, command=list(command))
        if "error" in answer:
            raise OSError(answer["error"])

    def stop(self, name: str) -> None:
        """End a process, if it runs, and wait until it is gone."""
        self._ask(do="stop", name=name)

    def exit_code(self, name: str) -> int | None:
        """How a process that was started ended, None while it runs; negative is a signal."""
        code: int | None = self._ask(do="code", name=name)["code"]
        return code

    def log(self, name: str) -> str:
        """What a process has written so far."""
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")

    def close(self) -> None:
        """End everything and remove the folder."""
        with self._lock:
            for pipe in (self._warden.stdin, self._warden.stdout):
                if pipe is not None:
                    pipe.close()
            try:
                self._warden.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._warden.kill()
                self._warden.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _ask(self, **what: Any) -> dict[str, Any]:
        with self._lock:
            assert self._warden.stdin is not None
            try:
                self._warden.stdin.write(json.dumps(what).encode() + b"\n")
                self._warden.stdin.flush()
            except (BrokenPipeError, ValueError):
                raise WardenGone("the components were ended from outside") from None
            return self._heard()

    def _heard(self) -> dict[str, Any]:
        assert self._warden.stdout is not None
        line = self._warden.stdout.readline()
        if not line:
            raise WardenGone("the components were ended from outside")
        answer: dict[str, Any] = json.loads(line)
        return answer
