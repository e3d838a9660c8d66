"""The given steps of claims: what they ask, their constraints, and what they already hold."""

from __future__ import annotations

import re

from msgspec import UNSET, UnsetType

from dra_conform.conformance.building import (
    DRIVER,
    POOL,
    CaseBuilder,
    StepError,
    cel_selectors,
    claim_key,
    share_id,
)
from dra_conform.conformance.cells import columns, plain
from dra_conform.conformance.vocabulary import (
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


class ClaimRequest(Params, frozen=True, kw_only=True):
    request: str = "r0"
    class_: str = ""
    count: int = 1
    mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()


class Claim(Params, frozen=True, kw_only=True):
    """A claim: with `requests`, or with one request `r0` whose members stand beside the name."""

    name: str
    requests: tuple[ClaimRequest, ...] = ()
    class_: str = ""
    count: int = 1
    mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()


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


class Held(Params, frozen=True, kw_only=True):
    claim: str
    devices: tuple[HeldDevice, ...]


def _request(case: CaseBuilder, name: str, asked: ClaimRequest | Claim) -> dict[str, Json]:
    exactly: dict[str, Json] = {
        "deviceClassName": case.class_name(asked.class_),
        "allocationMode": asked.mode,
    }
    if asked.mode == "ExactCount":
        exactly["count"] = asked.count
    if asked.selectors:
        exactly["selectors"] = cel_selectors(asked.selectors)
    if not isinstance(asked.capacity, UnsetType):
        wanted = {key: str(value) for key, value in asked.capacity.items()}
        exactly["capacity"] = {"requests": wanted} if wanted else {}
    return {"name": name, "exactly": exactly}


def _claim(case: CaseBuilder, params: Claim) -> None:
    alone = params.class_ or params.selectors or not isinstance(params.capacity, UnsetType)
    if params.requests and alone:
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
        results.append(result)
    if claim_key(params.claim) not in case.claims:
        names = dict.fromkeys(one.request for one in params.devices)
        requests = [
            _request(
                case,
                name,
                ClaimRequest(request=name, count=sum(one.request == name for one in params.devices)),
            )
            for name in names
        ]
        case.add_claim(params.claim, requests)
    case.claim(params.claim)["status"] = {"allocation": {"devices": {"results": results}}}


def _asking(found: re.Match[str], _: Table, __: str) -> Json:
    return {"name": found["claim"], "capacity": amounts(found["amounts"])}


def _claim_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    requests = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "capacity"))
        if "count" in one:
            one["count"] = int(one["count"])
        if "selector" in one:
            one["selectors"] = [one.pop("selector")]
        wanted = columns(row, "capacity")
        if wanted:
            one["capacity"] = wanted
        requests.append(one)
    return {"name": found["claim"], "requests": requests}


def _constraint_params(found: re.Match[str], _: Table, __: str) -> Json:
    kind = "distinct" if found["kind"] == "distinct" else "match"
    return {"claim": found["claim"], kind: found["attribute"], "requests": listed(found["requests"] or "")}


def _held_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    devices = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "consumed"))
        consumed = columns(row, "consumed")
        if consumed:
            one["consumed"] = consumed
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
