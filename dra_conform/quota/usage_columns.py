"""The quota usage of many claims in one pass over columns, with the same results as `claim_usage`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.kube.resource import DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dra_conform.quota import names
from dra_conform.quota.claim_usage import ALL_DEVICES

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
