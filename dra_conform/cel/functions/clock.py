"""Durations and timestamps: parsing, formatting, and accessors such as `getHours`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from dra_conform.cel.functions.arithmetic import duration, timestamp
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import DURATION, INT, STRING, TIMESTAMP
from dra_conform.cel.values.value import Duration, Timestamp

SECOND = 10**9
_UNITS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
}
_MOST_DIGITS = 1000
"""The longest string that is parsed; Python rejects very long integers, and none fits into 64 bits."""
_DURATION = re.compile(r"([+-]?)(0|(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)")
_PART = re.compile(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_duration(text: str) -> Duration:
    """Parse a duration in Go's format, such as `1h30m` or `-1.5s`. Fractions of a nanosecond are dropped."""
    match = _DURATION.fullmatch(text)
    if match is None or len(text) > _MOST_DIGITS:
        raise EvaluationError(f'time: invalid duration "{text}"')
    total = 0
    for whole, fraction, unit in _PART.findall(match[2]):
        scale = _UNITS[unit]
        total += int(whole or 0) * scale
        if fraction:
            total += int(fraction) * scale // 10 ** len(fraction)
    return duration(-total if match[1] == "-" else total)


def parse_timestamp(text: str) -> Timestamp:
    """Parse a timestamp in RFC 3339 format."""
    match = _TIMESTAMP.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        year, month, day, hour, minute, second = (int(match[i]) for i in range(1, 7))
        at = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        raise EvaluationError(f'parsing time "{text}" as RFC 3339: cannot parse') from None
    nanos = _whole_nanos(at) + int(((match[7] or "") + "0" * 9)[:9])
    return timestamp(nanos - _offset(match[8]) * SECOND)


def _whole_nanos(at: datetime) -> int:
    since = at - _EPOCH
    return (since.days * 86400 + since.seconds) * SECOND


def _offset(text: str) -> int:
    if text == "Z":
        return 0
    seconds = int(text[1:3]) * 3600 + int(text[4:6]) * 60
    return -seconds if text[0] == "-" else seconds


def duration_text(value: Duration) -> str:
    """Return a duration in seconds with the unit: `5400s`, `-1.5s`."""
    whole, rest = divmod(abs(value.nanos), SECOND)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{'-' if value.nanos < 0 else ''}{whole}{fraction}s"


def timestamp_text(value: Timestamp) -> str:
    """Return a timestamp in RFC 3339 format in UTC, with as few fraction digits as possible."""
    rest = value.nanos % SECOND
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    at = _date(value, UTC)
    return (
        f"{at.year:04d}-{at.month:02d}-{at.day:02d}T{at.hour:02d}:{at.minute:02d}:{at.second:02d}{fraction}Z"
    )


def _date(value: Timestamp, zone: tzinfo) -> datetime:
    try:
        return (_EPOCH + timedelta(seconds=value.nanos // SECOND)).astimezone(zone)
    except OverflowError:
        raise EvaluationError("timestamp overflow") from None


_FIXED = re.compile(r"([+-]?)([0-9]{1,2}):([0-9]{2})")


def _zone(name: str) -> tzinfo:
    if not name:
        return UTC
    match = _FIXED.fullmatch(name)
    if match:
        delta = timedelta(hours=int(match[2]), minutes=int(match[3]))
        if delta < timedelta(hours=24):
            return timezone(-delta if match[1] == "-" else delta)
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise EvaluationError(f"unknown time zone {name}") from None


_PARTS: dict[str, Callable[[datetime], int]] = {
    "getFullYear": lambda d: d.year,
    "getMonth": lambda d: d.month - 1,
    "getDayOfMonth": lambda d: d.day - 1,
    "getDate": lambda d: d.day,
    "getDayOfYear": lambda d: d.timetuple().tm_yday - 1,
    "getDayOfWeek": lambda d: d.isoweekday() % 7,
    "getHours": lambda d: d.hour,
    "getMinutes": lambda d: d.minute,
    "getSeconds": lambda d: d.second,
}
_DURATION_UNITS = {
    "getHours": 3600 * SECOND,
    "getMinutes": 60 * SECOND,
    "getSeconds": SECOND,
    "getMilliseconds": 10**6,
}


def _part(name: str) -> list[Overload]:
    take = _PARTS[name]

    def call(value: Timestamp, zone: str = "UTC") -> int:
        return take(_date(value, UTC if zone == "UTC" else _zone(zone)))

    return _both(name, call)


def _milliseconds(value: Timestamp, zone: str = "UTC") -> int:
    if zone != "UTC":
        _zone(zone)
    return value.nanos % SECOND // 10**6


def _both(name: str, call: Callable[..., int]) -> list[Overload]:
    return [
        Overload(name, True, (TIMESTAMP,), INT, call),
        Overload(name, True, (TIMESTAMP, STRING), INT, call),
    ]


def _whole(name: str, unit: int) -> Overload:
    def call(value: Duration) -> int:
        return value.nanos // unit if value.nanos >= 0 else -(-value.nanos // unit)

    return Overload(name, True, (DURATION,), INT, call)


ACCESSORS: tuple[Overload, ...] = (
    *(overload for name in _PARTS for overload in _part(name)),
    *_both("getMilliseconds", _milliseconds),
    *(_whole(name, unit) for name, unit in _DURATION_UNITS.items()),
)
