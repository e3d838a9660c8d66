"""A child process under a supervisor, with pipes that cannot deadlock: one selector, no threads."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import selectors
import signal
import sys
import termios
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO

from dra_conform.adapters.supervised_command import scrubbed, supervised
from dra_conform.adapters.wire import Lines, TooLong

_CHUNK = 256 * 1024
_POLL = 0.05
_TICK = 0.002
_REAPING = 5.0
"""Seconds the reaper has to end whatever the child started."""


class Child:
    """A running child. Whatever it writes is taken in by `pump`; whatever goes to it waits in `send`.

    `lines` are the lines of stdout not yet taken; `ended`: no further line can come; `deaf`: it closed its
    stdin while it was owed input; `unread`: once it is stopped, how many of the bytes sent it never read.
    `memory` limits its data in bytes, 0 for no limit; `environment` is what it sees, `scrubbed` ours where
    none is given. Raises OSError where the command cannot be run.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        max_frame: int,
        log: int,
        memory: int = 0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.lines: deque[bytes | TooLong] = deque()
        self.ended = False
        self.deaf = False
        self.unread = 0
        self._how = ""
        self._lost = 0
        self._splitter = Lines(max_frame)
        self._log = bytearray()
        self._log_limit = log
        self._outbox: deque[memoryview] = deque()
        seen = scrubbed(os.environ) if environment is None else environment
        self._leash, self._process = supervised(command, memory, seen)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe for pipe in pipes if pipe is not None)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def send(self, data: bytes) -> None:
        """Put bytes on their way; they are written as fast as the child reads."""
        if self.deaf or self._stdin.closed:
            self._lost += len(data)
            return
        self._outbox.append(memoryview(data))
        self._write()

    def pump(self, timeout: float) -> None:
        """Move bytes both ways, waiting up to `timeout` seconds for something to happen."""
        wait = max(0.0, min(timeout, _POLL))
        if not self._selector.get_map():
            wait = min(wait, _TICK)  # both pipes are closed: the end of the process wakes nobody
        ready = self._selector.select(wait)
        for key, _ in ready:
            if key.fileobj is self._stdin:
                self._write()
            elif chunk := self._read(key.fileobj):
                self._take(key.fileobj, chunk)
        if any(key.fileobj is self._stdout for key, _ in ready):
            return
        self.deaf = self.deaf or self._hung_up()
        if not self.ended and self.exited:
            # A grandchild may hold the pipe open; the child itself says no more than what is there now.
            if chunk := self._read(self._stdout):
                self._take(self._stdout, chunk)
            else:
                self.ended = True

    @property
    def exited(self) -> bool:
        """Whether the process is over (it is not reaped by asking)."""
        if self._process.returncode is not None:
            return True
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    @property
    def idle(self) -> bool:
        """Whether everything sent was written, or never can be."""
        return not self._outbox

    @property
    def log(self) -> str:
        """The tail of stderr."""
        return self._log.decode("utf-8", "backslashreplace")

    def take_log(self) -> str:
        """The tail of stderr since it was last taken."""
        text = self.log
        self._log.clear()
        return text

    def close_stdin(self) -> None:
        """Tell the child that nothing more will come."""
        self._outbox.clear()
        self._forget(self._stdin)

    def stop(self, terminate: float) -> str:
        """End the process and all that it started, SIGKILL `terminate` seconds after SIGTERM; how it ended.

        It is `exit code 3`, `signal SIGSEGV`, or empty where we had to end it. What it still writes to stdout
        is thrown away.
        """
        if self._process.returncode is not None:
            return self._how
        by_itself = self.exited
        self.unread = self._unread()
        if not by_itself:
            for number in (signal.SIGTERM, signal.SIGCONT):  # it is not reaped yet, so it is nobody else
                os.kill(self._process.pid, number)
            self._await_end(terminate)
        os.close(self._leash)
        self._await_end(_REAPING)
        if not self.exited:
            os.kill(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        for _ in range(8):
            self._drain(0.0)
        for pipe in (self._stdin, self._stdout, self._stderr):
            self._forget(pipe)
        self._selector.close()
        self.ended = True
        self._how = _ending(code) if by_itself else ""
        return self._how

    def _hung_up(self) -> bool:
        if self._stdin.closed:
            return False
        poll = select.poll()
        poll.register(self._stdin, 0)  # an error is reported whether asked for or not
        return any(state & select.POLLERR for _, state in poll.poll(0))

    def _unread(self) -> int:
        waiting = bytearray(4)
        if not self._stdin.closed:
            with contextlib.suppress(OSError):  # not every system tells it for the writing end
                fcntl.ioctl(self._stdin, termios.FIONREAD, waiting)
        return self._lost + sum(len(part) for part in self._outbox) + int.from_bytes(waiting, sys.byteorder)

    def _await_end(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.exited and time.monotonic() < end:
            self._drain(_TICK)

    def _drain(self, timeout: float) -> None:
        if self._selector.get_map():
            self.pump(timeout)
            self.lines.clear()
        else:
            time.sleep(timeout)

    def _read(self, pipe: object) -> bytes | None:
        assert hasattr(pipe, "fileno")
        try:
            chunk = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            chunk = b""
        if not chunk:
            if pipe is self._stdout:
                self.ended = True
            self._forget(self._stdout if pipe is self._stdout else self._stderr)
        return chunk

    def _take(self, pipe: object, chunk: bytes) -> None:
        if pipe is self._stdout:
            self.lines.extend(self._splitter.feed(chunk))
        else:
            self._log += chunk
            del self._log[: -self._log_limit]

    def _write(self) -> None:
        try:
            while self._outbox:
                written = os.write(self._stdin.fileno(), self._outbox[0])
                if written == len(self._outbox[0]):
                    self._outbox.popleft()
                else:
                    self._outbox[0] = self._outbox[0][written:]
        except BlockingIOError:
            if self._stdin not in self._watched():
                self._selector.register(self._stdin, selectors.EVENT_WRITE)
            return
        except OSError:
            self.deaf = True
            self._lost = sum(len(part) for part in self._outbox)
            self._outbox.clear()
        if self._stdin in self._watched():
            self._selector.unregister(self._stdin)

    def _watched(self) -> list[object]:
        return [key.fileobj for key in self._selector.get_map().values()]

    def _forget(self, pipe: IO[bytes]) -> None:
        if not pipe.closed:
            if pipe in self._watched():
                self._selector.unregister(pipe)
            pipe.close()


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
