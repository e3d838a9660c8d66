"""Reading of input files, also of files with one type: with a size limit, and without waiting for writers."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, TypeVar

from dra_conform.kube.codec import ConversionError, convert, plain
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.objects import DecodeErrors, decode_as, problems
from dra_conform.kube.yaml import Document, parse_yaml

MAX_BYTES = 256 * 2**20
"""The largest size of an input file."""
_PART = 2**20
"""The smallest number of bytes that is asked for at once."""


def read_input(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """Return the content of a file, a pipe or a device until its end.

    Raises OSError, also for a pipe without a writer and for more than `most` bytes.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        is_pipe = stat.S_ISFIFO(status.st_mode)
        content = _content(stream, status.st_size, most)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"is larger than {most >> 20} MiB, expected a smaller file")
    if is_pipe and not content:
        raise OSError(errno.ENXIO, "is a pipe without a writer")
    return content


def _content(stream: BinaryIO, size: int, most: int) -> bytes:
    """Return the bytes until the end, or more than `most`.

    `size` is the expected number: a read of `most` bytes at once would reserve memory for all of them.
    """
    parts: list[bytes] = []
    total, asked = 0, max(size, _PART) + 1
    while total <= most and (part := stream.read(min(asked, most + 1 - total))):
        parts.append(part)
        total += len(part)
        asked = _PART
    return b"".join(parts)


def read_text(path: str | Path, absent: str = "") -> str:
    """Return the text of a UTF-8 file; raises InputError, with the message `absent` for a missing file."""
    try:
        return read_input(path).decode("utf-8")
    except OSError as error:
        is_absent = absent and isinstance(error, FileNotFoundError)
        message = absent if is_absent else f"cannot be read: {error.strerror}"
        raise InputError(str(path), None, "", message) from None
    except UnicodeDecodeError:
        raise InputError(str(path), None, "", "is not UTF-8, expected UTF-8 text") from None


T = TypeVar("T")


def decode_document(text: str, file: str, kind: type[T], what: str = "") -> tuple[T, Document]:
    """Return the value of the only document of a YAML file, and the document, which locates further errors.

    `what` names the content in the error about several documents. Raises InputError for the first problem.
    """
    documents = parse_yaml(text, file)
    if len(documents) != 1:
        expected = f"one {what}" if what else "one"
        raise InputError(file, 1, "", f"has {len(documents)} YAML documents, expected {expected}")
    [document] = documents
    try:
        return decode_as(kind, document.value), document
    except DecodeErrors as error:
        problem = error.problems[0]
        raise document.error(problem.path, problem.message) from None


def read_typed_file(path: Path, kind: type[T], what: str) -> tuple[T, Document]:
    """Return the value of a file, and its document, which locates further errors.

    `what` names the content in errors. Raises InputErrors and InputError, with the line of each problem.
    """
    shown = str(path)
    try:
        text = read_input(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(
            shown, None, "", f"cannot be read: {problem}, expected a file with one {what}"
        ) from None
    documents = parse_yaml(text, shown)
    if len(documents) != 1:
        raise InputError(shown, None, "", f"has {len(documents)} YAML documents, expected one {what}")
    [document] = documents
    try:
        return convert(plain(document.value), kind), document
    except ConversionError as error:
        found = [document.error(where, message) for where, message in problems(document.value, kind)]
        raise InputErrors(found or [document.error((), str(error))]) from None
