"""Runs that are killed repeatedly: `python -m tests.support.adapters.misbehaviours.kills --kills 200 --seed 0`.

Each round runs a part of the suite, kills the runner at a random time with a random signal, and continues with
`--resume` until a run ends by itself. Its report must equal that of a run that was not killed, and no process may
remain. It prints one line per round and exits with 1 at the first difference.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.adapters.misbehaviours.whole_runs import left
from tests.support.reports.json_reports import without_times

_SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_SERVED = f"exec:{sys.executable} -m dra_conform.adapters.serve builtin"


def main() -> int:
    """Run rounds until there were enough kills; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--suite", default="")
    parser.add_argument("--select", default="kep-5075/rounding")
    parser.add_argument("--implementation", default=_SERVED)
    arguments = parser.parse_args()
    command = [
        sys.executable,
        "-m",
        "dra_conform",
        "run",
        "--select",
        arguments.select,
        "-i",
        arguments.implementation,
    ]
    command += ["--suite", arguments.suite] if arguments.suite else []
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        subprocess.run(
            [*command, "--json", str(folder / "whole.json")], check=True, stdout=subprocess.DEVNULL
        )
        longest = time.monotonic() - began
        for number, found in enumerate(_rounds(command, folder, arguments.kills, longest, chance), start=1):
            print(f"round {number}: {found}", flush=True)
            if without_times(folder / "r.json") != without_times(folder / "whole.json"):
                print("the report differs from that of a run that was not killed")
                return 1
    return 0


def _rounds(
    command: list[str], folder: Path, kills: int, longest: float, chance: random.Random
) -> Iterator[str]:
    """Yield the result of each round until there were enough kills."""
    mark = f"killed-{os.getpid()}"
    environment = {**os.environ, "DRA_ADAPTER_MARK": mark}
    done = 0
    while done < kills:
        events: list[Path] = []
        signals: list[str] = []
        while True:
            events.append(folder / f"events-{done}")
            # A run that is killed right after it has opened its file leaves it empty.
            written = [path for path in events[:-1] if path.exists() and path.stat().st_size]
            resumed = [option for path in written for option in ("--resume", str(path))]
            running = subprocess.Popen(
                [*command, *resumed, "--events", str(events[-1]), "--json", str(folder / "r.json")],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                running.wait(chance.uniform(0.3, 1.2) * longest if done < kills else None)
                break
            except subprocess.TimeoutExpired:
                number = chance.choice(_SIGNALS)
                running.send_signal(number)
                running.wait()
                signals.append(number.name)
                done += 1
            if remaining := left(mark):
                raise SystemExit(f"processes are left after {signals[-1]}: {remaining}")
        if running.returncode != 0:
            raise SystemExit(f"after {signals} the run exits with {running.returncode}")
        yield f"{len(signals)} kills ({' '.join(signals)})"
        for path in events:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
