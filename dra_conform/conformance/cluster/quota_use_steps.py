"""The Then step of the used quantities of a ResourceQuota."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.cluster.expectation import ClusterExpectationBuilder
from dra_conform.conformance.steps.quota_steps import quantities
from dra_conform.conformance.steps.step import AMOUNTS, Json, Params, Step, Table, amounts, phrase


class QuotaUse(Params, frozen=True, kw_only=True):
    """The `status.used` of a ResourceQuota, by resource."""

    resource_quota: str
    used: dict[str, Any]


def _counts(then: ClusterExpectationBuilder, params: QuotaUse) -> None:
    for name, amount in quantities(params.used).items():
        then.expect("ResourceQuota", params.resource_quota, f"status.used[{name}]", str(amount))


def _used(found: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceQuota": found["quota"], "used": amounts(found["amounts"])}


OF_QUOTAS: tuple[Step, ...] = (
    Step(
        "then",
        "quotaUsed",
        QuotaUse,
        (phrase('ResourceQuota "{quota}" reports {amounts} as used', _used, amounts=AMOUNTS),),
        _counts,
    ),
)
"""The Then step of quotas."""
