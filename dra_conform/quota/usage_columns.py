"""The quota usage of many claims in one pass over columns, equal to `claim_usage` for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from dra_conform.kube.resource import ResourceClaim
from dra_conform.quota import names
from dra_conform.quota.claim_usage import ALL_DEVICES


@dataclass(frozen=True, slots=True)
class ClaimColumns:
    """Claims as columns, each going by its number.

    `claims`: claim, namespace. `requests`, one row a request or subrequest: claim, request, class, mode,
    count; the API server has set a mode and a count of at least one.
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
                rows += [
                    (claim, number, each.device_class_name, each.allocation_mode, each.count)
                    for each in asked
                ]
        schema = {
            "claim": pl.Int64,
            "request": pl.Int64,
            "class": pl.String,
            "mode": pl.String,
            "count": pl.Int64,
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
        columns.claims.group_by("namespace").agg(name=pl.lit(names.CLAIMS), amount=pl.len().cast(pl.Int64)),
        by_class.select("namespace", name=pl.col("class") + names.DEVICES, amount="amount"),
    ]
    if adjusted:
        quotas = _quotas(resources)
        extended = by_class.join(quotas, on="class").select("namespace", "name", "amount")
        once = _counted_with_pods(devices.join(quotas, on="class"), charged).join(columns.claims, on="claim")
        both = pl.concat([extended, once.select("namespace", "name", amount=-pl.col("amount"))])
        summed = both.group_by("namespace", "name").agg(pl.col("amount").sum())
        counted.append(summed.filter(pl.col("amount") > 0))
    return pl.concat(counted).sort("namespace", "name")


def no_charges() -> pl.DataFrame:
    """What is charged where no claim is special."""
    return pl.DataFrame(schema={"claim": pl.Int64, "name": pl.String, "charged": pl.Int64})


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
