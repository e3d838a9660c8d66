"""Text of unknown origin made fit to print: it must neither steer a terminal nor break XML."""

from __future__ import annotations

import re

_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def printable(text: str) -> str:
    """The text with control characters, bidirectional overrides and lone surrogates written as escapes.

    Line ends are `\\n`; tabs stay.
    """
    return _UNFIT.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
