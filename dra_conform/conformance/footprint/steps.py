"""The When and Then steps of the node resource usage of a pod."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.footprint.answer import FootprintErrorReason
from dra_conform.conformance.footprint.expectation import (
    ExpectedClaimUsage,
    FootprintExpectationBuilder,
    amounts_of,
)
from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.node_resources import ResourceOverhead
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Json,
    Params,
    Step,
    StepError,
    Table,
    amounts,
    listed,
    phrase,
)

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


class ExpectedRefusal(Params, frozen=True, kw_only=True):
    reason: str


def _count(given: Given, params: CountedPod) -> Json:
    pod = given.pod(params.pod)
    name = f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata'].get('name')}"
    return {
        "pod": name,
        "from": params.source,
        **({"without": list(params.without)} if params.without else {}),
    }


def _takes(then: FootprintExpectationBuilder, params: dict[str, Any]) -> None:
    then.take(amounts_of(params))


def _share(then: FootprintExpectationBuilder, params: UsageOfClaim) -> None:
    overhead = {
        name: amounts_of(
            {
                kind: amount
                for kind, amount in (("perPod", one.per_pod), ("perContainer", one.per_container))
                if amount is not None
            }
        )
        for name, one in params.overhead.items()
    }
    claim = claim_key(params.resource_claim).partition("/")[2]
    then.share(
        ExpectedClaimUsage(
            claim, amounts_of(params.resources), overhead, params.containers, len(then.steps) - 1
        )
    )


def _refused(then: FootprintExpectationBuilder, params: ExpectedRefusal | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or a reason")
    if isinstance(params, ExpectedRefusal) and params.reason not in set(FootprintErrorReason):
        known = ", ".join(FootprintErrorReason)
        raise StepError(f"unknown reason {params.reason!r}, expected one of {known}")
    then.fail(FootprintErrorReason(params.reason) if isinstance(params, ExpectedRefusal) else None)


def _counted(found: re.Match[str], _: Table, __: str) -> Json:
    made: dict[str, Json] = {"pod": found["pod"], "source": "status" if found["status"] else "claims"}
    return {**made, **({"without": [_LEFT_OUT[found["what"]]]} if found["what"] else {})}


def _taken(found: re.Match[str], _: Table, __: str) -> Json:
    return amounts(found.groupdict().get("amounts") or "")


def _of_claim(found: re.Match[str], _: Table, __: str) -> Json:
    said = found.groupdict()
    made: dict[str, Json] = {"resourceClaim": said["claim"], "resources": amounts(said.get("amounts") or "")}
    if said.get("containers") is not None:
        made["containers"] = listed(said["containers"])
    return made


def _for_none(found: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceClaim": found["claim"], "resources": amounts(found["amounts"]), "containers": []}


STEPS: tuple[Step, ...] = (
    Step(
        "when",
        "nodeResourceUsage",
        CountedPod,
        (
            phrase(
                'the node resource usage of pod "{pod}" is computed[{status}][ without {what}]',
                _counted,
                status=" from its status",
                what="|".join(_LEFT_OUT),
            ),
        ),
        _count,
    ),
    Step(
        "then",
        "podUses",
        dict[str, Any],
        (
            phrase("the pod uses {amounts}", _taken, amounts=AMOUNTS),
            phrase("the pod uses no node resources", _taken),
        ),
        _takes,
    ),
    Step(
        "then",
        "resourceClaimUses",
        UsageOfClaim,
        (
            phrase(
                'ResourceClaim "{claim}" uses {amounts}[ for container[s] "{containers}"]',
                _of_claim,
                amounts=AMOUNTS,
            ),
            phrase('ResourceClaim "{claim}" uses {amounts} for no container', _for_none, amounts=AMOUNTS),
            phrase('ResourceClaim "{claim}" uses no node resources', _of_claim),
        ),
        _share,
    ),
    Step(
        "then",
        "usageError",
        ExpectedRefusal | bool,
        (
            phrase(
                "the node resource usage cannot be computed[ because of {reason}]",
                lambda found, _, __: {"reason": found["reason"]} if found["reason"] else True,
                reason=_REASONS,
            ),
        ),
        _refused,
    ),
)
"""The When and Then steps."""
