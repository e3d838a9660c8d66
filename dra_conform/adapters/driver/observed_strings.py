"""Strings from a driver, shortened for observations."""

from __future__ import annotations

from dra_conform.conformance import answer_limits

MAX_TEXT = 2000
"""The maximum length of a string from the driver in an observation."""
MAX_DEVICES = 200
"""The maximum number of devices or names of a ResourceClaim in an observation."""
MAX_SERVICES = 20
"""The maximum number of services of `GetInfo` in an observation."""


def shortened(text: str) -> str:
    """Return a string from the driver, shortened for reports."""
    return answer_limits.shortened(text, MAX_TEXT)


def all_shortened(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first strings from the driver, each shortened."""
    return tuple(map(shortened, texts[:MAX_DEVICES]))
