"""The quota usage of many claims in one pass over columns, equal to `claim_usage` for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.kube.resource import DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dra_conform.quota import names
from dra_conform.quota.claim_usage import ALL_DEVICES

COUNT = pl.Int128
"""Sums of counts can exceed 64 bits."""


@dataclass(frozen=True, slots=True)
class ClaimColumns:
    """Claims as columns, each going by its number.

    `claims`: claim, namespace. `requests`, one row a request or subrequest: claim, request, class, mode,
    count. A mode and a count that are unset have their defaults here.
    """

    claims: pl.DataFrame
    requests: pl.DataFrame

    @staticmethod
    def of(claims: Iterable[ResourceClaim]) -> ClaimColumns:
        """The columns of some claims, numbered in their order."""
        namespaces: list[str] = []
        rows: list[tuple[int, int, str, str, int]] = []
        for claim, one in enumerate(claims):
            namespaces.append(one.metadata.namespace or "default")
            for number, request in enumerate(one.spec.devices.requests):
                asked = (request.exactly,) if request.exactly is not None else request.first_available
                rows += [(claim, number, each.device_class_name, *_mode_and_count(each)) for each in asked]
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
    """Columns namespace, name, amount in order: what each namespace counts by quota name.

    `resources` and `adjusted` as in `claim_usage`. `charged` has what the pods of special claims count
    already, one row each: claim, name, charged.
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
    """What claims of one namespace count together, by quota name.

    `charged` has for each claim what its pod counts already, as in `claim_usage`.
    """
    rows = [(claim, *one) for claim, names in enumerate(charged) for one in names.items()]
    frame = pl.DataFrame(rows, schema=no_charges().schema, orient="row")
    usage = usage_by_namespace(ClaimColumns.of(claims), resources, frame, adjusted=adjusted)
    return {name: amount for _, name, amount in usage.iter_rows()}


def no_charges() -> pl.DataFrame:
    """What is charged where no claim is special."""
    return pl.DataFrame(schema={"claim": pl.Int64, "name": pl.String, "charged": COUNT})


def _devices(requests: pl.DataFrame) -> pl.DataFrame:
    """claim, class, amount: of each request the most for a class, of all requests of a claim together."""
    count = (
        pl.when(pl.col("mode") == "All")
        .then(ALL_DEVICES)
        .when(pl.col("mode") == "ExactCount")
        .then("count")
        .otherwise(0)
    )
    most = requests.group_by("claim", "request", "class").agg(amount=count.max())
    return most.group_by("claim", "class").agg(pl.col("amount").sum())


def _mode_and_count(asked: ExactDeviceRequest | DeviceSubRequest) -> tuple[str, int]:
    if asked.allocation_mode:
        return asked.allocation_mode, asked.count
    return "ExactCount", asked.count or 1


def _quotas(resources: Mapping[str, str]) -> pl.DataFrame:
    """class, name: the quotas of extended resources that each class counts in."""
    rows = [(one, names.implicit(one)) for one in resources]
    rows += [(one, names.requested(resource)) for one, resource in resources.items() if resource]
    return pl.DataFrame(rows, schema={"class": pl.String, "name": pl.String}, orient="row")


def _counted_with_pods(devices: pl.DataFrame, charged: pl.DataFrame) -> pl.DataFrame:
    """claim, name, amount: what of the devices of special claims their pods count already."""
    both = devices.join(charged, on=["claim", "name"])
    special = both.group_by("claim", "name").agg(pl.col("amount").sum(), pl.col("charged").first())
    return special.select("claim", "name", amount=pl.min_horizontal("amount", "charged"))
