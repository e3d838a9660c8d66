"""Kubernetes' semver library."""

from __future__ import annotations

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.semantic_version import SEMVER, Semver, normalize, parse
from dra_conform.cel.values.types import BOOL, INT, STRING


def _semver(text: str, lax: bool = False) -> Semver:
    return parse(normalize(text) if lax else text)


def _is_semver(text: str, lax: bool = False) -> bool:
    try:
        _semver(text, lax)
    except EvaluationError:
        return False
    return True


def _compare_to(a: Semver, b: Semver) -> int:
    return (a > b) - (a < b)


def _int(number: int) -> int:
    """Convert a uint64 to an int64 as Go does: the upper half becomes negative."""
    return number if number < 2**63 else number - 2**64


OVERLOADS = (
    Overload("semver", False, (STRING,), SEMVER, _semver, charge.text),
    Overload("semver", False, (STRING, BOOL), SEMVER, _semver, charge.text),
    Overload("isSemver", False, (STRING,), BOOL, _is_semver, charge.text),
    Overload("isSemver", False, (STRING, BOOL), BOOL, _is_semver, charge.text),
    Overload("major", True, (SEMVER,), INT, lambda v: _int(v.major)),
    Overload("minor", True, (SEMVER,), INT, lambda v: _int(v.minor)),
    Overload("patch", True, (SEMVER,), INT, lambda v: _int(v.patch)),
    Overload("compareTo", True, (SEMVER, SEMVER), INT, _compare_to),
    Overload("isGreaterThan", True, (SEMVER, SEMVER), BOOL, lambda a, b: a > b),
    Overload("isLessThan", True, (SEMVER, SEMVER), BOOL, lambda a, b: a < b),
)
