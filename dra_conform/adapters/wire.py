"""Frames, the messages of the wire protocol: one JSON object per line, UTF-8, LF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from dra_conform.kube.json_values import Json, encode_json

VERSION = 1
MAX_FRAME = 16 * 1024 * 1024
MAX_ID = 2**53 - 1
NOT_UTF_8 = "not UTF-8"
"""The problem of a line with bytes that are not UTF-8."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A received JSON object. `id` is None if it is missing or not an integer from 0 to 2^53-1."""

    id: int | None
    body: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Junk:
    """A line that is not a frame: the first 200 bytes as `text`, and the problem."""

    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line longer than `limit` bytes, whose content was dropped."""

    limit: int


_decoder = msgspec.json.Decoder()


def encode(body: Mapping[str, Json]) -> bytes:
    """Encode a frame as a line, with its line end."""
    return encode_json(body) + b"\n"


def decode(line: bytes) -> Frame | Junk:
    """Decode a line into a frame, or into Junk if it is not a frame."""
    try:
        body = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = str(error).removeprefix("JSON is malformed: ")
        return _junk(line, _wrong_byte(line) or f"not JSON: {problem}")
    except RecursionError:
        return _junk(line, "JSON nested too deeply")
    if not isinstance(body, dict):
        return _junk(line, "JSON, but not an object")
    number = body.get("id")
    valid = isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MAX_ID
    return Frame(number if valid else None, body)


def _wrong_byte(line: bytes) -> str:
    """Return the first byte that is not UTF-8, empty if there is none."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"{NOT_UTF_8}: byte 0x{line[error.start]:02x} at position {error.start}"
    return ""


def _junk(line: bytes, problem: str) -> Junk:
    text = line[:200].decode("utf-8", "backslashreplace").rstrip("\r")
    return Junk(text + ("..." if len(line) > 200 else ""), problem)


class Lines:
    """A splitter of a byte stream into lines, which buffers at most `limit` bytes of an incomplete line."""

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    @property
    def unfinished(self) -> int:
        """The bytes of the incomplete line; 0 if it is too long."""
        return self._size if self._size <= self._limit else 0

    def feed(self, chunk: bytes) -> Iterator[bytes | TooLong]:
        """Yield the lines that `chunk` completes, without line ends; empty lines are omitted.

        A too long line is reported once, as soon as it exceeds the limit; the rest of it is skipped.
        """
        *complete, rest = chunk.split(b"\n")
        for part in complete:
            yield from self._add(part)
            if self._size <= self._limit and (line := b"".join(self._parts)).strip():
                yield line
            self._parts.clear()
            self._size = 0
        yield from self._add(rest)

    def _add(self, part: bytes) -> Iterator[TooLong]:
        if self._size > self._limit or not part:
            return
        self._size += len(part)
        if self._size > self._limit:
            self._parts.clear()
            yield TooLong(self._limit)
        else:
            self._parts.append(part)
