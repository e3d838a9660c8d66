"""What many pods take of their nodes, in one pass over columns. The same as `footprint` for each."""

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
    whole = columns.whole.clear() if options.without_pod_level else columns.whole
    overhead = columns.overhead.clear() if options.without_overhead else columns.overhead
    claims = columns.claims.select("pod", "resource", amount=pl.col("amount") * pl.col("times"))
    parts = [_of_containers(columns.containers), claims]
    parts = [*(part.join(whole, on=["pod", "resource"], how="anti") for part in parts), whole, overhead]
    both = pl.concat(parts)
    return both.group_by("pod", "resource").agg(pl.col("amount").sum()).sort("pod", "resource")


def _of_containers(containers: pl.DataFrame) -> pl.DataFrame:
    """The most that is requested at a time: all that go on together, or an init container while it runs."""
    lasting = pl.when(pl.col("sidecar") | ~pl.col("before")).then("amount").otherwise(0)
    ending = pl.when("sidecar").then(0).otherwise("amount")
    before = containers.filter("before").with_columns(
        running=(pl.when("sidecar").then("amount").otherwise(0)).cum_sum().over("pod", "resource") + ending
    )
    together = containers.group_by("pod", "resource").agg(amount=lasting.sum())
    if not before.height:
        return together
    peaks = before.group_by("pod", "resource").agg(peak=pl.col("running").max())
    joined = together.join(peaks, on=["pod", "resource"], how="left")
    return joined.select("pod", "resource", amount=pl.max_horizontal("amount", "peak"))


def _counted(claim: ClaimAmounts) -> Iterator[tuple[str, int, int]]:
    """Resource, amount and how often it counts; overhead for each container that uses the claim."""
    for name, amount in claim.resources.items():
        yield name, amount.nano, 1
    for name, one in claim.overhead.items():
        yield name, _nano(one.per_pod), 1
        yield name, _nano(one.per_container), len(claim.containers)


def _nano(amount: Quantity | None) -> int:
    return 0 if amount is None else amount.nano
