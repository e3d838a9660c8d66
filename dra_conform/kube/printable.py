"""Text of unknown origin, escaped so that it is safe to print and valid in XML."""

from __future__ import annotations

import re
from typing import Any, TextIO

_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text with control, bidirectional and invisible characters and lone surrogates written as escapes.

    Line ends are `\\n`; tabs stay. JSON without other than ASCII characters stays JSON.
    """
    return _UNFIT.sub(_escape, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same, line ends and tabs written as escapes too, for names that stand in a line."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class PrintableStream:
    """A stream on which all that is written is printable; it is `raw` otherwise."""

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
    """The stream below, for a writer that has made its text printable itself and steers the terminal."""
    return stream.raw if isinstance(stream, PrintableStream) else stream
