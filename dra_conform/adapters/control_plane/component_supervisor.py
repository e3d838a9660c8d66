"""The supervisor process of a control plane: its components end with it, and it ends with the run.

It owns a temporary folder, and reads commands that start and end processes, one JSON object per line. When
its input ends for any reason, it ends all processes and removes the folder. If the supervisor is killed, the
kernel ends its children (on Linux). It runs as a script that uses only the standard library.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1


class ComponentSupervisor:
    """The child processes by name, and the commands that start and stop them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run a command: `start` a process under a name, `stop` it at once, or return its exit `code`."""
        name = request["name"]
        match request["do"]:
            case "start":
                try:
                    self._children[name] = self._started(name, request["command"])
                except OSError as error:
                    return {"error": f"{request['command'][0]}: {error.strerror}"}
                return {"pid": self._children[name].pid}
            case "stop":
                self._stop(name)
                return {}
            case _:
                child = self._children.get(name)
                return {"code": None if child is None else child.poll()}

    def end(self) -> None:
        """End all children and remove the folder."""
        for child in self._children.values():
            child.kill()
        for child in self._children.values():
            child.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _started(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                preexec_fn=self._die_with_parent,  # noqa: PLW1509 - there is only one thread here
            )

    def _die_with_parent(self) -> None:
        if self._prctl is not None:
            self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def _stop(self, name: str) -> None:
        child = self._children.pop(name, None)
        if child is not None:
            child.kill()  # After SIGTERM an API server would wait for open watches.
            child.wait()


def main() -> None:
    """Print the name of the temporary folder, then answer one command per line."""
    # A signal ends the process like the end of the input, through `finally`.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    folder = Path(tempfile.mkdtemp(prefix="dra-conform-"))
    supervisor = ComponentSupervisor(folder)
    try:
        _print({"folder": str(folder)})
        while line := sys.stdin.buffer.readline():
            _print(supervisor.answer(json.loads(line)))
    except BrokenPipeError:
        pass
    finally:
        supervisor.end()
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.flush()
        os._exit(0)  # A normal exit could print an error about the broken pipe.


def _print(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
