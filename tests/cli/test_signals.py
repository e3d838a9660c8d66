"""Signals that end a command."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from dra_conform.cli.exits import Terminated, signals_raise


def _killed_while_closed() -> Iterator[int]:
    try:
        yield 1
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def test_a_signal_ends_a_command_that_closes_a_generator() -> None:
    """Python ignores what is raised there, and the command must not go on as if nobody had asked it to end."""

    def command() -> None:
        with signals_raise():
            next(_killed_while_closed())
            time.sleep(60)

    with pytest.raises(Terminated) as end:
        command()
    assert end.value.number == signal.SIGTERM
