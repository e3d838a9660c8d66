"""The exit codes of the command line, and signals that end a command: SIGTERM and SIGHUP act like Ctrl-C, so
that reports are written and processes end."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

OK = 0
FAILURES = 1
USAGE = 2
NOT_RUNNABLE = 3
SUITE_BROKEN = 4
INCOMPLETE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141
"""The exit code after the reader of standard output has closed it, as in shells for SIGPIPE."""


_AGAIN = 0.05
"""Seconds until a signal whose exception Python ignored is raised again."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Terminated(KeyboardInterrupt):
    """The signal that terminates the command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def signals_raise() -> Iterator[None]:
    """Raise Terminated at the first of the three signals in this context; then only Ctrl-C has an effect.

    A signal that is ignored at the start, as with nohup, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    handled = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def terminate(number: int, _: object) -> None:
        for caught in handled:
            signal.signal(caught, signal.default_int_handler if caught == signal.SIGINT else signal.SIG_IGN)
        raise Terminated(number)

    def raise_again(ignored: sys.UnraisableHookArgs) -> None:
        # Python ignores what is raised while it closes a generator that nobody holds, or in __del__.
        if isinstance(ignored.exc_value, Terminated):
            number = ignored.exc_value.number
            signal.signal(number, terminate)
            threading.Timer(_AGAIN, signal.pthread_kill, [threading.main_thread().ident, number]).start()
        else:
            hook_before(ignored)

    hook_before = sys.unraisablehook
    sys.unraisablehook = raise_again
    for number in handled:
        signal.signal(number, terminate)
    try:
        yield
    finally:
        sys.unraisablehook = hook_before
        for number in handled:
            signal.signal(number, before[number])
