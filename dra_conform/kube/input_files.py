"""Reading of input files with a size limit, without waiting for a pipe that has no writer."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MAX_BYTES = 256 * 2**20
"""The largest size of an input file."""


def read_input(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """Return the content of a file, a pipe or a device until its end.

    Raises OSError, also for a pipe without a writer and for more than `most` bytes.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "rb") as stream:
        is_pipe = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"is larger than {most >> 20} MiB, expected a smaller file")
    if is_pipe and not content:
        raise OSError(errno.ENXIO, "is a pipe without a writer")
    return content
