"""Descriptions of values in findings."""

from __future__ import annotations

import json
from typing import Any

_LONGEST = 80


def shown(value: Any) -> str:
    """Return a value as JSON, shortened, and `absent` for None."""
    if value is None:
        return "absent"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
