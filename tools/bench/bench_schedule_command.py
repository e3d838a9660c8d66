"""Benchmark of the command `dra-conform schedule`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from manifests import SHAPES, write_manifests
from measured_command import measured
from row import Row

NODES, DEVICES, PODS = 5_000, 8, 20_000
FEW_NODES, FEW_PODS = 100, 500
MOST_SECONDS, MOST_MEMORY = 60, 1_536
FLAT = 130
"""Upper bound of the time per pod in a large cluster, in percent of that in a small cluster."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """Seconds and CPU seconds of a command, its peak memory in MiB, and the number of pods that run."""

    seconds: float
    cpu: float
    memory: float
    running: int


def bench() -> Iterator[Row]:
    """Measure a cluster where all pods fit, and one where most stay Pending, with the reasons of each.

    The time per pod is the difference between two runs, so it excludes reading the cluster.
    """
    most = command(NODES, DEVICES, PODS)
    assert most.running == PODS, f"{most.running} of {PODS} pods run"
    yield from _rows(f"{PODS:,} pods, {SHAPES} shapes, {NODES:,} nodes x {DEVICES} devices", most)
    full = command(NODES, 1, PODS, "--explain")
    assert full.running == NODES, f"{full.running} of {NODES} pods run"
    yield from _rows(f"{PODS:,} pods, {NODES:,} nodes x 1 device, --explain", full)
    few = command(NODES, DEVICES, FEW_PODS)
    large = (most.cpu - few.cpu) / (PODS - FEW_PODS)
    first, second = (command(FEW_NODES, DEVICES, pods).cpu for pods in (1, FEW_PODS))
    small = (second - first) / (FEW_PODS - 1)
    name = f"time per pod, {PODS:,} on {NODES:,} nodes to {FEW_PODS} on {FEW_NODES}"
    yield Row(name, 100 * large / small, "%", FLAT, at_most=True)


def command(nodes: int, devices: int, pods: int, *options: str) -> CommandRun:
    """Write the manifests and run the command on them."""
    with TemporaryDirectory() as folder:
        write_manifests(Path(folder, "manifests"), nodes, devices, pods)
        table = Path(folder, "table")
        ran = measured(["schedule", "-f", f"{folder}/manifests", *options], table)
        running = table.read_text("utf-8").count(" running ")
    return CommandRun(ran.seconds, ran.cpu, ran.memory, running)


def _rows(name: str, ran: CommandRun) -> Iterator[Row]:
    yield Row(f"{name}: seconds", ran.seconds, "s", 0)
    yield Row(f"{name}: CPU", ran.cpu, "s", MOST_SECONDS, at_most=True)
    yield Row(f"{name}: memory", ran.memory, "MiB", MOST_MEMORY, at_most=True)
