"""The supervisor process, the parent of all components: they end with it, and it ends with the run.

It owns a temporary folder and starts and ends processes as it is told, one JSON object a line. When its input
ends, however that came, it ends all of them and removes the folder. Should it be killed itself, the kernel
ends its children (on Linux). It is run as a script, with nothing but the standard library.
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
    """The children by their names, and what can be asked about them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """`start` a command under a name, `stop` one at once, or ask for the exit `code` of one."""
        name = asked["name"]
        match asked["do"]:
            case "start":
                try:
                    self._children[name] = self._started(name, asked["command"])
                except OSError as error:
                    return {"error": f"{asked['command'][0]}: {error.strerror}"}
                return {"pid": self._children[name].pid}
            case "stop":
                self._stop(name)
                return {}
            case _:
                return {"code": self._children[name].poll()}

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
            child.kill()  # an API server that is asked to end waits for open watches
            child.wait()


def main() -> None:
    """Say which folder it is, then answer line by line."""
    # Whoever ends us otherwise than by our input wants the same; our own end comes by `finally`.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    folder = Path(tempfile.mkdtemp(prefix="dra-conform-"))
    warden = ComponentSupervisor(folder)
    try:
        _say({"folder": str(folder)})
        while line := sys.stdin.buffer.readline():
            _say(warden.answer(json.loads(line)))
    except BrokenPipeError:
        pass
    finally:
        warden.end()
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.flush()
        os._exit(0)  # nothing is left to do, and a broken pipe is no news


def _say(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
