"""The When and Then steps of the node resource usage of a pod."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.footprint.answer import FootprintErrorReason
from dra_conform.conformance.footprint.expectation import (
    ExpectedClaimUsage,
    FootprintExpectationBuilder,
)
from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.node_resources import ResourceOverhead
from dra_conform.conformance.steps.quota_steps import quantities
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Params,
    Step,
    StepError,
    Table,
    amounts,
    listed,
    then,
    when,
)
from dra_conform.kube.json_values import Json

_LEFT_OUT = {"its overhead": "overhead", "its pod-level requests": "pod-level"}
_REASONS = "|".join(FootprintErrorReason)


class CountedPod(Params, frozen=True, kw_only=True):
    """The pod whose node resource usage is computed from the allocations of its claims, or from its status.

    `without`: the parts of the pod that are left out.
    """

    pod: str
    source: Literal["claims", "status"] = "claims"
    without: tuple[Literal["overhead", "pod-level"], ...] = ()


class UsageOfClaim(Params, frozen=True, kw_only=True):
    """The node resources that a ResourceClaim uses, and the containers that use it."""

    resource_claim: str
    resources: dict[str, Any] = {}
    overhead: dict[str, ResourceOverhead] = {}
    containers: tuple[str, ...] | None = None


class ExpectedFootprintError(Params, frozen=True, kw_only=True):
    """The reason why the node resource usage of a pod cannot be computed."""

    reason: str


def _counted(match: re.Match[str], _: Table, __: str) -> Json:
    params: dict[str, Json] = {
        "pod": match["pod"],
        "source": "status" if match["status"] else "claims",
    }
    return {**params, **({"without": [_LEFT_OUT[match["what"]]]} if match["what"] else {})}


def _usage(match: re.Match[str], _: Table, __: str) -> Json:
    return amounts(match.groupdict().get("amounts") or "")


def _of_claim(match: re.Match[str], _: Table, __: str) -> Json:
    groups = match.groupdict()
    params: dict[str, Json] = {
        "resourceClaim": groups["claim"],
        "resources": amounts(groups.get("amounts") or ""),
    }
    if groups.get("containers") is not None:
        params["containers"] = listed(groups["containers"])
    return params


def _for_none(match: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceClaim": match["claim"], "resources": amounts(match["amounts"]), "containers": []}


@when(
    'the node resource usage of pod "{pod}" is computed[{status}][ without {what}]',
    _counted,
    status=" from its status",
    what="|".join(_LEFT_OUT),
)
def node_resource_usage(given: Given, params: CountedPod) -> Json:
    pod = given.pod(params.pod)
    name = f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata'].get('name')}"
    return {
        "pod": name,
        "from": params.source,
        **({"without": list(params.without)} if params.without else {}),
    }


@then("the pod uses {amounts}", _usage, amounts=AMOUNTS)
@then("the pod uses no node resources", _usage)
def pod_uses(then: FootprintExpectationBuilder, params: dict[str, Any]) -> None:
    then.expect_pod_usage(quantities(params))


@then('ResourceClaim "{claim}" uses {amounts}[ for container[s] "{containers}"]', _of_claim, amounts=AMOUNTS)
@then('ResourceClaim "{claim}" uses {amounts} for no container', _for_none, amounts=AMOUNTS)
@then('ResourceClaim "{claim}" uses no node resources', _of_claim)
def resource_claim_uses(then: FootprintExpectationBuilder, params: UsageOfClaim) -> None:
    overhead = {
        name: quantities(
            {
                kind: amount
                for kind, amount in (("perPod", by_kind.per_pod), ("perContainer", by_kind.per_container))
                if amount is not None
            }
        )
        for name, by_kind in params.overhead.items()
    }
    claim = claim_key(params.resource_claim).partition("/")[2]
    then.expect_claim_usage(
        ExpectedClaimUsage(
            claim, quantities(params.resources), overhead, params.containers, len(then.steps) - 1
        )
    )


@then(
    "the node resource usage cannot be computed[ because of {reason}]",
    lambda match, _, __: {"reason": match["reason"]} if match["reason"] else True,
    reason=_REASONS,
)
def usage_error(then: FootprintExpectationBuilder, params: ExpectedFootprintError | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or a reason")
    if isinstance(params, ExpectedFootprintError) and params.reason not in set(FootprintErrorReason):
        known = ", ".join(FootprintErrorReason)
        raise StepError(f"unknown reason {params.reason!r}, expected one of {known}")
    then.expect_error(
        FootprintErrorReason(params.reason) if isinstance(params, ExpectedFootprintError) else None
    )


STEPS: tuple[Step, ...] = (
    node_resource_usage,
    pod_uses,
    resource_claim_uses,
    usage_error,
)
"""The When and Then steps."""
