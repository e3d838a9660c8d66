"""Kubernetes' regex library: `find` and `findAll`."""

from __future__ import annotations

from itertools import islice

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.patterns import Pattern, compile_regex
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import INT, STRING, list_of


def _pattern(text: str) -> Pattern:
    try:
        return compile_regex(text)
    except EvaluationError as e:
        raise EvaluationError(f"Illegal regex: {e}") from None


def _find(text: str, pattern: str) -> str:
    """Return the leftmost match, an empty string if there is none."""
    return _pattern(pattern).search(text) or ""


def _find_all(text: str, pattern: str, most: int = -1) -> tuple[str, ...]:
    """Return all matches that do not overlap, at most `most` unless that is negative."""
    return tuple(islice(_pattern(pattern).all(text), most if most >= 0 else None))


OVERLOADS = (
    Overload("find", True, (STRING, STRING), STRING, _find, charge.regex),
    Overload("findAll", True, (STRING, STRING), list_of(STRING), _find_all, charge.regex),
    Overload("findAll", True, (STRING, STRING, INT), list_of(STRING), _find_all, charge.regex),
)
