"""The supervisor process of an adapter, a script: `supervisor_process.py CONTROL ERROR MEMORY COMMAND...`.

No process of the adapter outlives the adapter, and the adapter does not outlive the runner, even if the
runner is killed. CONTROL is the read end of a pipe from the runner: when the pipe closes, all processes are
killed. ERROR is a pipe for the error number if the command cannot be run. MEMORY limits the data of each
process, in bytes, 0 for no limit. SIGTERM is passed on to the adapter. The supervisor ends with the exit code
or the signal of the adapter.

On Linux the supervisor adopts processes whose parent has ended, also from other sessions. The script uses
only a small part of the standard library, because it starts with every adapter.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def main(control: int, error: int, memory: int, command: list[str]) -> None:
    """Start the command, wait for its end or for the runner's, and kill all remaining processes."""
    os.set_inheritable(control, False)
    os.set_inheritable(error, False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    own = os.getpid()
    adapter = os.fork()
    if adapter == 0:
        _exec(command, error, memory, own)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # Otherwise the pipes of the adapter would stay open when it ends.
        os.dup2(null, descriptor)
    os.close(error)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(adapter, signal.SIGTERM))
    status = _wait(adapter, control, woken)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_all(adapter)
    _exit_with(status)


def _exec(command: list[str], error_pipe: int, memory: int, parent: int) -> None:
    """Replace the forked child by the command; this does not return."""
    try:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            return
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # Python ignores these signals.
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.execvp(command[0], command)
    except OSError as error:
        os.write(error_pipe, str(error.errno).encode())
    finally:
        os._exit(127)


def _wait(adapter: int, control: int, woken: int) -> int | None:
    """Return the wait status of the adapter, None if the control pipe closes first."""
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if control in ready:
            return None
        os.read(woken, 4096)
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == adapter:
                return status
            if process == 0:
                break


def _end_all(adapter: int) -> None:
    """Kill all children and processes adopted from them until none remains."""
    while True:
        for child in _children():
            _kill(child)
        _kill(-adapter)  # Without /proc only the process group is known.
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # It has ended, or the ID is reused.
        os.kill(process, signal.SIGKILL)


def _children() -> list[int]:
    own = os.getpid()
    children: list[int] = []
    if not os.path.isdir("/proc"):  # noqa: PTH112 - importing pathlib would double the start time
        return children
    for name in os.listdir("/proc"):  # noqa: PTH208 - likewise
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123 - likewise
                    parent = int(stat.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            if parent == own:
                children.append(int(name))
    return children


def _exit_with(status: int | None) -> None:
    """End this process with the exit code or the signal of a wait status, with 0 for None."""
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(0 if status is None else os.WEXITSTATUS(status))


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only Linux has prctl

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
