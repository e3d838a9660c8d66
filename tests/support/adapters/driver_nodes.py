"""What drivers leave behind: files below a folder, and processes that know it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def short_temporary_folder() -> Iterator[Path]:
    """Use a folder with a short path for temporary files, because paths of sockets are limited."""
    folder = Path(tempfile.mkdtemp(prefix="t", dir="/tmp"))
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        shutil.rmtree(folder, ignore_errors=True)


def processes_of(folder: Path) -> list[str]:
    """Return the command lines of processes whose environment or arguments name a folder."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdigit():
                command = (process / "cmdline").read_bytes()
                if str(folder).encode() in command + (process / "environ").read_bytes():
                    found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found
