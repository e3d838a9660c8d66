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

import json
import os
import select
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from dra_conform.adapters.node_replies import end_of_log
from dra_conform.adapters.supervised_command import scrubbed, supervised
from dra_conform.kube.json_values import Json

COMMAND_SECONDS = 120.0
"""How long a kubelet may take for a command: longer than a call to a driver, which ends after 45 seconds."""
MAX_ANSWER = 16 * 2**20
"""The longest line that is read from a kubelet, in bytes."""
_LOG_BLOCKS = 2**18
_LOGGED = 'log=$1 blocks=$2; shift 2; ulimit -f "$blocks"; exec "$@" 2>>"$log"'


class KubeletFailed(Exception):  # noqa: N818 - it reads as what happened
    """The kubelet does not start, has ended, or its answer cannot be read."""


class CommandFailed(Exception):  # noqa: N818 - it reads as what happened
    """The kubelet answers a command with an error."""


class KubeletProgram:
    """A process of the kubelet, which gets one command at a time."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        logged = ("sh", "-c", _LOGGED, "sh", str(log), str(_LOG_BLOCKS), *command)
        try:
            self._control, self._process = supervised(logged, 0, {**scrubbed(os.environ), **environment})
        except OSError as error:
            raise KubeletFailed(f"cannot run {command[0]}: {error.strerror}") from None
        self._unread = b""

    def ask(self, do: str, **members: Json) -> Json:
        """Return the value of the answer to a command; raises CommandFailed and KubeletFailed."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **members}).encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._line())
        except (OSError, ValueError) as error:
            raise KubeletFailed(f"{do}: {error}{end_of_log(self._log)}") from None
        if not isinstance(answer, dict):
            raise KubeletFailed(f"{do}: the answer is not a JSON object")
        if answer.get("error"):
            raise CommandFailed(str(answer["error"]))
        return answer.get("value")

    def kill(self) -> None:
        """Kill the process; closing the control pipe makes its supervisor do this."""
        if self._control >= 0:
            os.close(self._control)
            self._control = -1
            with self._process:  # closes the pipes and waits
                pass

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        descriptor, end = self._process.stdout.fileno(), time.monotonic() + COMMAND_SECONDS
        while b"\n" not in self._unread:
            readable, _, _ = select.select([descriptor], [], [], max(0.0, end - time.monotonic()))
            if not readable:
                raise OSError(f"no answer within {COMMAND_SECONDS:g} seconds")
            data = os.read(descriptor, 2**16)
            if not data:
                raise OSError("the kubelet has ended")
            self._unread += data
            if len(self._unread) > MAX_ANSWER:
                raise OSError(f"the answer is longer than {MAX_ANSWER} bytes")
        line, _, self._unread = self._unread.partition(b"\n")
        return line
