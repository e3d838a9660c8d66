"""Call commands in process, with a small suite and implementations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.cli import main

FEATURE = """\
Feature: Sharing
  @case:nothing-is-there
  @KEP-5075/rounding/step-up
  Scenario: Nothing is there
    Given a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible
"""

IMPLEMENTATIONS = """\
from dra_conform.adapters.builtin import Builtin


def never(objects, ask, profile):
    return {"outcome": "unallocatable"}


def unsupported(objects, ask, profile):
    return {"status": "unsupported", "message": "not today"}


def interrupted(objects, ask, profile):
    raise KeyboardInterrupt


class Explodes:
    def __init__(self):
        raise RuntimeError("no license")


class Named(Builtin):
    name = "another"
"""


@dataclass(frozen=True)
class Said:
    """Output and exit code of a command."""

    code: int
    out: str
    err: str


Call = Callable[..., Said]


def code_of(arguments: tuple[str, ...]) -> int:
    try:
        return main(arguments)
    except SystemExit as stop:  # argparse
        return int(stop.code or 0)
