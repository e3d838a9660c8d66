"""Escaping of untrusted strings, so that they are safe on a terminal and valid in XML."""

from __future__ import annotations

import re
from typing import Any, TextIO

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """Return the string with control, bidirectional and invisible characters and lone surrogates escaped.

    Line ends become `\\n`; tabs stay. ASCII JSON stays valid JSON.
    """
    return _UNPRINTABLE.sub(_escape, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return the string as by `printable`, with line ends and tabs escaped too, for use within a line."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class PrintableStream:
    """A wrapper of the stream `raw` that makes everything written to it printable."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        self.raw.write(printable(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def unfiltered(stream: TextIO) -> TextIO:
    """Return the unfiltered stream, for a writer that escapes strings and controls the terminal."""
    return stream.raw if isinstance(stream, PrintableStream) else stream
