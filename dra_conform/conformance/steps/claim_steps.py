"""The given steps of claims: what they ask, their constraints, and what they already hold."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, UnsetType

from dra_conform.conformance.steps.given import (
    DRIVER,
    POOL,
    CaseBuilder,
    StepError,
    cel_selectors,
    claim_key,
    share_id,
)
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Amount,
    Json,
    Params,
    Step,
    Table,
    amounts,
    listed,
    phrase,
)
from dra_conform.conformance.steps.table_cells import columns, flag, plain, tolerations


class Asked(Params, frozen=True, kw_only=True):
    """What a request, or one alternative of it, asks for. `tolerations` are as in the API."""

    class_: str = ""
    count: int = 1
    mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()
    tolerations: tuple[dict[str, Any], ...] = ()


class Alternative(Asked, frozen=True, kw_only=True):
    alternative: str


class ClaimRequest(Asked, frozen=True, kw_only=True):
    """A request: with `alternatives` in order of preference, or with the members of a single one."""

    request: str = "r0"
    admin: bool | None = None
    alternatives: tuple[Alternative, ...] = ()


class Claim(Asked, frozen=True, kw_only=True):
    """A claim: with `requests`, or with one request `r0` whose members stand beside the name."""

    name: str
    admin: bool | None = None
    alternatives: tuple[Alternative, ...] = ()
    requests: tuple[ClaimRequest, ...] = ()


class Constraint(Params, frozen=True, kw_only=True):
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


class Held(Params, frozen=True, kw_only=True):
    claim: str
    devices: tuple[HeldDevice, ...]


_ALONE = Asked()


def _says_more(params: Asked) -> bool:
    """Whether anything is asked beside the name."""
    return any(getattr(params, name) != getattr(_ALONE, name) for name in Asked.__struct_fields__)


def _request(case: CaseBuilder, name: str, asked: ClaimRequest | Claim) -> dict[str, Json]:
    if asked.alternatives:
        if _says_more(asked) or asked.admin is not None:
            raise StepError(
                f"request {name} has alternatives and members of its own, expected only one of them"
            )
        subs = [{"name": one.alternative, **_asked(case, one)} for one in asked.alternatives]
        return {"name": name, "firstAvailable": subs}
    exactly = _asked(case, asked)
    if asked.admin is not None:
        exactly["adminAccess"] = asked.admin
    return {"name": name, "exactly": exactly}


def _asked(case: CaseBuilder, asked: Asked) -> dict[str, Json]:
    made: dict[str, Json] = {
        "deviceClassName": case.class_name(asked.class_),
        "allocationMode": asked.mode,
    }
    if asked.mode == "ExactCount":
        made["count"] = asked.count
    if asked.selectors:
        made["selectors"] = cel_selectors(asked.selectors)
    if asked.tolerations:
        made["tolerations"] = [dict(one) for one in asked.tolerations]
    if not isinstance(asked.capacity, UnsetType):
        wanted = {key: str(value) for key, value in asked.capacity.items()}
        made["capacity"] = {"requests": wanted} if wanted else {}
    return made


def _claim(case: CaseBuilder, params: Claim) -> None:
    if params.requests and (_says_more(params) or params.admin is not None or params.alternatives):
        raise StepError("has requests and the members of a single one, expected only one of them")
    if params.requests:
        made = [_request(case, one.request, one) for one in params.requests]
    else:
        made = [_request(case, "r0", params)]
    case.add_claim(params.name, made)


def _constraint(case: CaseBuilder, params: Constraint) -> None:
    if (params.distinct is None) == (params.match is None):
        raise StepError("has both or neither of distinct and match, expected one of them")
    made: dict[str, Json] = {"requests": list(params.requests)} if params.requests else {}
    if params.distinct is not None:
        made["distinctAttribute"] = params.distinct
    else:
        made["matchAttribute"] = params.match
    case.claim(params.claim)["spec"]["devices"].setdefault("constraints", []).append(made)


def _held(case: CaseBuilder, params: Held) -> None:
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
    if claim_key(params.claim) not in case.claims:
        case.add_claim(params.claim, _requests_for(case, params.devices))
    case.claim(params.claim)["status"] = {"allocation": {"devices": {"results": results}}}


def _requests_for(case: CaseBuilder, devices: tuple[HeldDevice, ...]) -> list[dict[str, Json]]:
    """The requests that a claim must have had to hold these devices."""
    made = []
    for name in dict.fromkeys(one.request for one in devices):
        mine = [one for one in devices if one.request == name]
        asked = ClaimRequest(request=name, count=len(mine), admin=mine[0].admin)
        made.append(_request(case, name, asked))
    return made


def _asking(found: re.Match[str], _: Table, __: str) -> Json:
    return {"name": found["claim"], "capacity": amounts(found["amounts"])}


def _asking_devices(found: re.Match[str], _: Table, __: str) -> Json:
    made: dict[str, Json] = {"name": found["claim"], "class": found["class"] or ""}
    if found["count"].split()[0] == "all":
        made["mode"] = "All"
    else:
        made["count"] = int(found["count"].split()[0])
    return made


def _claim_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    """A row is a request, or one of the alternatives of a request."""
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
        if "alternative" in one:
            one.pop("request", None)
            requests.setdefault(name, {"request": name, "alternatives": []})
            requests[name].setdefault("alternatives", []).append(one)
        elif name in requests:
            raise StepError(f"request {name} is there twice, expected it once or with alternatives")
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


CLAIMS: tuple[Step, ...] = (
    Step(
        "given",
        "claim",
        Claim,
        (
            phrase('a claim "{claim}" asking {amounts}', _asking, amounts=AMOUNTS),
            phrase('a claim "{claim}" asking no capacity', lambda found, _, __: {"name": found["claim"]}),
            phrase(
                'a claim "{claim}" asking an empty capacity',
                lambda found, _, __: {"name": found["claim"], "capacity": {}},
            ),
            phrase(
                'a claim "{claim}" asking {count}[ of class "{class}"]',
                _asking_devices,
                count="(?:all|[0-9]+) devices?",
            ),
            phrase('a claim "{claim}" with the request[s]', _claim_rows),
        ),
        _claim,
    ),
    Step(
        "given",
        "constraint",
        Constraint,
        (
            phrase(
                'claim "{claim}" needs {kind} "{attribute}"[ among the requests "{requests}"]',
                _constraint_params,
                kind="distinct|matching",
            ),
        ),
        _constraint,
    ),
    Step("given", "held", Held, (phrase('claim "{claim}" already holds', _held_rows),), _held),
)
"""The given steps about claims."""
