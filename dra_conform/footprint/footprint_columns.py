"""The node resource usage of many pods in one pass over columns, equal to `footprint` for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.footprint.claim_amounts import ClaimAmounts
from dra_conform.footprint.containers import SIDECAR
from dra_conform.footprint.pod_footprint import ALL, FootprintOptions, requested_as_a_whole
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity

AMOUNT = pl.Int128
"""Nano units, so that every sum is exact."""
_RESOURCE = {"pod": pl.Int64, "resource": pl.String, "amount": AMOUNT}
CONTAINERS = {**_RESOURCE, "before": pl.Boolean, "sidecar": pl.Boolean}
CLAIMS = {**_RESOURCE, "times": pl.Int64}


@dataclass(frozen=True, slots=True)
class PodColumns:
    """Pods as columns, each going by its number; one row for each resource, its amount in nano units.

    `containers`: those of a pod in their order, init containers `before` the others, of which some are a
    `sidecar`. `claims`: what one takes, counted some `times`. `whole` is what the pod requests as a whole,
    `overhead` its own.
    """

    containers: pl.DataFrame
    claims: pl.DataFrame
    whole: pl.DataFrame
    overhead: pl.DataFrame

    @staticmethod
    def of(pods: Iterable[tuple[Pod, Sequence[ClaimAmounts]]]) -> PodColumns:
        """The columns of pods with what their claims take, numbered in their order."""
        containers: list[tuple[int, str, int, bool, bool]] = []
        claims: list[tuple[int, str, int, int]] = []
        whole: list[tuple[int, str, int]] = []
        overhead: list[tuple[int, str, int]] = []
        for number, (pod, taken) in enumerate(pods):
            for before, several in ((True, pod.spec.init_containers), (False, pod.spec.containers)):
                for one in several:
                    sidecar = before and one.restart_policy == SIDECAR
                    requests = one.resources.requests.items()
                    containers += [(number, name, each.nano, before, sidecar) for name, each in requests]
            claims += [(number, *row) for claim in taken for row in _counted(claim)]
            whole += [(number, name, each.nano) for name, each in requested_as_a_whole(pod).items()]
            overhead += [(number, name, each.nano) for name, each in pod.spec.overhead.items()]
        return PodColumns(
            pl.DataFrame(containers, schema=CONTAINERS, orient="row"),
            pl.DataFrame(claims, schema=CLAIMS, orient="row"),
            pl.DataFrame(whole, schema=_RESOURCE, orient="row"),
            pl.DataFrame(overhead, schema=_RESOURCE, orient="row"),
        )


def footprints(columns: PodColumns, options: FootprintOptions = ALL) -> pl.DataFrame:
    """Columns pod, resource, amount in order: what each pod takes of its node."""
    frames = (columns.containers, columns.claims, columns.whole, columns.overhead)
    names = pl.concat(one["resource"] for one in frames).unique().sort()
    if names.is_empty():
        return pl.DataFrame(schema=_RESOURCE)
    containers, claims, whole, overhead = (_keyed(one, names) for one in frames)
    whole = whole.clear() if options.without_pod_level else whole
    overhead = overhead.clear() if options.without_overhead else overhead
    parts = [_of_containers(containers), claims.select("key", amount=pl.col("amount") * pl.col("times"))]
    if whole.height:
        parts = [part.join(whole, on="key", how="anti") for part in parts]
    total = pl.concat([*parts, whole, overhead]).group_by("key").agg(pl.col("amount").sum()).sort("key")
    resource = names.gather(total["key"] % len(names)).alias("resource")
    return total.select(pl.col("key") // len(names), resource, "amount").rename({"key": "pod"})


def footprint_by_columns(
    pod: Pod, claims: Sequence[ClaimAmounts], options: FootprintOptions = ALL
) -> dict[str, Quantity]:
    """The node resource usage of one pod, as `footprint` has it."""
    rows = footprints(PodColumns.of([(pod, claims)]), options).iter_rows()
    return {resource: Quantity(amount) for _, resource, amount in rows}


def _keyed(rows: pl.DataFrame, names: pl.Series) -> pl.DataFrame:
    """Pod and resource as one number, in the order of pods and of names: much faster to group by."""
    code = pl.col("resource").cast(pl.Enum(names)).to_physical().cast(pl.Int64)
    return rows.select(pl.exclude("pod", "resource"), key=pl.col("pod") * len(names) + code).select(
        "key", pl.exclude("key")
    )


def _of_containers(containers: pl.DataFrame) -> pl.DataFrame:
    """The most that is requested at a time: all that go on together, or an init container while it runs."""
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


def _counted(claim: ClaimAmounts) -> Iterator[tuple[str, int, int]]:
    """Resource, amount and how often it counts; overhead for each container that uses the claim."""
    for name, amount in claim.resources.items():
        yield name, amount.nano, 1
    for name, one in claim.overhead.items():
        yield name, _nano(one.per_pod), 1
        yield name, _nano(one.per_container), len(claim.containers)


def _nano(amount: Quantity | None) -> int:
    return 0 if amount is None else amount.nano
