"""A ResourceClaim as steps of a golden case."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.steps.given import CLASS, DRIVER, POOL
from dra_conform.kube.json_values import Json

Step = dict[str, Json]

_REQUESTED = {"name", "deviceClassName", "allocationMode", "count", "selectors", "capacity", "tolerations"}
_RESULT = {
    *("request", "driver", "pool", "device", "shareID", "consumedCapacity"),
    *("adminAccess", "compatibilityGroups"),
}


def claim_steps(claim: Json) -> list[Step] | None:
    """Return the steps of a ResourceClaim, None if only the whole object can express the claim."""
    name = claim["metadata"]["name"]
    devices = claim["spec"]["devices"]
    allocation = (claim.get("status") or {}).get("allocation")
    if allocation is not None:
        results = allocation["devices"]["results"]
        if any(result.keys() - _RESULT for result in results):
            return None
        return [
            {
                "allocated": {
                    "resourceClaim": name,
                    "results": [_result(result, f"{name}-{i}") for i, result in enumerate(results)],
                }
            }
        ]
    if not all(_has_short_form(request) for request in devices["requests"]):
        return None
    requests = [_request(request) for request in devices["requests"]]
    steps: list[Step] = []
    if len(requests) == 1 and requests[0]["request"] == "r0":
        alone = {key: value for key, value in requests[0].items() if key != "request"}
        steps.append({"resourceClaim": {"name": name, **alone}})
    else:
        steps.append({"resourceClaim": {"name": name, "requests": requests}})
    for constraint in devices.get("constraints", ()):
        kind = "matchAttribute" if "matchAttribute" in constraint else "distinctAttribute"
        scope = {"requests": constraint["requests"]} if constraint.get("requests") else {}
        steps.append({"constraint": {"resourceClaim": name, kind: constraint[kind], **scope}})
    return [*steps, *configuration_steps({"resourceClaim": name}, devices.get("config", ()))]


def configuration_steps(owner: Json, entries: Json) -> Iterator[Step]:
    """Yield the steps of configuration. `owner` names its DeviceClass or ResourceClaim."""
    for entry in entries:
        opaque = entry["opaque"]
        yield {
            "config": {
                **owner,
                **({"driver": opaque["driver"]} if opaque["driver"] != DRIVER else {}),
                "parameters": opaque["parameters"],
                **({"requests": entry["requests"]} if entry.get("requests") else {}),
            }
        }


def _has_short_form(request: Json) -> bool:
    if "exactly" in request:
        return not request["exactly"].keys() - _REQUESTED - {"adminAccess"}
    return bool(request["firstAvailable"]) and not any(
        subrequest.keys() - _REQUESTED for subrequest in request["firstAvailable"]
    )


def _request(request: Json) -> Json:
    if "firstAvailable" in request:
        subs = [
            {"subrequest": subrequest["name"], **_requested(subrequest)}
            for subrequest in request["firstAvailable"]
        ]
        return {"request": request["name"], "firstAvailable": subs}
    exactly = request["exactly"]
    admin_access = {"adminAccess": exactly["adminAccess"]} if "adminAccess" in exactly else {}
    return {"request": request["name"], **_requested(exactly), **admin_access}


def _requested(requested: Json) -> Json:
    row: dict[str, Json] = {}
    if requested["deviceClassName"] != CLASS:
        row["deviceClassName"] = requested["deviceClassName"]
    if requested["allocationMode"] != "ExactCount":
        row["allocationMode"] = requested["allocationMode"]
    elif requested["count"] != 1:
        row["count"] = requested["count"]
    if "capacity" in requested:
        row["capacity"] = {
            key: amount(text) for key, text in requested["capacity"].get("requests", {}).items()
        }
    if requested.get("selectors"):
        row["selectors"] = [selector["cel"]["expression"] for selector in requested["selectors"]]
    if requested.get("tolerations"):
        row["tolerations"] = requested["tolerations"]
    return row


def _result(result: Json, share: str) -> Json:
    row: dict[str, Json] = {"device": result["device"]}
    for name, usual in (("driver", DRIVER), ("pool", POOL), ("request", "r0")):
        if result[name] != usual:
            row[name] = result[name]
    if "consumedCapacity" in result:
        row["consumedCapacity"] = {key: amount(text) for key, text in result["consumedCapacity"].items()}
    for name in ("adminAccess", "compatibilityGroups"):
        if name in result:
            row[name] = result[name]
    return row | ({"shareID": share} if "shareID" in result else {})


def amount(text: str) -> Json:
    """Return a quantity as people write it in YAML: `10`, not `"10"`."""
    return int(text) if text.isdigit() else text
