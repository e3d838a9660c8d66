"""Quota usage over columns equals the usage by the scalar rule."""

from __future__ import annotations

from collections import Counter

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.resource import (
    DeviceClaim,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
)
from dra_conform.quota import claim_usage, names
from dra_conform.quota.usage_columns import ClaimColumns, no_charges, usage_by_namespace

CLASSES = {"a": "example.com/x", "b": "example.com/x", "c": "example.com/y", "d": ""}
ASKED = st.fixed_dictionaries(
    {
        "device_class_name": st.sampled_from([*CLASSES, "gone"]),
        "allocation_mode": st.sampled_from(["ExactCount", "All", "Later"]),
        "count": st.integers(1, 2**40),
    }
)
REQUESTS = st.one_of(
    ASKED.map(lambda said: DeviceRequest(name="r", exactly=ExactDeviceRequest(**said))),
    st.lists(ASKED, min_size=1, max_size=4).map(
        lambda several: DeviceRequest(
            name="r", first_available=tuple(DeviceSubRequest(name="s", **said) for said in several)
        )
    ),
)
CLAIMS = st.builds(
    lambda namespace, requests: ResourceClaim(
        metadata=ObjectMeta(name="c", namespace=namespace),
        spec=ResourceClaimSpec(devices=DeviceClaim(requests=tuple(requests))),
    ),
    st.sampled_from(["n1", "n2", ""]),
    st.lists(REQUESTS, max_size=3),
)
CHARGED = st.dictionaries(
    st.sampled_from([names.implicit("a"), names.requested("example.com/x")]), st.integers(0, 40)
)


@given(st.lists(st.tuples(CLAIMS, CHARGED), max_size=8), st.booleans())
def test_columns_agree_with_the_scalar_rule(
    claims: list[tuple[ResourceClaim, dict[str, int]]], adjusted: bool
) -> None:
    expected: Counter[tuple[str, str]] = Counter()
    for claim, charged in claims:
        for name, amount in claim_usage(claim, CLASSES, adjusted=adjusted, charged=charged).items():
            expected[claim.metadata.namespace or "default", name] += amount
    rows = [
        (number, name, amount)
        for number, (_, charged) in enumerate(claims)
        for name, amount in charged.items()
    ]
    charges = pl.DataFrame(rows, schema=no_charges().schema, orient="row")
    found = usage_by_namespace(
        ClaimColumns.of(claim for claim, _ in claims), CLASSES, charges, adjusted=adjusted
    )
    assert {row[:2]: row[2] for row in found.iter_rows()} == dict(expected)
    assert found.select("namespace", "name").rows() == sorted(expected)
