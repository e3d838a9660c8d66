"""The limits of implementations, as options name them on the command line and in pytest."""

from __future__ import annotations

import argparse

from dra_conform.kube.quantity import Quantity


def seconds(text: str) -> float:
    """Return the time limit of a case in seconds; raises ArgumentTypeError."""
    try:
        limit = float(text)
    except ValueError:
        limit = 0.0
    if not 0.001 <= limit <= 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time, expected seconds from 0.001 to 86400")
    return limit


def memory_in_bytes(text: str) -> int:
    """Return the memory limit of a process in bytes; raises ArgumentTypeError."""
    try:
        amount = Quantity.parse(text).value()
    except ValueError:
        amount = 0
    if not 2**20 <= amount < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not a quantity of memory, expected 1Mi or more")
    return amount
