"""The given steps of claims: what they ask, their constraints, and what they already hold."""

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
    """What a request, or one subrequest of it, asks for. `tolerations` are as in the API."""

    class_: str = ""
    count: int = 1
    mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()
    tolerations: tuple[dict[str, Any], ...] = ()


class GivenSubrequest(Requested, frozen=True, kw_only=True):
    subrequest: str


class GivenRequest(Requested, frozen=True, kw_only=True):
    """A request: with `subrequests` in order of preference, or with the members of a single one."""

    request: str = "r0"
    admin: bool | None = None
    subrequests: tuple[GivenSubrequest, ...] = ()


class GivenClaim(Requested, frozen=True, kw_only=True):
    """A claim: with `requests`, or with one request `r0` whose members stand beside the name."""

    name: str
    admin: bool | None = None
    subrequests: tuple[GivenSubrequest, ...] = ()
    requests: tuple[GivenRequest, ...] = ()


class GivenConstraint(Params, frozen=True, kw_only=True):
    claim: str
    distinct: str | None = None
    match: str | None = None
    requests: tuple[str, ...] = ()


class HeldDevice(Params, frozen=True, kw_only=True):
    device: str
    driver: str = DRIVER
    pool: str = POOL
    request: str = "r0"
    consumed: dict[str, Amount] | None = None
    share: str = ""
    admin: bool | None = None
    groups: dict[str, tuple[str, ...]] | None = None


class HeldClaim(Params, frozen=True, kw_only=True):
    claim: str
    devices: tuple[HeldDevice, ...]


_ALONE = Requested()


def _says_more(params: Requested) -> bool:
    """Whether anything is requested beside the name."""
    return any(getattr(params, name) != getattr(_ALONE, name) for name in Requested.__struct_fields__)


def _request(given: Given, name: str, requested: GivenRequest | GivenClaim) -> dict[str, Json]:
    if requested.subrequests:
        if _says_more(requested) or requested.admin is not None:
            raise StepError(
                f"request {name} has subrequests and members of its own, expected only one of them"
            )
        subs = [{"name": one.subrequest, **_asked(given, one)} for one in requested.subrequests]
        return {"name": name, "firstAvailable": subs}
    exactly = _asked(given, requested)
    if requested.admin is not None:
        exactly["adminAccess"] = requested.admin
    return {"name": name, "exactly": exactly}


def _asked(given: Given, requested: Requested) -> dict[str, Json]:
    made: dict[str, Json] = {
        "deviceClassName": given.class_name(requested.class_),
        "allocationMode": requested.mode,
    }
    if requested.mode == "ExactCount":
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
    """The requests as the API has them; raises StepError."""
    if params.requests and (_says_more(params) or params.admin is not None or params.subrequests):
        raise StepError("has requests and the members of a single one, expected only one of them")
    if params.requests:
        return [_request(given, one.request, one) for one in params.requests]
    return [_request(given, "r0", params)]


def _claim(given: Given, params: GivenClaim) -> None:
    given.add_claim(params.name, requests_of(given, params))


def _constraint(given: Given, params: GivenConstraint) -> None:
    if (params.distinct is None) == (params.match is None):
        raise StepError("has both or neither of distinct and match, expected one of them")
    made: dict[str, Json] = {"requests": list(params.requests)} if params.requests else {}
    if params.distinct is not None:
        made["distinctAttribute"] = params.distinct
    else:
        made["matchAttribute"] = params.match
    given.claim(params.claim)["spec"]["devices"].setdefault("constraints", []).append(made)


def _held(given: Given, params: HeldClaim) -> None:
    results = []
    for one in params.devices:
        result: dict[str, Json] = {
            "request": one.request,
            "driver": one.driver,
            "pool": one.pool,
            "device": one.device,
        }
        if one.share:
            result["shareID"] = share_id(one.share)
        if one.consumed is not None:
            result["consumedCapacity"] = {key: str(value) for key, value in one.consumed.items()}
        if one.admin is not None:
            result["adminAccess"] = one.admin
        if one.groups is not None:
            result["compatibilityGroups"] = {name: list(groups) for name, groups in one.groups.items()}
        results.append(result)
    if claim_key(params.claim) not in given.claims:
        given.add_claim(params.claim, _requests_for(given, params.devices))
    given.claim(params.claim)["status"] = {"allocation": {"devices": {"results": results}}}


def _requests_for(given: Given, devices: tuple[HeldDevice, ...]) -> list[dict[str, Json]]:
    """The requests that a claim must have had to hold these devices."""
    made = []
    for name in dict.fromkeys(one.request for one in devices):
        mine = [one for one in devices if one.request == name]
        requested = GivenRequest(request=name, count=len(mine), admin=mine[0].admin)
        made.append(_request(given, name, requested))
    return made


def _requesting(found: re.Match[str], _: Table, __: str) -> Json:
    return {"name": found["claim"], "capacity": amounts(found["amounts"])}


def _requesting_devices(found: re.Match[str], _: Table, __: str) -> Json:
    made: dict[str, Json] = {"name": found["claim"], "class": found["class"] or ""}
    if found["count"].split()[0] == "all":
        made["mode"] = "All"
    else:
        made["count"] = int(found["count"].split()[0])
    return made


def _claim_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    """A row is a request, or one of the subrequests of a request."""
    requests: dict[str, dict[str, Json]] = {}
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "capacity"))
        if "count" in one:
            one["count"] = int(one["count"])
        if "selector" in one:
            one["selectors"] = [one.pop("selector")]
        if "admin" in one:
            one["admin"] = flag(one["admin"])
        if "tolerations" in one:
            one["tolerations"] = tolerations(one["tolerations"])
        wanted = columns(row, "capacity")
        if wanted:
            one["capacity"] = wanted
        name = one.get("request", "r0")
        if "subrequest" in one:
            one.pop("request", None)
            requests.setdefault(name, {"request": name, "subrequests": []})
            requests[name].setdefault("subrequests", []).append(one)
        elif name in requests:
            raise StepError(f"request {name} is there twice, expected it once or with subrequests")
        else:
            requests[name] = one
    return {"name": found["claim"], "requests": list(requests.values())}


def _constraint_params(found: re.Match[str], _: Table, __: str) -> Json:
    kind = "distinct" if found["kind"] == "distinct" else "match"
    return {"claim": found["claim"], kind: found["attribute"], "requests": listed(found["requests"] or "")}


def _held_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    devices = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "consumed", "groups"))
        consumed = columns(row, "consumed")
        if consumed:
            one["consumed"] = consumed
        groups = columns(row, "groups")
        if groups:
            one["groups"] = {name: listed(text) for name, text in groups.items()}
        if "admin" in one:
            one["admin"] = flag(one["admin"])
        devices.append(one)
    return {"claim": found["claim"], "devices": devices}


def claim_phrases(kind: str, ending: str = "") -> tuple[Phrase, ...]:
    """The ways to say a claim, or what else asks as a claim does."""
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
    Step("given", "claim", GivenClaim, claim_phrases("claim"), _claim),
    Step(
        "given",
        "constraint",
        GivenConstraint,
        (
            phrase(
                'claim "{claim}" needs {kind} "{attribute}"[ among the requests "{requests}"]',
                _constraint_params,
                kind="distinct|matching",
            ),
        ),
        _constraint,
    ),
    Step("given", "held", HeldClaim, (phrase('claim "{claim}" already holds', _held_rows),), _held),
)
"""The given steps about claims."""
