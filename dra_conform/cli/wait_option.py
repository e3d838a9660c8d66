"""The option --wait: simulated time that passes."""

from __future__ import annotations

import argparse

_LONGEST = 366 * 24 * 60 * 60
"""The maximum of simulated seconds, one year."""


def add_wait_option(command: argparse.ArgumentParser, what: str) -> None:
    """Add the option with its help text `what`."""
    command.add_argument("--wait", type=_seconds, default=0, metavar="SECONDS", help=what)


def _seconds(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) < 12 and int(text) <= _LONGEST):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, expected 0 to {_LONGEST}")
    return int(text)
