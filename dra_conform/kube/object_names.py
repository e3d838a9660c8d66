"""Validation of object names in URL paths."""

from __future__ import annotations


def path_segment(text: str) -> tuple[str, ...]:
    """Return the errors of a string that must be one segment of a URL path; empty if it is valid."""
    if text in (".", "..") or "/" in text or "%" in text:
        return ("may not be '.' or '..' or contain '/' or '%'",)
    return ()
