"""Detection of processes, files and ports that remain after a control plane has ended."""

from __future__ import annotations

import time
from pathlib import Path

_LIMIT = 60.0
_LISTENING = "0A"


def processes_in(folder: Path) -> list[int]:
    """Return the processes that run in a folder or below it, or have it on their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_inside = process.joinpath("cwd").readlink().is_relative_to(folder)
            named = str(folder) in process.joinpath("cmdline").read_text("utf-8", "replace")
        except OSError:
            continue  # The process has ended.
        if is_inside or named:
            found.append(int(process.name))
    return found


def listening_ports() -> dict[str, int]:
    """Return the ports with a listening socket, by the number of the socket."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[9]: int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == _LISTENING}


def ports_of(processes: list[int]) -> set[int]:
    """Return the ports on which these processes listen."""
    sockets = {f"socket:[{number}]": port for number, port in listening_ports().items()}
    found = set()
    for process in processes:
        try:
            names = {str(opened.readlink()) for opened in Path(f"/proc/{process}/fd").iterdir()}
        except OSError:
            continue  # The process has ended.
        found |= {sockets[name] for name in names & sockets.keys()}
    return found


def remaining_after(folder: Path, limit: float = _LIMIT) -> str:
    """Wait until a folder is empty and no process uses it; return what remains after the limit."""
    end = time.monotonic() + limit
    while True:
        files, processes = sorted(folder.iterdir()), processes_in(folder)
        if not files and not processes:
            return ""
        if time.monotonic() > end:
            return f"processes {processes}, files {[file.name for file in files]}"
        time.sleep(0.02)
