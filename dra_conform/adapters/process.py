"""A child process under a supervisor, with non-blocking pipes that cannot deadlock."""

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
_SUPERVISOR_SECONDS = 5.0
"""Time for the supervisor to kill all processes that the child started."""


class Child:
    """A running child process. `send` queues input, `pump` reads and writes the pipes.

    `lines` are the lines of stdout that were not taken yet; with `ended` no further line can come.
    `stdin_closed` means that the child closed its stdin before it got all input. After `stop`, `unread` is
    the number of bytes that the child did not read. `memory` limits the data of the child in bytes, 0 for no
    limit. `environment` defaults to the `scrubbed` environment of this process. Raises OSError if the command
    cannot be run.
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
        self.stdin_closed = False
        self.unread = 0
        self._how = ""
        self._lost = 0
        self._splitter = Lines(max_frame)
        self._log = bytearray()
        self._log_limit = log
        self._outbox: deque[memoryview] = deque()
        if environment is None:
            environment = scrubbed(os.environ)
        self._control_pipe, self._process = supervised(command, memory, environment)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe for pipe in pipes if pipe is not None)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def send(self, data: bytes) -> None:
        """Queue bytes for stdin; they are written as fast as the child reads."""
        if self.stdin_closed or self._stdin.closed:
            self._lost += len(data)
            return
        self._outbox.append(memoryview(data))
        self._write()

    def pump(self, timeout: float) -> None:
        """Read and write the pipes without blocking, after waiting up to `timeout` seconds for the child."""
        wait = max(0.0, min(timeout, _POLL))
        if not self._selector.get_map():
            wait = min(wait, _TICK)  # Both pipes are closed, so the selector does not see the end.
        ready = self._selector.select(wait)
        for key, _ in ready:
            if key.fileobj is self._stdin:
                self._write()
            elif chunk := self._read(key.fileobj):
                self._store(key.fileobj, chunk)
        if any(key.fileobj is self._stdout for key, _ in ready):
            return
        self.stdin_closed = self.stdin_closed or self._hung_up()
        if not self.ended and self.exited:
            # A grandchild may keep the pipe open, but the output of the child itself is complete.
            if chunk := self._read(self._stdout):
                self._store(self._stdout, chunk)
            else:
                self.ended = True

    @property
    def exited(self) -> bool:
        """Whether the process has exited, without reaping it."""
        if self._process.returncode is not None:
            return True
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    @property
    def unfinished(self) -> int:
        """The bytes of the last line on stdout, whose end has not come yet."""
        return self._splitter.unfinished

    @property
    def idle(self) -> bool:
        """Whether no input is left to write."""
        return not self._outbox

    @property
    def log(self) -> str:
        """The tail of stderr."""
        return self._log.decode("utf-8", "backslashreplace")

    def take_log(self) -> str:
        """Return the tail of stderr since the last call."""
        text = self.log
        self._log.clear()
        return text

    def close_stdin(self) -> None:
        """Close the stdin of the child; input that is not written yet is dropped."""
        self._outbox.clear()
        self._close(self._stdin)

    def stop(self, terminate: float) -> str:
        """End the process and all that it started, with SIGKILL `terminate` seconds after SIGTERM.

        Returns how it ended by itself, such as `exit code 3` or `signal SIGSEGV`, empty if it was still
        running. Further output on stdout is dropped.
        """
        if self._process.returncode is not None:
            return self._how
        by_itself = self.exited
        self.unread = self._unread()
        if not by_itself:
            for number in (signal.SIGTERM, signal.SIGCONT):  # It is not reaped, so its ID is not reused.
                os.kill(self._process.pid, number)
            self._await_end(terminate)
        os.close(self._control_pipe)
        self._await_end(_SUPERVISOR_SECONDS)
        if not self.exited:
            os.kill(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        for _ in range(8):
            self._drain(0.0)
        for pipe in (self._stdin, self._stdout, self._stderr):
            self._close(pipe)
        self._selector.close()
        self.ended = True
        self._how = _ending(code) if by_itself else ""
        return self._how

    def _hung_up(self) -> bool:
        if self._stdin.closed:
            return False
        poll = select.poll()
        poll.register(self._stdin, 0)  # POLLERR is always reported.
        return any(state & select.POLLERR for _, state in poll.poll(0))

    def _unread(self) -> int:
        waiting = bytearray(4)
        if not self._stdin.closed:
            with contextlib.suppress(OSError):  # Not every system has FIONREAD for the write end.
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
            self._close(self._stdout if pipe is self._stdout else self._stderr)
        return chunk

    def _store(self, pipe: object, chunk: bytes) -> None:
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
            self.stdin_closed = True
            self._lost = sum(len(part) for part in self._outbox)
            self._outbox.clear()
        if self._stdin in self._watched():
            self._selector.unregister(self._stdin)

    def _watched(self) -> list[object]:
        return [key.fileobj for key in self._selector.get_map().values()]

    def _close(self, pipe: IO[bytes]) -> None:
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
