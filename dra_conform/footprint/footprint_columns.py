"""The node resource usage of many pods in one pass over columns, with the same results as `footprint`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.footprint.claim_amounts import ClaimResourceUsage
from dra_conform.footprint.containers import SIDECAR
from dra_conform.footprint.pod_footprint import ALL, FootprintOptions, pod_level_requests
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity

AMOUNT = pl.Int128
"""The type of quantities in nano-units, in which every sum is exact."""
_RESOURCE = {"pod": pl.Int64, "resource": pl.String, "amount": AMOUNT}
CONTAINERS = {**_RESOURCE, "before": pl.Boolean, "sidecar": pl.Boolean}
CLAIMS = {**_RESOURCE, "times": pl.Int64}


@dataclass(frozen=True, slots=True)
class PodColumns:
    """Pods as columns, identified by number, with one row for each resource and quantities in nano-units.

    `containers` has the requests of containers in order; `before` marks init containers, `sidecar` marks the
    sidecars among them. `claims` has the usage of claims and how many `times` it counts. `whole` has the
    pod-level requests, `overhead` the overhead of the pod.
    """

    containers: pl.DataFrame
    claims: pl.DataFrame
    whole: pl.DataFrame
    overhead: pl.DataFrame

    @staticmethod
    def of(pods: Iterable[tuple[Pod, Sequence[ClaimResourceUsage]]]) -> PodColumns:
        """Return the columns of pods with the usage of their claims, numbered in their order."""
        containers: list[tuple[int, str, int, bool, bool]] = []
        claims: list[tuple[int, str, int, int]] = []
        whole: list[tuple[int, str, int]] = []
        overhead: list[tuple[int, str, int]] = []
        for number, (pod, usage) in enumerate(pods):
            for before, group in ((True, pod.spec.init_containers), (False, pod.spec.containers)):
                for container in group:
                    sidecar = before and container.restart_policy == SIDECAR
                    requests = container.resources.requests.items()
                    containers += [(number, name, each.nano, before, sidecar) for name, each in requests]
            claims += [(number, *row) for claim in usage for row in _counted(claim)]
            whole += [(number, name, each.nano) for name, each in pod_level_requests(pod).items()]
            overhead += [(number, name, each.nano) for name, each in pod.spec.overhead.items()]
        return PodColumns(
            pl.DataFrame(containers, schema=CONTAINERS, orient="row"),
            pl.DataFrame(claims, schema=CLAIMS, orient="row"),
            pl.DataFrame(whole, schema=_RESOURCE, orient="row"),
            pl.DataFrame(overhead, schema=_RESOURCE, orient="row"),
        )


def footprints(columns: PodColumns, options: FootprintOptions = ALL) -> pl.DataFrame:
    """Return the node resource usage of each pod in the sorted columns `pod`, `resource` and `amount`."""
    frames = (columns.containers, columns.claims, columns.whole, columns.overhead)
    names = pl.concat(frame["resource"] for frame in frames).unique().sort()
    if names.is_empty():
        return pl.DataFrame(schema=_RESOURCE)
    containers, claims, whole, overhead = (_keyed(frame, names) for frame in frames)
    whole = whole.clear() if options.without_pod_level else whole
    overhead = overhead.clear() if options.without_overhead else overhead
    parts = [_of_containers(containers), claims.select("key", amount=pl.col("amount") * pl.col("times"))]
    if whole.height:
        parts = [part.join(whole, on="key", how="anti") for part in parts]
    total = pl.concat([*parts, whole, overhead]).group_by("key").agg(pl.col("amount").sum()).sort("key")
    resource = names.gather(total["key"] % len(names)).alias("resource")
    return total.select(pl.col("key") // len(names), resource, "amount").rename({"key": "pod"})


def footprint_by_columns(
    pod: Pod, claims: Sequence[ClaimResourceUsage], options: FootprintOptions = ALL
) -> dict[str, Quantity]:
    """Return the node resource usage of one pod, with the same result as `footprint`."""
    rows = footprints(PodColumns.of([(pod, claims)]), options).iter_rows()
    return {resource: Quantity(amount) for _, resource, amount in rows}


def _keyed(rows: pl.DataFrame, names: pl.Series) -> pl.DataFrame:
    """Return the rows with pod and resource combined into one number, which is much faster to group by."""
    code = pl.col("resource").cast(pl.Enum(names)).to_physical().cast(pl.Int64)
    return rows.select(pl.exclude("pod", "resource"), key=pl.col("pod") * len(names) + code).select(
        "key", pl.exclude("key")
    )


def _of_containers(containers: pl.DataFrame) -> pl.DataFrame:
    """Return the peak: app containers and sidecars together, or an init container with running sidecars."""
    lasting = pl.when(pl.col("sidecar") | ~pl.col("before")).then("amount").otherwise(0)
    together = containers.group_by("key").agg(amount=lasting.sum())
    before = containers.filter("before")
    if not before.height:
        return together
    until = pl.when("sidecar").then("amount").otherwise(0).cum_sum().over("key")
    ending = pl.when("sidecar").then(0).otherwise("amount")
    peaks = before.select("key", running=until + ending).group_by("key").agg(peak=pl.col("running").max())
    joined = together.join(peaks, on="key", how="left")
    return joined.select("key", amount=pl.max_horizontal("amount", "peak"))


def _counted(claim: ClaimResourceUsage) -> Iterator[tuple[str, int, int]]:
    """Yield each resource with its quantity, and the number of times that the quantity counts."""
    for name, quantity in claim.resources.items():
        yield name, quantity.nano, 1
    for name, overhead in claim.overhead.items():
        yield name, _nano(overhead.per_pod), 1
        yield name, _nano(overhead.per_container), len(claim.containers)


def _nano(quantity: Quantity | None) -> int:
    return 0 if quantity is None else quantity.nano
