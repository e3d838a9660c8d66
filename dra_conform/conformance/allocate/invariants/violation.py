"""A violation of an invariant, with the requirement that it violates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps

from dra_conform.conformance.allocate.judged_answer import JudgedAnswer


@dataclass(frozen=True, slots=True)
class Violation:
    """A violated requirement, and a message that describes the violation."""

    requirement: str
    message: str


Invariant = Callable[[JudgedAnswer], Iterator[Violation]]
"""A check of an answer. If it tests several requirements, each violation names the most specific one."""


def requires(requirement: str) -> Callable[[Callable[[JudgedAnswer], Iterator[str]]], Invariant]:
    """Make an invariant of a function that yields messages about violations of one requirement."""

    def invariant(check: Callable[[JudgedAnswer], Iterator[str]]) -> Invariant:
        @wraps(check)
        def violations(answer: JudgedAnswer) -> Iterator[Violation]:
            for message in check(answer):
                yield Violation(requirement, message)

        return violations

    return invariant
