"""What options of `run` hold: numbers, times, parts, amounts of memory."""

from __future__ import annotations

import argparse

from dra_conform.kube.quantity import Quantity


def count(text: str) -> int:
    """A number of something; raises ArgumentTypeError, as all of these do."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, expected 0 or more")
    return int(text)


def seconds(text: str) -> float:
    """A time in seconds, up to a day."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0.001 <= found <= 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time, expected seconds from 0.001 to 86400")
    return found


def shard(text: str) -> tuple[int, int]:
    """A part and how many there are: `2/3`."""
    part, _, parts = text.partition("/")
    numbers = [int(one) for one in (part, parts) if one.isascii() and one.isdigit()]
    if len(numbers) != 2 or not 1 <= numbers[0] <= numbers[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is no part, expected such as 2/3")
    return numbers[0], numbers[1]


def memory(text: str) -> int:
    """Bytes, written as Kubernetes writes them: `512Mi`."""
    try:
        amount = Quantity.parse(text).value()
    except ValueError:
        amount = 0
    if not 2**20 <= amount < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of memory, expected 1Mi or more")
    return amount
