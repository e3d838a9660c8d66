"""The requests of ResourceClaims in Given steps."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, UnsetType

from dra_conform.conformance.steps.given import DRIVER, POOL, Given, cel_selectors
from dra_conform.conformance.steps.step import (
    Amount,
    Params,
    StepError,
    Table,
    amounts,
)
from dra_conform.conformance.steps.table_cells import (
    columns,
    flag,
    own_cells,
    own_fields,
    plain,
    tolerations,
    whole_number,
)
from dra_conform.kube.json_values import Json


class RequestContent(Params, frozen=True, kw_only=True):
    """The content of a request or a subrequest. `tolerations` are as in the API, `fields` own fields."""

    device_class_name: str = ""
    count: int = 1
    allocation_mode: str = "ExactCount"
    capacity: dict[str, Amount] | UnsetType = UNSET
    selectors: tuple[str, ...] = ()
    tolerations: tuple[dict[str, Any], ...] = ()
    fields: dict[str, Any] = {}


class GivenSubrequest(RequestContent, frozen=True, kw_only=True):
    """A subrequest of a prioritized list, in `firstAvailable`."""

    subrequest: str


class GivenRequest(RequestContent, frozen=True, kw_only=True):
    """A request: with a prioritized list of subrequests, or with the members of an exact request."""

    request: str = "r0"
    admin_access: bool | None = None
    first_available: tuple[GivenSubrequest, ...] = ()


class GivenClaim(RequestContent, frozen=True, kw_only=True):
    """A ResourceClaim: with `requests`, or with the members of its only request, `r0`."""

    name: str
    admin_access: bool | None = None
    first_available: tuple[GivenSubrequest, ...] = ()
    requests: tuple[GivenRequest, ...] = ()


class GivenResult(Params, frozen=True, kw_only=True):
    """A device that is allocated to a ResourceClaim in the setup."""

    device: str
    driver: str = DRIVER
    pool: str = POOL
    request: str = "r0"
    consumed_capacity: dict[str, Amount] | None = None
    share_id: str = ""
    admin_access: bool | None = None
    compatibility_groups: dict[str, tuple[str, ...]] | None = None


_DEFAULT_CONTENT = RequestContent()


def _has_content(params: RequestContent) -> bool:
    """Whether a member other than the name is set."""
    return any(
        getattr(params, name) != getattr(_DEFAULT_CONTENT, name) for name in RequestContent.__struct_fields__
    )


def _request(given: Given, name: str, requested: GivenRequest | GivenClaim) -> dict[str, Json]:
    if requested.first_available:
        if _has_content(requested) or requested.admin_access is not None:
            raise StepError(
                f"request {name} has firstAvailable and members of an exact request, expected one of them"
            )
        subrequests = [
            {"name": subrequest.subrequest, **_request_content(given, subrequest)}
            for subrequest in requested.first_available
        ]
        return {"name": name, "firstAvailable": subrequests}
    exactly = _request_content(given, requested)
    if requested.admin_access is not None:
        exactly["adminAccess"] = requested.admin_access
    return {"name": name, "exactly": exactly}


def _request_content(given: Given, requested: RequestContent) -> dict[str, Json]:
    content: dict[str, Json] = {
        "deviceClassName": given.class_name(requested.device_class_name),
        "allocationMode": requested.allocation_mode,
    }
    if requested.allocation_mode == "ExactCount":
        content["count"] = requested.count
    if requested.selectors:
        content["selectors"] = cel_selectors(requested.selectors)
    if requested.tolerations:
        content["tolerations"] = [dict(toleration) for toleration in requested.tolerations]
    if not isinstance(requested.capacity, UnsetType):
        capacity = {key: str(value) for key, value in requested.capacity.items()}
        content["capacity"] = {"requests": capacity} if capacity else {}
    return {**content, **own_fields("request", requested.fields)}


def requests_of(given: Given, params: GivenClaim) -> list[dict[str, Json]]:
    """Return the requests as in the API; raises StepError."""
    if params.requests and (
        _has_content(params) or params.admin_access is not None or params.first_available
    ):
        raise StepError("has both requests and members of a single request, expected only one of the two")
    if params.requests:
        return [_request(given, request.request, request) for request in params.requests]
    return [_request(given, "r0", params)]


def requests_for(given: Given, devices: tuple[GivenResult, ...]) -> list[dict[str, Json]]:
    """Return the requests of a ResourceClaim that is allocated these devices."""
    requests = []
    for name in dict.fromkeys(device.request for device in devices):
        devices_of_request = [device for device in devices if device.request == name]
        requested = GivenRequest(
            request=name, count=len(devices_of_request), admin_access=devices_of_request[0].admin_access
        )
        requests.append(_request(given, name, requested))
    return requests


DEVICE_COUNT = "(?:all|[0-9]+) devices?"
"""The regular expression of the field `count` that `device_request_params` reads."""


def empty_capacity_params(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a ResourceClaim with empty capacity requests."""
    return {"name": match["claim"], "capacity": {}}


def capacity_request_params(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a ResourceClaim that requests quantities of capacities."""
    return {"name": match["claim"], "capacity": amounts(match["amounts"])}


def device_request_params(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a ResourceClaim that requests all devices or a number of devices."""
    params: dict[str, Json] = {"name": match["claim"], "deviceClassName": match["class"] or ""}
    if match["count"].split()[0] == "all":
        params["allocationMode"] = "All"
    else:
        params["count"] = int(match["count"].split()[0])
    return params


def request_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the rows of a table as the parameters of requests and subrequests; raises StepError."""
    requests: dict[str, dict[str, Json]] = {}
    for row in rows:
        params: dict[str, Json] = dict(plain(row, "capacity"))
        if "count" in params:
            params["count"] = whole_number(params["count"])
        if "selector" in params:
            params["selectors"] = [params.pop("selector")]
        if "adminAccess" in params:
            params["adminAccess"] = flag(params["adminAccess"])
        if "tolerations" in params:
            params["tolerations"] = tolerations(params["tolerations"])
        capacity = columns(row, "capacity")
        if capacity:
            params["capacity"] = capacity
        own = own_cells("request", params)
        if own:
            params["fields"] = own
        name = params.get("request", "r0")
        if "subrequest" in params:
            params.pop("request", None)
            requests.setdefault(name, {"request": name, "firstAvailable": []})
            requests[name].setdefault("firstAvailable", []).append(params)
        elif name in requests:
            raise StepError(f"request {name} is defined twice, expected one definition, or subrequests")
        else:
            requests[name] = params
    return {"name": match["claim"], "requests": list(requests.values())}
