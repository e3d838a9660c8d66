"""Limits of the strings and lists in answers that are only for people, since reports repeat them."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

MAX_TEXT = 10_000
"""The most characters of a string that is only for people; a longer one is shortened."""
MAX_ENTRIES = 1000
"""The most reasons, errors or warnings of an answer; one with more is malformed."""

_Entry = TypeVar("_Entry")

Entries = Annotated[list[_Entry], msgspec.Meta(max_length=MAX_ENTRIES)]
"""The type of such a list in the body of a `result`."""


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """Return a string of an implementation, shortened for reports to `most` characters."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def all_shortened(texts: list[str]) -> tuple[str, ...]:
    """Return the strings, each shortened."""
    return tuple(map(shortened, texts))
