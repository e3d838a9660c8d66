"""How simple a failing case is to understand, so that the simplest failure is the example of its cause."""

from __future__ import annotations

import re

from dra_conform.conformance.requirement import FUTURE, MAY, MUST, SHOULD
from dra_conform.conformance.verdict import CaseResult

_LEVELS = (MUST, SHOULD, MAY, FUTURE)
_EXTREME = re.compile(
    r"""
    (?<![\w.-]) -? \d+ (?: \.\d+ )? (?: [nu] | [eE][+-]?\d+ | [PE]i? ) (?![\w.])  # 5n, 1e3, 2Ei
    | (?<![\w.-]) -? \d{10,} (?![\w.-])                                           # 9223372036854775807
    | \d \. \d{4,}                                                                # 0.0005
    """,
    re.VERBOSE,
)


def plainness(result: CaseResult, requirement: str = "") -> tuple[object, ...]:
    """Return a sort key by which simple cases come first.

    Plain is a case with a setup that an API server admits, that cites `requirement`, has common quantities,
    a MUST before SHOULD before MAY, few requirements, few steps, no gate turned off, and a short setup.
    """
    case = result.case
    texts = (*case.given, *(step.words for step in case.case_steps), *case.row)
    return (
        bool(case.not_admitted),
        bool(requirement) and requirement not in case.requirements,
        any(map(_EXTREME.search, texts)),
        level_rank(result),
        len(case.requirements),
        len(case.case_steps),
        len(case.gates),
        len(case.features),
        sum(map(len, case.given)),
    )


def level_rank(result: CaseResult) -> int:
    """Return the rank of the level of a case in the profile of the run: 0 for MUST, more for lower levels."""
    level = result.case.level_in(result.profile)
    return _LEVELS.index(level) if level in _LEVELS else len(_LEVELS)
