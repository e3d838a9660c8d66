"""Signal handling: SIGTERM and SIGHUP act like Ctrl-C, so that reports are written and children end."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ToldToEnd(KeyboardInterrupt):
    """The signal that ends us."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def told_by_signals() -> Iterator[None]:
    """While this is open, the first of the three signals raises ToldToEnd; of later ones only Ctrl-C counts.

    A signal that whoever started us ignores, as nohup does, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def told(number: int, _: object) -> None:
        for one in heard:
            signal.signal(one, signal.default_int_handler if one == signal.SIGINT else signal.SIG_IGN)
        raise ToldToEnd(number)

    for number in heard:
        signal.signal(number, told)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])
