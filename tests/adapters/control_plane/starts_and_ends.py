"""Starts a control plane again and again, kills its owner at any moment, and looks for what is left.

`python -m tests.adapters.control_plane.starts_and_ends --count 200 --version v1.37.1`
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

from dra_conform.adapters.control_plane.layout import PORTS
from tests.adapters.control_plane.left_over import nothing_left

_LISTENING = "0A"
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
class Ended:
    """How one start ended: `closed`, `killed` while starting or when `ready`; what was left, empty if nothing."""

    how: str
    seconds: float
    left: str


def start_and_end(version: str, chance: random.Random) -> Ended:
    """One start: a third of them end by SIGKILL, half of these while the components start."""
    killed = chance.random() < 1 / 3
    early = chance.uniform(0.0, 8.0) if killed and chance.random() < 1 / 2 else None
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
        with owner:
            assert owner.stdout is not None
            if early is not None:
                how = "killed while starting"
                time.sleep(early)
                owner.kill()
            elif not owner.stdout.readline().startswith("https://"):
                how = "failed"
            elif killed:
                how = "killed when ready"
                owner.kill()
        if how == "closed" and owner.returncode:
            how = f"failed with {owner.returncode}"
        return Ended(how, time.monotonic() - began, nothing_left(Path(folder)))


def listening() -> set[int]:
    """The ports of ours on the loopback on which somebody listens."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ports = {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == _LISTENING}
    return {port for port in ports if port in PORTS}


def all_of(version: str, count: int, seed: int) -> Iterator[Ended]:
    """So many starts, one after the other."""
    chance = random.Random(seed)
    for _ in range(count):
        yield start_and_end(version, chance)


def main() -> int:
    """1 if anything was left, or a start failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="v1.37.1")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found: Counter[str] = Counter()
    bad = 0
    before = listening()
    for number, ended in enumerate(all_of(asked.version, asked.count, asked.seed), 1):
        found[ended.how] += 1
        bad += bool(ended.left) or ended.how.startswith("failed")
        print(
            f"{number}: {ended.how} after {ended.seconds:.1f} s; left: {ended.left or 'nothing'}", flush=True
        )
    left = listening() - before
    print(f"{dict(found)}; {bad} left something or failed; ports still taken: {sorted(left) or 'none'}")
    return 1 if bad or left else 0


if __name__ == "__main__":
    raise SystemExit(main())
