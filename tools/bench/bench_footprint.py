"""Benchmark of node resource usage over columns: 1,000,000 pods, some with sidecars or pod-level requests."""

from __future__ import annotations

import random
import time

import polars as pl
from row import Row

from dra_conform.footprint import ClaimResourceUsage
from dra_conform.footprint.device_amounts import Overhead
from dra_conform.footprint.footprint_columns import PodColumns, footprints
from dra_conform.kube.core import Container, Pod, PodSpec, ResourceRequirements
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.quantity import Quantity

DISTINCT = 10_000
TIMES = 100
GI = 2**30
PodAndClaims = tuple[Pod, tuple[ClaimResourceUsage, ...]]


def bench() -> list[Row]:
    """Measure pods per second, without and with building the columns of distinct pods."""
    numbers = random.Random(1)
    pods = [_pod(numbers) for _ in range(DISTINCT)]
    began = time.perf_counter()
    columns = PodColumns.of(pods)
    build = (time.perf_counter() - began) / DISTINCT
    many = _repeated(columns)
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        footprints(many)
        best = min(best, time.perf_counter() - began)
    count = DISTINCT * TIMES
    return [
        Row(f"node resource usage of {count:,} pods", count / best, "rows/s", 200_000),
        Row("the same with building the columns", 1 / (build + best / count), "rows/s", 25_000),
    ]


def _repeated(columns: PodColumns) -> PodColumns:
    """Return the columns of the pods repeated TIMES times."""
    return PodColumns(*map(_times, (columns.containers, columns.claims, columns.whole, columns.overhead)))


def _times(rows: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(rows.with_columns(pl.col("pod") + time * DISTINCT) for time in range(TIMES))


def _pod(numbers: random.Random) -> PodAndClaims:
    """Return a pod with two containers and a claim, some with a sidecar, some with pod-level requests."""
    sidecars = (_container(numbers, "Always"),) if numbers.random() < 1 / 3 else ()
    pod_level = (
        ResourceRequirements(requests={"cpu": Quantity.whole(32)}) if numbers.random() < 1 / 5 else None
    )
    containers = tuple(_container(numbers, None) for _ in range(2))
    spec = PodSpec(init_containers=sidecars, containers=containers, resources=pod_level)
    resources = {"cpu": Quantity.whole(numbers.randint(1, 8)), "memory": Quantity.whole(GI)}
    claim = ClaimResourceUsage(
        "c", ("main",), resources, {"memory": Overhead(per_container=Quantity.whole(GI))}
    )
    return Pod(metadata=ObjectMeta(name="p"), spec=spec), (claim,)


def _container(numbers: random.Random, restart_policy: str | None) -> Container:
    requests = {"cpu": Quantity.parse(f"{numbers.randint(1, 4000)}m"), "memory": Quantity.whole(GI)}
    resources = ResourceRequirements(requests=requests)
    return Container(name="c", resources=resources, restart_policy=restart_policy)
