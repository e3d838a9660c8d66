"""Lists and counts in messages."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 4


def listed(names: Sequence[str]) -> str:
    """Return the names as `a, b`, or as `a, b, c and 97 more` if there are more than four names."""
    if len(names) <= _MOST:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST - 1])} and {len(names) - _MOST + 1} more"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 device`, `2,000 devices` or `2 DeviceClasses`."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
