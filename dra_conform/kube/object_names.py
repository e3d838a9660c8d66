"""Validation of object names in addresses."""

from __future__ import annotations


def path_segment(text: str) -> tuple[str, ...]:
    """What keeps a string from being one segment of a path in an address, empty if nothing does."""
    if text in (".", "..") or "/" in text or "%" in text:
        return ("may not be '.' or '..' or contain '/' or '%'",)
    return ()
