"""Names joined in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 4


def listed(names: Sequence[str]) -> str:
    """`a, b`, and of more than four names `a, b, c and 97 more`."""
    if len(names) <= _MOST:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST - 1])} and {len(names) - _MOST + 1} more"
