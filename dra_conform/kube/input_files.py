"""Reading of input files with a size limit, never waiting for a pipe."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MAX_BYTES = 256 * 2**20


def read_input(path: str | Path) -> bytes:
    """The content of a file, or of a pipe or device until its end.

    A pipe that nobody writes to is not waited for. Raises OSError, also for what is larger than MAX_BYTES.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    os.set_blocking(number, True)
    with os.fdopen(number, "rb") as stream:
        is_pipe = stat.S_ISFIFO(os.fstat(number).st_mode)
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MAX_BYTES >> 20} MiB")
    if is_pipe and not content:
        raise OSError(errno.ENXIO, "is a pipe that nobody writes to")
    return content
