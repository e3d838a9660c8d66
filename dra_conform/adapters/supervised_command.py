"""A command that ends with this process, because a supervisor process watches both."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_SUPERVISOR = Path(__file__).with_name("supervisor_process.py")
_KEPT = ("PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR")
_KEPT_PREFIXES = ("LC_", "DRA_ADAPTER_")


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """What of the environment a child gets to see: enough to find programs, and `DRA_ADAPTER_*`."""
    return {k: v for k, v in environment.items() if k in _KEPT or k.startswith(_KEPT_PREFIXES)}


def supervised(
    command: Sequence[str], memory: int, environment: Mapping[str, str]
) -> tuple[int, subprocess.Popen[bytes]]:
    """The command as a child of a reaper, and the leash that ends both when it is closed; raises OSError."""
    theirs, ours = os.pipe()
    told, telling = os.pipe()
    try:
        process = subprocess.Popen(
            (sys.executable, "-I", "-S", str(_SUPERVISOR), str(theirs), str(telling), str(memory), *command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            pass_fds=(theirs, telling),
            start_new_session=True,
        )
        os.close(telling)
        telling = -1
        problem = os.read(told, 16)
    except BaseException:
        os.close(ours)
        raise
    finally:
        for descriptor in (theirs, told, telling):
            if descriptor >= 0:
                os.close(descriptor)
    if problem:
        os.close(ours)
        with process:
            pass  # closes the pipes, and waits
        raise OSError(int(problem), os.strerror(int(problem)))
    return ours, process
