"""What is left of processes that were to leave nothing: other processes, and files."""

from __future__ import annotations

import time
from pathlib import Path

_LIMIT = 60.0


def processes_in(folder: Path) -> list[int]:
    """The processes that run in a folder or below it, or that name it on their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            here = process.joinpath("cwd").readlink().is_relative_to(folder)
            named = str(folder) in process.joinpath("cmdline").read_text("utf-8", "replace")
        except OSError:
            continue  # it has ended meanwhile
        if here or named:
            found.append(int(process.name))
    return found


def nothing_left(folder: Path, limit: float = _LIMIT) -> str:
    """Wait until a folder is empty and no process knows it; otherwise what there still is at the limit."""
    end = time.monotonic() + limit
    while True:
        files, processes = sorted(folder.iterdir()), processes_in(folder)
        if not files and not processes:
            return ""
        if time.monotonic() > end:
            return f"processes {processes}, files {[file.name for file in files]}"
        time.sleep(0.02)
