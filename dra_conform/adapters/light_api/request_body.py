"""Bodies of HTTP requests: their bytes, also in chunks, and the JSON or protobuf in them."""

from __future__ import annotations

import json
from email.message import Message
from io import BufferedIOBase
from typing import Any

MAX_BODY = 3 * 2**20
"""The size of a request body that is read, in bytes, as in the API server."""


class BadBody(ValueError):  # noqa: N818 - it reads as what it is
    """A body that cannot be read or decoded. `unread`: whether the connection still has a part of it."""

    def __init__(self, message: str, *, unread: bool) -> None:
        super().__init__(message)
        self.unread = unread


def body_of(headers: Message, stream: BufferedIOBase) -> bytes:
    """Return the body of a request, empty if there is none; raises BadBody."""
    if headers.get("Transfer-Encoding", "").lower() != "chunked":
        return stream.read(_length(headers.get("Content-Length", "0")))
    data = b""
    while length := _length(stream.readline(20).split(b";")[0].decode("latin-1"), len(data), 16):
        data += stream.read(length)
        stream.readline(3)
    while stream.readline(1000).strip():  # fields after the last chunk
        continue
    return data


def decoded(data: bytes) -> Any:
    """Return the object in a body, None for an empty body; raises BadBody."""
    if not data:
        return None
    try:
        if data.startswith(b"k8s\x00"):
            # Imported here: protobuf is needed for clients in Go only.
            from dra_conform.adapters.light_api.protobuf_bodies import decode  # noqa: PLC0415

            return decode(data)
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadBody(f"the body cannot be decoded: {error}", unread=False) from None


def _length(text: str, before: int = 0, base: int = 10) -> int:
    """Return the length of a body, or of a chunk after others; raises BadBody."""
    try:
        length = int(text.strip(), base)
    except ValueError:
        length = -1
    if not 0 <= length <= MAX_BODY - before:
        message = f"the body has the length {text.strip()!r}, expected at most {MAX_BODY} bytes"
        raise BadBody(message, unread=True)
    return length
