"""The node resource usage of many pods in one pass over columns, with the same results as `footprint`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.footprint.amounts import Amounts
from dra_conform.footprint.claim_amounts import ClaimResourceUsage
from dra_conform.footprint.containers import SIDECAR, is_resized
from dra_conform.footprint.pod_footprint import ALL, FootprintOptions, pod_level_limits, pod_level_requests
from dra_conform.kube.core import Container, Pod
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.values import ContainerStatuses

AMOUNT = pl.Int128
"""The type of quantities in nano-units, in which every sum is exact."""
LARGEST = 2**96
"""The largest quantity in nano-units that columns take, so that no sum of 2^30 of them overflows."""
_RESOURCE = {"pod": pl.Int64, "resource": pl.String, "amount": AMOUNT}
_CONTAINERS = {**_RESOURCE, "before": pl.Boolean, "sidecar": pl.Boolean}
_CLAIMS = {**_RESOURCE, "times": pl.Int64}
PARTS = ("pod", "resource", "containers", "claims", "pod_level", "overhead", "total")
"""The columns of `footprint_parts`."""


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
        return PodColumns._of(pods, _requests, pod_level_requests)

    @staticmethod
    def of_limits(pods: Iterable[Pod]) -> PodColumns:
        """Return the columns of the limits of pods, which take the place of requests."""
        return PodColumns._of(((pod, ()) for pod in pods), _limits, pod_level_limits)

    @staticmethod
    def _of(
        pods: Iterable[tuple[Pod, Sequence[ClaimResourceUsage]]],
        of_container: Callable[[Container], Amounts],
        of_pod: Callable[[Pod], Amounts],
    ) -> PodColumns:
        containers: list[tuple[int, str, int, bool, bool]] = []
        claims: list[tuple[int, str, int, int]] = []
        whole: list[tuple[int, str, int]] = []
        overhead: list[tuple[int, str, int]] = []
        for number, (pod, usage) in enumerate(pods):
            for before, group in ((True, pod.spec.init_containers), (False, pod.spec.containers)):
                for container in group:
                    sidecar = before and container.restart_policy == SIDECAR
                    amounts = of_container(container).items()
                    containers += [(number, name, each.nano, before, sidecar) for name, each in amounts]
            claims += [(number, *row) for claim in usage for row in _counted(claim)]
            whole += [(number, name, each.nano) for name, each in of_pod(pod).items()]
            overhead += [(number, name, each.nano) for name, each in pod.spec.overhead.items()]
        return PodColumns.of_rows(containers, claims, whole, overhead)

    @staticmethod
    def of_rows(
        containers: Sequence[tuple[int, str, int, bool, bool]],
        claims: Sequence[tuple[int, str, int, int]],
        whole: Sequence[tuple[int, str, int]],
        overhead: Sequence[tuple[int, str, int]],
    ) -> PodColumns:
        """Return the columns of rows, each of which begins with the number of its pod and a resource."""
        return PodColumns(
            pl.DataFrame(containers, schema=_CONTAINERS, orient="row"),
            pl.DataFrame(claims, schema=_CLAIMS, orient="row"),
            pl.DataFrame(whole, schema=_RESOURCE, orient="row"),
            pl.DataFrame(overhead, schema=_RESOURCE, orient="row"),
        )


def _requests(container: Container) -> Amounts:
    return container.resources.requests


def _limits(container: Container) -> Amounts:
    return container.resources.limits


def fits_columns(pod: Pod, statuses: ContainerStatuses, claims: Sequence[ClaimResourceUsage] = ()) -> bool:
    """Whether columns give the usage of a pod: no container is resized, no quantity is negative or too
    large."""
    if statuses is not ContainerStatuses.IGNORED and is_resized(pod):
        return False
    spec = pod.spec
    parts = [each.resources for each in (*spec.init_containers, *spec.containers)]
    parts += [spec.resources] if spec.resources else []
    amounts = [spec.overhead, *(each.requests for each in parts), *(each.limits for each in parts)]
    if not all(0 <= each.nano <= LARGEST for named in amounts for each in named.values()):
        return False
    return all(
        amount >= 0 and amount * times <= LARGEST for claim in claims for _, amount, times in _counted(claim)
    )


def limit_totals(pods: Iterable[Pod]) -> pl.DataFrame:
    """Return the limits of each pod like `limits`, in the sorted columns of `footprints`.

    Overhead counts only for resources with a limit.
    """
    columns = PodColumns.of_limits(pods)
    limited = footprints(columns, FootprintOptions(without_overhead=True))
    with_limit = limited.filter(pl.col("amount") != 0).select("pod", "resource")
    overhead = columns.overhead.join(with_limit, on=["pod", "resource"], how="semi")
    total = pl.concat([limited, overhead]).group_by("pod", "resource").agg(pl.col("amount").sum())
    return total.sort("pod", "resource")


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


def footprint_parts(columns: PodColumns) -> pl.DataFrame:
    """Return the parts of the usage of each pod in the sorted columns of PARTS.

    `pod_level` is null without a pod-level request, which replaces containers and claims in the total.
    """
    parts = {
        "containers": _of_containers(columns.containers, "pod", "resource"),
        "claims": columns.claims.select("pod", "resource", amount=pl.col("amount") * pl.col("times")),
        "pod_level": columns.whole,
        "overhead": columns.overhead,
    }
    frames = [frame.select("pod", "resource", pl.col("amount").alias(name)) for name, frame in parts.items()]
    sums = [pl.col(name).sum() for name in parts if name != "pod_level"]
    by_pod = pl.concat(frames, how="diagonal").group_by("pod", "resource")
    grouped = by_pod.agg(*sums, pl.col("pod_level").max())
    added = pl.col("containers") + pl.col("claims")
    total = pl.coalesce(pl.col("pod_level"), added) + pl.col("overhead")
    return grouped.select("pod", "resource", *parts, total=total).sort("pod", "resource")


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


def _of_containers(containers: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Return the peak: app containers and sidecars together, or an init container with running sidecars."""
    keys = keys or ("key",)
    lasting = pl.when(pl.col("sidecar") | ~pl.col("before")).then("amount").otherwise(0)
    together = containers.group_by(*keys).agg(amount=lasting.sum())
    before = containers.filter("before")
    if not before.height:
        return together
    until = pl.when("sidecar").then("amount").otherwise(0).cum_sum().over(*keys)
    ending = pl.when("sidecar").then(0).otherwise("amount")
    peaks = before.select(*keys, running=until + ending).group_by(*keys).agg(peak=pl.col("running").max())
    joined = together.join(peaks, on=keys, how="left")
    return joined.select(*keys, amount=pl.max_horizontal("amount", "peak"))


def _counted(claim: ClaimResourceUsage) -> Iterator[tuple[str, int, int]]:
    """Yield each resource with its quantity, and the number of times that the quantity counts."""
    for name, quantity in claim.resources.items():
        yield name, quantity.nano, 1
    for name, overhead in claim.overhead.items():
        yield name, _nano(overhead.per_pod), 1
        yield name, _nano(overhead.per_container), len(claim.containers)


def _nano(quantity: Quantity | None) -> int:
    return 0 if quantity is None else quantity.nano
