"""Commands that cannot outlive this process, because a supervisor process watches both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

END_SECONDS = 20.0
"""How long a supervisor may take to kill all processes of its command."""

_SUPERVISOR = Path(__file__).with_name("supervisor_process.py")
_ALLOWED = ("PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR")
_ALLOWED_PREFIXES = ("LC_", "DRA_ADAPTER_")


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a child process: PATH, locale, `DRA_ADAPTER_*` and a few more."""
    return {k: v for k, v in environment.items() if k in _ALLOWED or k.startswith(_ALLOWED_PREFIXES)}


def start_error(command: Sequence[str], error: OSError) -> str:
    """Return why a command cannot be run: its program, where it was searched, and the error."""
    program = command[0]
    where = " in PATH"
    if os.sep in program:
        where = "" if program.startswith(os.sep) else f" in {Path.cwd()}"
    return f"cannot run {program!r}{where}: {error.strerror or error}"


def logged(command: Sequence[str], log: Path, blocks: int, *, only_errors: bool = False) -> tuple[str, ...]:
    """Return the command that runs a command without input and appends its output to a log.

    With `only_errors` only stderr goes to the log, and stdin and stdout stay. No file that the command writes
    can be larger than `blocks` blocks of 512 or 1024 bytes.
    """
    to = '2>>"$log"' if only_errors else '>>"$log" 2>&1 </dev/null'
    script = f'log=$1 blocks=$2; shift 2; ulimit -f "$blocks"; exec "$@" {to}'
    return ("sh", "-c", script, "sh", str(log), str(blocks), *command)


def ended(code: int) -> str:
    """Return an exit code in words, a negative one as the number of a signal."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def supervised(
    command: Sequence[str], memory: int, environment: Mapping[str, str]
) -> tuple[int, subprocess.Popen[bytes]]:
    """Start a command under a supervisor process; raises OSError if it cannot be run.

    Returns the write end of the control pipe, which ends both processes when it is closed, and the
    supervisor.
    """
    control_read, control_write = os.pipe()
    error_read, error_write = os.pipe()
    try:
        process = subprocess.Popen(
            (
                *(sys.executable, "-I", "-S", str(_SUPERVISOR)),
                *(str(control_read), str(error_write), str(memory)),
                *command,
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            pass_fds=(control_read, error_write),
            start_new_session=True,
        )
        os.close(error_write)
        error_write = -1
        error_number = os.read(error_read, 16)
    except BaseException:
        os.close(control_write)
        raise
    finally:
        for descriptor in (control_read, error_read, error_write):
            if descriptor >= 0:
                os.close(descriptor)
    if error_number:
        os.close(control_write)
        with process:
            pass  # The context closes the pipes and waits for the process.
        raise OSError(int(error_number), os.strerror(int(error_number)))
    return control_write, process


def kill(control: int, supervisor: subprocess.Popen[bytes]) -> None:
    """Kill all processes of a command by closing the control pipe, then wait for the supervisor."""
    os.close(control)
    supervisor.send_signal(signal.SIGCONT)  # The command may have stopped its supervisor.
    with suppress(subprocess.TimeoutExpired):
        supervisor.wait(END_SECONDS)
    supervisor.kill()
    with supervisor:  # closes the pipes and waits
        pass
