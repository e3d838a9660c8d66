"""Benchmarks of `dra-conform usage` and `footprint`: a dump of 100,000 pods and claims, a million claims."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from bench_quota import CLASSES, random_claim
from dumps import write_dump
from measured_command import measured
from row import Row

from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, DeviceClassSpec
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota.cluster_usage import ClusterUsage

PODS, CLAIMS = 100_000, 1_000_000
MOST_SECONDS, MOST_MEMORY, MOST_SECONDS_OF_CLAIMS = 60, 2_048, 20
_RELEASE = ("--profile", "kubernetes-1.37", "--gates", "DRANodeAllocatableResources=true", "-o", "csv")


def bench() -> Iterator[Row]:
    """Measure CPU time and memory, in which reading the JSON takes the largest part."""
    with TemporaryDirectory() as folder:
        dump, output = Path(folder, "dump.json"), Path(folder, "rows.csv")
        write_dump(dump, PODS)
        size = dump.stat().st_size / 2**20
        for command in ("usage", "footprint"):
            ran = measured([command, "-f", str(dump), *_RELEASE], output)
            assert output.read_text("utf-8").count("\n") > 1, "no rows"
            name = f"{command}, {PODS:,} pods and claims, {size:,.0f} MiB of JSON"
            yield Row(f"{name}: seconds", ran.seconds, "s", 0)
            yield Row(f"{name}: CPU", ran.cpu, "s", MOST_SECONDS, at_most=True)
            yield Row(f"{name}: memory", ran.memory, "MiB", MOST_MEMORY, at_most=True)
    seconds = _usage_of_claims()
    yield Row(f"quota usage of {CLAIMS:,} claims: CPU", seconds, "s", MOST_SECONDS_OF_CLAIMS, at_most=True)


def _usage_of_claims() -> float:
    numbers = random.Random(1)
    some = [random_claim(numbers) for _ in range(1_000)]
    claims = numbers.choices(some, k=CLAIMS)
    classes = [
        DeviceClass(metadata=ObjectMeta(name=name), spec=DeviceClassSpec(extended_resource_name=resource))
        for name, resource in CLASSES.items()
    ]
    began = process_time()
    usage = ClusterUsage(classes, claims, (), QuotaSwitches.of(Profile.named("kep")))
    assert usage.by_namespace
    return process_time() - began
