"""The form of CDI device names."""

from __future__ import annotations

import re

_PART = r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?"
_QUALIFIED = re.compile(rf"{_PART}/{_PART}=[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?")


def is_qualified(name: str) -> bool:
    """Return whether a name has the form `vendor/class=device`."""
    return _QUALIFIED.fullmatch(name) is not None
