"""The Given steps of ResourceClaims: requests, constraints and allocations."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, UnsetType

from dra_conform.conformance.steps.given import (
    DRIVER,
    POOL,
    Given,
    cel_selectors,
    claim_key,
    share_id,
)
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Amount,
    Json,
    Params,
    Phrase,
    Step,
    StepError,
    Table,
    amounts,
    listed,
    phrase,
)
from dra_conform.conformance.steps.table_cells import columns, flag, plain, tolerations


class Requested(Params, frozen=True, kw_only=True):
    """The content of a request or a subrequest. `tolerations` are as in the API."""

    device_class_name: str = ""
    count: int = 1
    allocation_mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()
    tolerations: tuple[dict[str, Any], ...] = ()


class GivenSubrequest(Requested, frozen=True, kw_only=True):
    subrequest: str


class GivenRequest(Requested, frozen=True, kw_only=True):
    """A request: with a prioritized list of subrequests, or with the members of an exact request."""

    request: str = "r0"
    admin_access: bool | None = None
    first_available: tuple[GivenSubrequest, ...] = ()


class GivenClaim(Requested, frozen=True, kw_only=True):
    """A ResourceClaim: with `requests`, or with the members of its only request, `r0`."""

    name: str
    admin_access: bool | None = None
    first_available: tuple[GivenSubrequest, ...] = ()
    requests: tuple[GivenRequest, ...] = ()


class GivenConstraint(Params, frozen=True, kw_only=True):
    resource_claim: str
    distinct_attribute: str | None = None
    match_attribute: str | None = None
    requests: tuple[str, ...] = ()


class AllocatedDevice(Params, frozen=True, kw_only=True):
    device: str
    driver: str = DRIVER
    pool: str = POOL
    request: str = "r0"
    consumed_capacity: dict[str, Amount] | None = None
    share_id: str = ""
    admin_access: bool | None = None
    compatibility_groups: dict[str, tuple[str, ...]] | None = None


class AllocatedClaim(Params, frozen=True, kw_only=True):
    resource_claim: str
    results: tuple[AllocatedDevice, ...]


_ALONE = Requested()


def _says_more(params: Requested) -> bool:
    """Whether a member other than the name is set."""
    return any(getattr(params, name) != getattr(_ALONE, name) for name in Requested.__struct_fields__)


def _request(given: Given, name: str, requested: GivenRequest | GivenClaim) -> dict[str, Json]:
    if requested.first_available:
        if _says_more(requested) or requested.admin_access is not None:
            raise StepError(
                f"request {name} has firstAvailable and members of an exact request, expected one of them"
            )
        subs = [{"name": one.subrequest, **_asked(given, one)} for one in requested.first_available]
        return {"name": name, "firstAvailable": subs}
    exactly = _asked(given, requested)
    if requested.admin_access is not None:
        exactly["adminAccess"] = requested.admin_access
    return {"name": name, "exactly": exactly}


def _asked(given: Given, requested: Requested) -> dict[str, Json]:
    made: dict[str, Json] = {
        "deviceClassName": given.class_name(requested.device_class_name),
        "allocationMode": requested.allocation_mode,
    }
    if requested.allocation_mode == "ExactCount":
        made["count"] = requested.count
    if requested.selectors:
        made["selectors"] = cel_selectors(requested.selectors)
    if requested.tolerations:
        made["tolerations"] = [dict(one) for one in requested.tolerations]
    if not isinstance(requested.capacity, UnsetType):
        wanted = {key: str(value) for key, value in requested.capacity.items()}
        made["capacity"] = {"requests": wanted} if wanted else {}
    return made


def requests_of(given: Given, params: GivenClaim) -> list[dict[str, Json]]:
    """Return the requests as in the API; raises StepError."""
    if params.requests and (_says_more(params) or params.admin_access is not None or params.first_available):
        raise StepError("has both requests and members of a single request, expected one of them")
    if params.requests:
        return [_request(given, one.request, one) for one in params.requests]
    return [_request(given, "r0", params)]


def _claim(given: Given, params: GivenClaim) -> None:
    given.add_claim(params.name, requests_of(given, params))


def _constraint(given: Given, params: GivenConstraint) -> None:
    if (params.distinct_attribute is None) == (params.match_attribute is None):
        raise StepError("has both or neither of distinctAttribute and matchAttribute, expected one of them")
    made: dict[str, Json] = {"requests": list(params.requests)} if params.requests else {}
    if params.distinct_attribute is not None:
        made["distinctAttribute"] = params.distinct_attribute
    else:
        made["matchAttribute"] = params.match_attribute
    given.claim(params.resource_claim)["spec"]["devices"].setdefault("constraints", []).append(made)


def _allocated(given: Given, params: AllocatedClaim) -> None:
    results = []
    for one in params.results:
        result: dict[str, Json] = {
            "request": one.request,
            "driver": one.driver,
            "pool": one.pool,
            "device": one.device,
        }
        if one.share_id:
            result["shareID"] = share_id(one.share_id)
        if one.consumed_capacity is not None:
            result["consumedCapacity"] = {key: str(value) for key, value in one.consumed_capacity.items()}
        if one.admin_access is not None:
            result["adminAccess"] = one.admin_access
        if one.compatibility_groups is not None:
            result["compatibilityGroups"] = {
                name: list(groups) for name, groups in one.compatibility_groups.items()
            }
        results.append(result)
    if claim_key(params.resource_claim) not in given.claims:
        given.add_claim(params.resource_claim, _requests_for(given, params.results))
    given.claim(params.resource_claim)["status"] = {"allocation": {"devices": {"results": results}}}


def _requests_for(given: Given, devices: tuple[AllocatedDevice, ...]) -> list[dict[str, Json]]:
    """Return the requests of a ResourceClaim that is allocated these devices."""
    made = []
    for name in dict.fromkeys(one.request for one in devices):
        mine = [one for one in devices if one.request == name]
        requested = GivenRequest(request=name, count=len(mine), admin_access=mine[0].admin_access)
        made.append(_request(given, name, requested))
    return made


def _requesting(found: re.Match[str], _: Table, __: str) -> Json:
    return {"name": found["claim"], "capacity": amounts(found["amounts"])}


def _requesting_devices(found: re.Match[str], _: Table, __: str) -> Json:
    made: dict[str, Json] = {"name": found["claim"], "deviceClassName": found["class"] or ""}
    if found["count"].split()[0] == "all":
        made["allocationMode"] = "All"
    else:
        made["count"] = int(found["count"].split()[0])
    return made


def _claim_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    """Return the rows of a table as the parameters of requests and subrequests; raises StepError."""
    requests: dict[str, dict[str, Json]] = {}
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "capacity"))
        if "count" in one:
            one["count"] = int(one["count"])
        if "selector" in one:
            one["selectors"] = [one.pop("selector")]
        if "adminAccess" in one:
            one["adminAccess"] = flag(one["adminAccess"])
        if "tolerations" in one:
            one["tolerations"] = tolerations(one["tolerations"])
        wanted = columns(row, "capacity")
        if wanted:
            one["capacity"] = wanted
        name = one.get("request", "r0")
        if "subrequest" in one:
            one.pop("request", None)
            requests.setdefault(name, {"request": name, "firstAvailable": []})
            requests[name].setdefault("firstAvailable", []).append(one)
        elif name in requests:
            raise StepError(f"request {name} is defined twice, expected it once, or with subrequests")
        else:
            requests[name] = one
    return {"name": found["claim"], "requests": list(requests.values())}


def _constraint_params(found: re.Match[str], _: Table, __: str) -> Json:
    return {
        "resourceClaim": found["claim"],
        found["kind"]: found["attribute"],
        "requests": listed(found["requests"] or ""),
    }


def _result_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    results = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "consumedCapacity", "compatibilityGroups"))
        consumed = columns(row, "consumedCapacity")
        if consumed:
            one["consumedCapacity"] = consumed
        groups = columns(row, "compatibilityGroups")
        if groups:
            one["compatibilityGroups"] = {name: listed(text) for name, text in groups.items()}
        if "adminAccess" in one:
            one["adminAccess"] = flag(one["adminAccess"])
        results.append(one)
    return {"resourceClaim": found["claim"], "results": results}


def claim_phrases(kind: str, ending: str = "") -> tuple[Phrase, ...]:
    """Return the phrases of a ResourceClaim, or of another kind with its requests."""
    start = f'a {kind} "{{claim}}"'
    return (
        phrase(f"{start} requesting {{amounts}}{ending}", _requesting, amounts=AMOUNTS),
        phrase(f"{start} requesting no capacity{ending}", lambda found, _, __: {"name": found["claim"]}),
        phrase(
            f"{start} requesting an empty capacity{ending}",
            lambda found, _, __: {"name": found["claim"], "capacity": {}},
        ),
        phrase(
            f'{start} requesting {{count}}[ of class "{{class}}"]{ending}',
            _requesting_devices,
            count="(?:all|[0-9]+) devices?",
        ),
        phrase(f"{start} with the request[s]{ending}", _claim_rows),
    )


CLAIMS: tuple[Step, ...] = (
    Step("given", "resourceClaim", GivenClaim, claim_phrases("ResourceClaim"), _claim),
    Step(
        "given",
        "constraint",
        GivenConstraint,
        (
            phrase(
                'ResourceClaim "{claim}" has the constraint {kind} "{attribute}"'
                '[ for the requests "{requests}"]',
                _constraint_params,
                kind="distinctAttribute|matchAttribute",
            ),
        ),
        _constraint,
    ),
    Step(
        "given",
        "allocated",
        AllocatedClaim,
        (phrase('ResourceClaim "{claim}" is already allocated', _result_rows),),
        _allocated,
    ),
)
"""The Given steps of ResourceClaims."""
