"""Start control planes repeatedly, kill their owner at a random time, and check that nothing remains.

`python -m tests.support.adapters.control_plane.starts_and_ends --count 200 --version v1.37.1`
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.adapters.control_plane.leftovers import (
    listening_ports,
    ports_of,
    processes_in,
    remaining_after,
)

_OWNER = """
import sys
from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.kube.profile import Profile
version = sys.argv[1]
plane = ControlPlane(version)
try:
    plane.begin(Profile.named("kubernetes-" + version[1:].rpartition(".")[0]), {})
    print(plane.endpoint.server, flush=True)
    sys.stdin.read()
finally:
    plane.close()
"""


@dataclass(frozen=True)
class StartResult:
    """Result of one start: `how` it ended, and the remaining processes and files in `left`.

    `ports` is the number of ports on which it listened.
    """

    how: str
    seconds: float
    left: str
    ports: int


def start_and_end(version: str, rng: random.Random) -> StartResult:
    """Start a control plane once: a third end by SIGKILL, half of these while the components start."""
    killed = rng.random() < 1 / 3
    early = rng.uniform(0.0, 8.0) if killed and rng.random() < 1 / 2 else None
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        owner = subprocess.Popen(
            [sys.executable, "-c", _OWNER, version],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": folder},
            text=True,
        )
        how = "closed"
        ports: set[int] = set()
        with owner:
            assert owner.stdout is not None
            if early is not None:
                how = "killed while starting"
                time.sleep(early)
                ports = _kill(owner, folder)
            elif not owner.stdout.readline().startswith("https://"):
                how = "failed"
            elif killed:
                how = "killed when ready"
                ports = _kill(owner, folder)
            else:
                ports = ports_of(processes_in(Path(folder)))
        if how == "closed" and owner.returncode:
            how = f"failed with {owner.returncode}"
        left = remaining_after(Path(folder))
        taken = sorted(ports & set(listening_ports().values()))
        return StartResult(
            how, time.monotonic() - began, left or (f"ports {taken}" if taken else ""), len(ports)
        )


def _kill(owner: subprocess.Popen[str], folder: str) -> set[int]:
    """Kill the owner; return the ports on which its control plane listened."""
    ports = ports_of(processes_in(Path(folder)))
    owner.kill()
    return ports


def starts(version: str, count: int, seed: int) -> Iterator[StartResult]:
    """Yield the results of several starts, one after the other."""
    rng = random.Random(seed)
    for _ in range(count):
        yield start_and_end(version, rng)


def main() -> int:
    """Return 1 if anything remained or a start failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="v1.37.1")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    bad = 0
    for number, ended in enumerate(starts(arguments.version, arguments.count, arguments.seed), 1):
        counts[ended.how] += 1
        bad += bool(ended.left) or ended.how.startswith("failed")
        print(
            f"{number}: {ended.how} after {ended.seconds:.1f} s, {ended.ports} ports; "
            f"left: {ended.left or 'nothing'}",
            flush=True,
        )
    print(f"{dict(counts)}; {bad} left something or failed")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
