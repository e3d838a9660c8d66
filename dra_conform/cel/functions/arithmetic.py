"""Checked arithmetic: an overflow raises EvaluationError."""

from __future__ import annotations

import math

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.value import INT_MAX, INT_MIN, Duration, Timestamp, UInt, int64

_EARLIEST, _LATEST = -62135596800 * 10**9, 253402300800 * 10**9 - 1


def duration(nanos: int) -> Duration:
    """Return a duration. Raise EvaluationError beyond 64 bits of nanoseconds."""
    if INT_MIN <= nanos <= INT_MAX:
        return Duration(nanos)
    raise EvaluationError("duration overflow")


def timestamp(nanos: int) -> Timestamp:
    """Return a timestamp. Raise EvaluationError outside the years 1 to 9999."""
    if _EARLIEST <= nanos <= _LATEST:
        return Timestamp(nanos)
    raise EvaluationError("timestamp overflow")


def divide(a: int, b: int) -> int:
    """Return `a / b` of ints, rounded towards zero."""
    if b == 0:
        raise EvaluationError("division by zero")
    quotient = abs(a) // abs(b)
    return int64(quotient if (a < 0) == (b < 0) else -quotient)


def remainder(a: int, b: int) -> int:
    """Return `a % b` of ints, with the sign of the dividend."""
    if b == 0:
        raise EvaluationError("modulus by zero")
    if a == INT_MIN and b == -1:
        raise EvaluationError("integer overflow")
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def divide_unsigned(a: UInt, b: UInt) -> UInt:
    """Return `a / b` of uints."""
    if b == 0:
        raise EvaluationError("division by zero")
    return UInt(int(a) // int(b))


def remainder_unsigned(a: UInt, b: UInt) -> UInt:
    """Return `a % b` of uints."""
    if b == 0:
        raise EvaluationError("modulus by zero")
    return UInt(int(a) % int(b))


def divide_double(a: float, b: float) -> float:
    """Return `a / b` of doubles by IEEE 754, without errors."""
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)
