"""The Given steps of ResourceClaims: their requests, constraints and allocations."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.claim_requests import (
    DEVICE_COUNT,
    GivenClaim,
    GivenResult,
    capacity_request_params,
    device_request_params,
    empty_capacity_params,
    request_rows,
    requests_for,
    requests_of,
)
from dra_conform.conformance.steps.given import Given, claim_key, share_id
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Params,
    Step,
    StepError,
    Table,
    given,
    listed,
)
from dra_conform.conformance.steps.table_cells import columns, flag, plain
from dra_conform.kube.json_values import Json


class GivenConstraint(Params, frozen=True, kw_only=True):
    """A constraint of a ResourceClaim: distinctAttribute or matchAttribute; `requests` is empty for all."""

    resource_claim: str
    distinct_attribute: str | None = None
    match_attribute: str | None = None
    requests: tuple[str, ...] = ()


class GivenAllocation(Params, frozen=True, kw_only=True):
    """A ResourceClaim that is allocated in the setup; it is created unless an earlier step has created it."""

    resource_claim: str
    results: tuple[GivenResult, ...]


def claim_name(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a ResourceClaim that requests one device without capacity."""
    return {"name": match["claim"]}


def _constraint_params(match: re.Match[str], _: Table, __: str) -> Json:
    return {
        "resourceClaim": match["claim"],
        match["kind"]: match["attribute"],
        "requests": listed(match["requests"] or ""),
    }


def _result_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    results = []
    for row in rows:
        params: dict[str, Json] = dict(plain(row, "consumedCapacity", "compatibilityGroups"))
        consumed = columns(row, "consumedCapacity")
        if consumed:
            params["consumedCapacity"] = consumed
        groups = columns(row, "compatibilityGroups")
        if groups:
            params["compatibilityGroups"] = {name: listed(text) for name, text in groups.items()}
        if "adminAccess" in params:
            params["adminAccess"] = flag(params["adminAccess"])
        results.append(params)
    return {"resourceClaim": match["claim"], "results": results}


@given('a ResourceClaim "{claim}" requesting {amounts}', capacity_request_params, amounts=AMOUNTS)
@given('a ResourceClaim "{claim}" requesting no capacity', claim_name)
@given('a ResourceClaim "{claim}" requesting an empty capacity', empty_capacity_params)
@given(
    'a ResourceClaim "{claim}" requesting {count}[ of class "{class}"]',
    device_request_params,
    count=DEVICE_COUNT,
)
@given('a ResourceClaim "{claim}" with the request[s]', request_rows)
def resource_claim(given: Given, params: GivenClaim) -> None:
    given.add_claim(params.name, requests_of(given, params))


@given(
    'ResourceClaim "{claim}" has the constraint {kind} "{attribute}"[ for the requests "{requests}"]',
    _constraint_params,
    kind="distinctAttribute|matchAttribute",
)
def constraint(given: Given, params: GivenConstraint) -> None:
    if (params.distinct_attribute is None) == (params.match_attribute is None):
        raise StepError("has both or neither of distinctAttribute and matchAttribute, expected one of them")
    constraint: dict[str, Json] = {"requests": list(params.requests)} if params.requests else {}
    if params.distinct_attribute is not None:
        constraint["distinctAttribute"] = params.distinct_attribute
    else:
        constraint["matchAttribute"] = params.match_attribute
    given.claim(params.resource_claim)["spec"]["devices"].setdefault("constraints", []).append(constraint)


@given('ResourceClaim "{claim}" is already allocated', _result_rows)
def allocated(given: Given, params: GivenAllocation) -> None:
    results = []
    for device in params.results:
        result: dict[str, Json] = {
            "request": device.request,
            "driver": device.driver,
            "pool": device.pool,
            "device": device.device,
        }
        if device.share_id:
            result["shareID"] = share_id(device.share_id)
        if device.consumed_capacity is not None:
            result["consumedCapacity"] = {key: str(value) for key, value in device.consumed_capacity.items()}
        if device.admin_access is not None:
            result["adminAccess"] = device.admin_access
        if device.compatibility_groups is not None:
            result["compatibilityGroups"] = {
                name: list(groups) for name, groups in device.compatibility_groups.items()
            }
        results.append(result)
    if claim_key(params.resource_claim) not in given.claims:
        given.add_claim(params.resource_claim, requests_for(given, params.results))
    given.claim(params.resource_claim)["status"] = {"allocation": {"devices": {"results": results}}}


CLAIMS: tuple[Step, ...] = (
    resource_claim,
    constraint,
    allocated,
)
"""The Given steps of ResourceClaims."""
