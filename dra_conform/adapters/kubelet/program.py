"""The process of a kubelet under test, which reads commands from stdin and writes answers to stdout.

A command is a JSON object on a line of its own, with the member `do`. The answer is `{"value": ...}` or
`{"error": "..."}` on one line.

| do | members | value |
|---|---|---|
| `describe` | | `version`, such as `v1.37.1`, and `gates`: the names of the feature gates |
| `start` | `registry`, `state`: folders. `podResources`: socket. `kubeconfig`: file. `node`: name. `gates`. \
`activePods`: UIDs | |
| `setActivePods` | `activePods` | |
| `prepare`, `unprepare` | `pod`: the API object | |
| `mustUnprepare` | `pod` | whether the pod must be unprepared before it ends |
| `devices` | `pod` | by container: `cdi`, the names of CDI devices, or `error` |
| `cgroup` | `pod` | `cpuShares`, `cpuQuota`, `memory`: of the pod's cgroup, as far as they are set |
| `health` | `pod` | by container: `allocatedResourcesStatus` as in the API |
| `metrics` | | samples with `name`, `labels`, `value`, of metrics whose name begins with `dra_` |

On the socket `podResources` the kubelet serves the PodResources API, version v1. `cpuQuota` is in
microseconds of each 100 ms, `memory` in bytes. The value of a histogram is its count.
"""

from __future__ import annotations

import errno
import json
import os
import select
import shutil
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from dra_conform.adapters.node_replies import end_of_log
from dra_conform.adapters.supervised_command import kill, logged, scrubbed, start_error, supervised
from dra_conform.kube import codec
from dra_conform.kube.json_values import Json

T = TypeVar("T")

COMMAND_SECONDS = 120.0
"""How long a kubelet may take for a command: longer than a call to a driver, which ends after 45 seconds."""
MAX_ANSWER = 16 * 2**20
"""The longest line that is read from a kubelet, in bytes."""
_LOG_BLOCKS = 2**18
_ENDED = "the kubelet has ended"


class KubeletFailed(Exception):  # noqa: N818 - it reads as what happened
    """The kubelet does not start, has ended, or its answer cannot be read."""


class CommandFailed(Exception):  # noqa: N818 - it reads as what happened
    """The kubelet answers a command with an error."""


class KubeletProgram:
    """A process of the kubelet, which gets one command at a time."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        temporary = log.with_name("tmp")
        temporary.mkdir(exist_ok=True)
        variables = {**scrubbed(os.environ), "TMPDIR": str(temporary), **environment}
        if shutil.which(command[0]) is None:  # `sh`, which starts it, would only log this.
            absent = errno.EACCES if Path(command[0]).exists() else errno.ENOENT
            raise KubeletFailed(start_error(command, OSError(absent, os.strerror(absent))))
        try:
            self._control, self._process = supervised(
                logged(command, log, _LOG_BLOCKS, only_errors=True), 0, variables
            )
        except OSError as error:
            raise KubeletFailed(start_error(command, error)) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        self._unread = b""
        self._ending = threading.Lock()

    def ask(self, do: str, **members: Json) -> Json:
        """Return the value of the answer to a command; raises CommandFailed and KubeletFailed."""
        end = time.monotonic() + COMMAND_SECONDS
        try:
            self._send(do, members, end)
            answer = json.loads(self._line(end))
        except (OSError, ValueError, RecursionError) as error:
            raise KubeletFailed(f"{do}: {error}{end_of_log(self._log)}") from None
        if not isinstance(answer, dict):
            raise KubeletFailed(f"{do}: the answer is not a JSON object")
        if answer.get("error"):
            raise CommandFailed(str(answer["error"]))
        return answer.get("value")

    def send(self, do: str, **members: Json) -> None:
        """Send a command before whose answer the process is killed; raises KubeletFailed."""
        try:
            self._send(do, members, time.monotonic() + COMMAND_SECONDS)
        except OSError as error:
            raise KubeletFailed(f"{do}: {error}{end_of_log(self._log)}") from None

    def ask_for(self, kind: type[T], do: str, **members: Json) -> T:
        """Return the value of the answer as a type, null as its empty value; raises as `ask`."""
        value = self.ask(do, **members)
        try:
            return codec.convert(kind() if value is None else value, kind)
        except codec.ConversionError as error:
            raise KubeletFailed(f"{do}: the value of the answer is malformed: {error}") from None

    def kill(self) -> None:
        """Kill the process; closing the control pipe makes its supervisor do this."""
        with self._ending:  # An interruption kills from another thread.
            if self._control >= 0:
                kill(self._control, self._process)
                self._control = -1

    def _send(self, do: str, members: Mapping[str, Json], end: float) -> None:
        data = json.dumps({"do": do, **members}).encode() + b"\n"
        while data:
            _, writable, _ = select.select([], [self._stdin], [], max(0.0, end - time.monotonic()))
            if not writable:
                raise OSError(f"the kubelet does not read the command within {COMMAND_SECONDS:g} seconds")
            try:
                data = data[os.write(self._stdin, data) :]
            except BrokenPipeError:
                raise OSError(_ENDED) from None

    def _line(self, end: float) -> bytes:
        while b"\n" not in self._unread:
            readable, _, _ = select.select([self._stdout], [], [], max(0.0, end - time.monotonic()))
            if not readable:
                raise OSError(f"no answer within {COMMAND_SECONDS:g} seconds")
            data = os.read(self._stdout, 2**16)
            if not data:
                raise OSError(_ENDED)
            self._unread += data
            if len(self._unread) > MAX_ANSWER:
                raise OSError(f"the answer is longer than {MAX_ANSWER} bytes")
        line, _, self._unread = self._unread.partition(b"\n")
        return line
