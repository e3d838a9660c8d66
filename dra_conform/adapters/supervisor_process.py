"""The supervisor process of an adapter, a script: `supervisor_process.py LEASH TOLD MEMORY COMMAND...`.

Nothing that the adapter starts outlives the adapter, and the adapter does not outlive us, whatever comes.
LEASH is a pipe that we hold the other end of: when it closes, everything is over. TOLD takes the number of
the error where the command cannot be run. MEMORY limits the data of each process, in bytes, 0 for no limit.
SIGTERM is passed on to the adapter. It ends as the adapter ended, with the same exit code or signal.

On Linux, children whose parents are gone become ours, sessions of their own included. It uses nothing but the
standard library, and little of it, since it starts with every adapter.
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


def main(leash: int, told: int, memory: int, command: list[str]) -> None:
    """Start the command, wait for its end or for ours, and leave nothing behind."""
    os.set_inheritable(leash, False)
    os.set_inheritable(told, False)
    _control(_PR_SET_CHILD_SUBREAPER, 1)
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    own = os.getpid()
    adapter = os.fork()
    if adapter == 0:
        _become(command, told, memory, own)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # else the pipes of the adapter would not close with it
        os.dup2(nowhere, descriptor)
    os.close(told)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(adapter, signal.SIGTERM))
    status = _wait(adapter, leash, woken)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_all(adapter)
    _end_like(status)


def _become(command: list[str], told: int, memory: int, parent: int) -> None:
    """What the child does between fork and exec; it does not come back."""
    try:
        os.setsid()
        _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            return
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # Python ignores them
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.execvp(command[0], command)
    except OSError as error:
        os.write(told, str(error.errno).encode())
    finally:
        os._exit(127)


def _wait(adapter: int, leash: int, woken: int) -> int | None:
    """How the adapter ended, None where the leash was let go before."""
    while True:
        ready, _, _ = select.select([leash, woken], [], [])
        if leash in ready:
            return None
        os.read(woken, 4096)
        while True:
            found, status = os.waitpid(-1, os.WNOHANG)
            if found == adapter:
                return status
            if found == 0:
                break


def _end_all(adapter: int) -> None:
    """Kill our children, and those who become ours by that, until there are none."""
    while True:
        for child in _children():
            _kill(child)
        _kill(-adapter)  # its group is all there is to see where there is no /proc
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # it is gone, or not ours any more
        os.kill(process, signal.SIGKILL)


def _children() -> list[int]:
    own = os.getpid()
    found: list[int] = []
    if not os.path.isdir("/proc"):  # noqa: PTH112 - pathlib takes as long to import as all else here
        return found
    for name in os.listdir("/proc"):  # noqa: PTH208 - likewise
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123 - likewise
                    parent = int(stat.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            if parent == own:
                found.append(int(name))
    return found


def _end_like(status: int | None) -> None:
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(0 if status is None else os.WEXITSTATUS(status))


def _control(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - elsewhere there is nothing to call

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
