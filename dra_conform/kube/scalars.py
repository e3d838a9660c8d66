"""Unquoted YAML scalars as Kubernetes reads them: YAML 1.1 booleans, no base-60 numbers, no dates."""

from __future__ import annotations

import re

_TRUE = frozenset({"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
_FALSE = frozenset({"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
# Both patterns are matched after underscores are removed.
_INT = re.compile(r"[+-]?(?:0b[01]+|0o?[0-7]+|0x[0-9a-fA-F]+|[1-9][0-9]*|0)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 400
_PLAIN = re.compile(r"[\w./](?:[\w./*+=()-]|:(?=\w))*(?: (?:[\w./*+=()-]|:(?=\w))+)*")
_LONGEST_SHOWN = 300


class Number:
    """A fractional number as a string: valid for quantities, rejected by other typed fields."""

    # This is no dataclass, because msgspec would encode one as a JSON object.
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Number) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


def resolve(text: str) -> bool | int | str | Number | None:
    """Return the value of an unquoted scalar; a fractional number becomes a `Number`."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if text in _NULL:
        return None
    if len(text) <= _LONGEST_NUMBER and text[0] in "+-.0123456789":
        plain = text.replace("_", "")
        if _INT.fullmatch(plain):
            return _whole(plain)
        if _FLOAT.fullmatch(plain):
            return Number(plain)
    return text


def in_flow(text: str) -> str:
    """Return a string for display in YAML flow style, quoted if YAML would read a different value.

    A string of more than 300 characters is shortened.
    """
    if len(text) > _LONGEST_SHOWN:
        return f"'{text[:40]}... and so on, {len(text)} characters'"
    if _PLAIN.fullmatch(text) and isinstance(resolve(text), str):
        return text
    return "'" + text.replace("'", "''") + "'"


def _whole(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if digits.startswith(("0b", "0x", "0o")):
        return sign * int(digits, 0)
    if digits.startswith("0") and digits != "0":
        return sign * int(digits, 8)
    return sign * int(digits)
