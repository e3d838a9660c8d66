"""Time and memory of a command of dra-conform."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter


@dataclass(frozen=True, slots=True)
class MeasuredCommand:
    """Seconds and CPU seconds of a command, and its peak memory in MiB."""

    seconds: float
    cpu: float
    memory: float


def measured(arguments: list[str], output: Path) -> MeasuredCommand:
    """Run a command of dra-conform, with its standard output in a file."""
    with output.open("wb") as stream:
        started = perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "dra_conform", *arguments], stdout=stream)
        _, _, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - started
    return MeasuredCommand(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
