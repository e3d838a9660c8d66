"""The quota usage of many claims or pods in one pass over columns, with the same results as one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from dra_conform.footprint import recorded
from dra_conform.footprint.footprint_columns import AMOUNT, PodColumns, fits_columns, footprints, limit_totals
from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.resource import DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import names
from dra_conform.quota.object_usage import ALL_DEVICES, NOW, ONE, by_quota, has_ended, pod_usage

USAGE = {"pod": pl.Int64, "name": pl.String, "amount": AMOUNT}
"""The columns of usage: the number of a pod, a quota name, and its usage in nano-units."""


@dataclass(frozen=True, slots=True)
class PodUsage:
    """The usage of pods by number: `columns` with USAGE, and `apart` for pods that do not fit into columns.

    A pod is apart if its containers have other resources during a resize, or if a quantity is so large that a
    sum of 128 bits could overflow.
    """

    columns: pl.DataFrame
    apart: Mapping[int, Mapping[str, Quantity]]


def pod_usage_by_columns(pods: Sequence[Pod], switches: QuotaSwitches, now: datetime = NOW) -> PodUsage:
    """Return the usage of each pod by quota name."""
    ended, counted, apart = [], [], {}
    for number, pod in enumerate(pods):
        if has_ended(pod, now):
            ended.append(number)
        elif fits_columns(pod, switches.node_resources.container_statuses):
            counted.append(number)
        else:
            apart[number] = pod_usage(pod, switches, now)
    frames = [_constant(ended, names.ALL_PODS), _constant(counted, names.ALL_PODS)]
    frames += [_constant(counted, names.PODS), _requests(pods, counted, switches), _limits(pods, counted)]
    return PodUsage(pl.concat(frames), apart)


def _constant(numbers: Sequence[int], name: str) -> pl.DataFrame:
    """Return one for each pod."""
    return pl.DataFrame({"pod": numbers}, schema={"pod": pl.Int64}).with_columns(
        name=pl.lit(name), amount=pl.lit(NANO, dtype=AMOUNT)
    )


def _requests(pods: Sequence[Pod], numbers: Sequence[int], switches: QuotaSwitches) -> pl.DataFrame:
    with_claims = switches.node_resources_counted
    columns = PodColumns.of(
        (pods[number], recorded(pods[number], switches.node_resources) if with_claims else ())
        for number in numbers
    )
    requests = footprints(columns)
    quotas = [
        (resource, quota)
        for resource in requests["resource"].unique()
        if switches.implicit_in_pods or not resource.startswith(CLASS_PREFIX)
        for quota, _ in by_quota({resource: ONE})
    ]
    return _named(requests, quotas, numbers)


def _limits(pods: Sequence[Pod], numbers: Sequence[int]) -> pl.DataFrame:
    limits = limit_totals(pods[number] for number in numbers)
    resources = limits["resource"].unique()
    quotas = [(name, names.limited(name)) for name in resources if names.has_limits(name)]
    return _named(limits, quotas, numbers)


def _named(amounts: pl.DataFrame, quotas: Iterable[tuple[str, str]], numbers: Sequence[int]) -> pl.DataFrame:
    """Return the usage by quota name for amounts by resource, whose pods are positions in `numbers`."""
    schema = {"resource": pl.String, "name": pl.String}
    by_quota = amounts.join(pl.DataFrame(list(quotas), schema=schema, orient="row"), on="resource")
    pod = pl.Series("pod", numbers, dtype=pl.Int64).gather(by_quota["pod"])
    return by_quota.select(pod, "name", "amount")


COUNT = pl.Int128
"""The type of sums of counts, which can exceed 64 bits."""


@dataclass(frozen=True, slots=True)
class ClaimColumns:
    """Claims as columns, identified by number.

    `claims` has the columns claim and namespace. `requests` has claim, request, class, mode and count, with
    one row for each request or subrequest. An unset mode or count has its default here.
    """

    claims: pl.DataFrame
    requests: pl.DataFrame

    @staticmethod
    def of(claims: Iterable[ResourceClaim]) -> ClaimColumns:
        """Return the columns of claims, numbered in their order."""
        namespaces: list[str] = []
        rows: list[tuple[int, int, str, str, int]] = []
        for claim_number, claim in enumerate(claims):
            namespaces.append(claim.metadata.namespace or "default")
            for number, request in enumerate(claim.spec.devices.requests):
                alternatives = (request.exactly,) if request.exactly is not None else request.first_available
                rows += [
                    (claim_number, number, each.device_class_name, *_mode_and_count(each))
                    for each in alternatives
                ]
        schema = {
            "claim": pl.Int64,
            "request": pl.Int64,
            "class": pl.String,
            "mode": pl.String,
            "count": COUNT,
        }
        numbered = pl.DataFrame({"namespace": namespaces}, schema={"namespace": pl.String})
        return ClaimColumns(
            numbered.with_columns(claim=pl.int_range(pl.len(), dtype=pl.Int64)),
            pl.DataFrame(rows, schema=schema, orient="row"),
        )


def usage_by_namespace(
    columns: ClaimColumns, resources: Mapping[str, str], charged: pl.DataFrame, *, adjusted: bool
) -> pl.DataFrame:
    """Return the usage of each namespace by quota name, in the sorted columns `namespace`, `name`, `amount`.

    `resources` and `adjusted` are those of `claim_usage`. `charged` has the usage of the pods of
    extended-resource claims in the columns claim, name and charged.
    """
    devices = _devices(columns.requests)
    by_class = (
        devices.join(columns.claims, on="claim").group_by("namespace", "class").agg(pl.col("amount").sum())
    )
    counted = [
        columns.claims.group_by("namespace").agg(name=pl.lit(names.CLAIMS), amount=pl.len().cast(COUNT)),
        by_class.select("namespace", name=pl.col("class") + names.DEVICES, amount="amount"),
    ]
    if adjusted:
        quotas = _quotas(resources)
        extended = by_class.join(quotas, on="class").select("namespace", "name", "amount")
        once = _counted_with_pods(devices.join(quotas, on="class"), charged).join(columns.claims, on="claim")
        negative = pl.lit(0, dtype=COUNT) - pl.col("amount")  # Int128 has no unary minus
        both = pl.concat([extended, once.select("namespace", "name", amount=negative)])
        summed = both.group_by("namespace", "name").agg(pl.col("amount").sum())
        counted.append(summed.filter(pl.col("amount") > 0))
    return pl.concat(counted).sort("namespace", "name")


def usage_by_columns(
    claims: Sequence[ResourceClaim],
    resources: Mapping[str, str],
    charged: Iterable[Mapping[str, int]],
    *,
    adjusted: bool,
) -> dict[str, int]:
    """Return the total usage of the claims of one namespace by quota name.

    `charged` has the usage that the pod of each claim counts already, as in `claim_usage`.
    """
    rows = [(claim, *charge) for claim, names in enumerate(charged) for charge in names.items()]
    frame = pl.DataFrame(rows, schema=no_charges().schema, orient="row")
    usage = usage_by_namespace(ClaimColumns.of(claims), resources, frame, adjusted=adjusted)
    return {name: amount for _, name, amount in usage.iter_rows()}


def no_charges() -> pl.DataFrame:
    """Return the empty `charged` columns for claims without extended-resource claims."""
    return pl.DataFrame(schema={"claim": pl.Int64, "name": pl.String, "charged": COUNT})


def _devices(requests: pl.DataFrame) -> pl.DataFrame:
    """Return claim, class and amount: the sum over requests of the maximum for each DeviceClass."""
    count = (
        pl.when(pl.col("mode") == "All")
        .then(ALL_DEVICES)
        .when(pl.col("mode") == "ExactCount")
        .then("count")
        .otherwise(0)
    )
    maximum = requests.group_by("claim", "request", "class").agg(amount=count.max())
    return maximum.group_by("claim", "class").agg(pl.col("amount").sum())


def _mode_and_count(asked: ExactDeviceRequest | DeviceSubRequest) -> tuple[str, int]:
    if asked.allocation_mode:
        return asked.allocation_mode, asked.count
    return "ExactCount", asked.count or 1


def _quotas(resources: Mapping[str, str]) -> pl.DataFrame:
    """Return class and name: the quotas of extended resources of each DeviceClass."""
    rows = [(device_class, names.implicit(device_class)) for device_class in resources]
    rows += [
        (device_class, names.requested(resource)) for device_class, resource in resources.items() if resource
    ]
    return pl.DataFrame(rows, schema={"class": pl.String, "name": pl.String}, orient="row")


def _counted_with_pods(devices: pl.DataFrame, charged: pl.DataFrame) -> pl.DataFrame:
    """Return, as columns, the usage of extended-resource claims that their pods already count."""
    both = devices.join(charged, on=["claim", "name"])
    totals = both.group_by("claim", "name").agg(pl.col("amount").sum(), pl.col("charged").first())
    return totals.select("claim", "name", amount=pl.min_horizontal("amount", "charged"))
