"""The quota usage of many pods in one pass over columns, with the same results as `pod_usage`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.footprint import recorded
from dra_conform.footprint.footprint_columns import AMOUNT, PodColumns, fits_columns, footprints, limit_totals
from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import names
from dra_conform.quota.pod_usage import ONE, by_quota, has_ended, pod_usage

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


def pod_usage_by_columns(pods: Sequence[Pod], switches: QuotaSwitches) -> PodUsage:
    """Return the usage of each pod by quota name."""
    ended, counted, apart = [], [], {}
    for number, pod in enumerate(pods):
        if has_ended(pod):
            ended.append(number)
        elif fits_columns(pod, switches.node_resources.container_statuses):
            counted.append(number)
        else:
            apart[number] = pod_usage(pod, switches)
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
