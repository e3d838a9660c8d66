"""The Given steps of a DRA driver under test: devices, required properties, allocated ResourceClaims."""

from __future__ import annotations

import re
import uuid
from typing import Literal, get_args

import msgspec

from dra_conform.conformance.steps.driver_claims import SERVICES, ClaimSetup, DriverSetup, Need, Result
from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, given, listed
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_types import DRA_PLUGIN

_UIDS = uuid.UUID("b1d8a2c4-6f07-4f5e-9a53-0c7de2f1a9b6")


class GivenNodeDriver(Params, frozen=True, kw_only=True):
    """A DRA driver on the node, with the services that it registers, the preferred one first.

    The other parameters are those of `DriverSetup`.
    """

    name: str
    services: tuple[str, ...] = SERVICES
    failures: int = 0
    type: str = DRA_PLUGIN
    unknown: int = 0
    socket: str = ""
    one_socket: bool = False


class GivenRequestMapping(Params, frozen=True, kw_only=True):
    """A request of the extended-resource claim, and the container and resource that it is for."""

    container: str
    resource: str
    request: str


class GivenRequestMappings(Params, frozen=True, kw_only=True):
    """The request mappings of a pod whose extended-resource claim is in the setup."""

    pod: str
    mappings: tuple[GivenRequestMapping, ...]


class NotReserved(Params, frozen=True, kw_only=True):
    """A ResourceClaim that is not reserved for a pod that uses it.

    `earlier_pod`: it is reserved for an earlier pod of the same name.
    """

    resource_claim: str
    pod: str
    earlier_pod: bool = False


class GeneratedClaim(Params, frozen=True, kw_only=True):
    """A ResourceClaim that is generated from a ResourceClaimTemplate for an entry of a pod.

    `owner`: the pod for which it is generated, if that is another pod than the one whose status names it.
    """

    resource_claim: str
    pod: str
    entry: str
    owner: str = ""


def _driver_params(match: re.Match[str], _: Table, __: str) -> Json:
    given = {name: value for name, value in match.groupdict().items() if value and name != "driver"}
    params: dict[str, Json] = {"name": match["driver"], **given}
    if "services" in given:
        params["services"] = listed(given["services"])
    for count in given.keys() & {"failures", "unknown"}:
        params[count] = int(given[count])
    return params


@given('DRA driver "{driver}" on the node[ with the service[s] "{services}"]', _driver_params)
@given(
    'DRA driver "{driver}" on the node, whose first {failures} GetInfo calls fail',
    _driver_params,
    failures="[0-9]+",
)
@given('DRA driver "{driver}" on the node, which registers with the plugin type "{type}"', _driver_params)
@given(
    'DRA driver "{driver}" on the node, whose first {unknown} GetInfo answers have only an unknown service',
    _driver_params,
    unknown="[0-9]+",
)
@given('DRA driver "{driver}" on the node, whose registration socket is "{socket}"', _driver_params)
@given(
    'DRA driver "{driver}" on the node, whose GetInfo answer has an empty endpoint',
    lambda match, _, __: {"name": match["driver"], "oneSocket": True},
)
def node_driver(given: Given, params: GivenNodeDriver) -> None:
    if any(driver.name == params.name for driver in given.node_drivers):
        raise StepError(f"DRA driver {params.name!r} is defined twice, expected it once")
    given.node_drivers.append(DriverSetup(**msgspec.structs.asdict(params)))


@given(
    'pod "{pod}" has the requestMappings',
    lambda match, rows, _: {"pod": match["pod"], "mappings": [dict(row) for row in rows]},
)
def request_mappings(given: Given, params: GivenRequestMappings) -> None:
    status = given.pod(params.pod).get("status", {}).get("extendedResourceClaimStatus")
    if status is None:
        raise StepError(f"pod {params.pod!r} has no extended-resource claim, expected it in an earlier step")
    status["requestMappings"] = [
        {
            "containerName": mapping.container,
            "resourceName": mapping.resource,
            "requestName": mapping.request,
        }
        for mapping in params.mappings
    ]


@given(
    'ResourceClaim "{claim}" is not reserved for pod "{pod}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "pod": match["pod"]},
)
@given(
    'ResourceClaim "{claim}" is reserved for an earlier pod with the name of pod "{pod}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "pod": match["pod"], "earlierPod": True},
)
def not_reserved(given: Given, params: NotReserved) -> None:
    given.claim(params.resource_claim)
    given.pod(params.pod)
    given.not_reserved[claim_key(params.resource_claim), claim_key(params.pod)] = params.earlier_pod


@given(
    'ResourceClaim "{claim}" is generated for the entry "{entry}" of pod "{pod}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "pod": match["pod"], "entry": match["entry"]},
)
@given(
    'the status of pod "{pod}" names ResourceClaim "{claim}" of pod "{owner}" for the entry "{entry}"',
    lambda match, _, __: {
        "resourceClaim": match["claim"],
        "pod": match["pod"],
        "entry": match["entry"],
        "owner": match["owner"],
    },
)
def generated_claim(given: Given, params: GeneratedClaim) -> None:
    pod, claim, owner = (
        given.pod(params.pod),
        given.claim(params.resource_claim),
        given.pod(params.owner or params.pod),
    )
    key = claim_key(params.owner or params.pod)
    uid = owner["metadata"].setdefault("uid", str(uuid.uuid5(_UIDS, key)))
    reference = {"apiVersion": "v1", "kind": "Pod", "name": owner["metadata"]["name"], "uid": uid}
    claim["metadata"]["ownerReferences"] = [{**reference, "controller": True}]
    status = {"name": params.entry, "resourceClaimName": claim["metadata"]["name"]}
    pod.setdefault("status", {}).setdefault("resourceClaimStatuses", []).append(status)


NODE_DRIVERS: tuple[Step, ...] = (
    node_driver,
    request_mappings,
    not_reserved,
    generated_claim,
)
"""The Given steps."""


_NEEDS: dict[str, Need] = {need.replace("-", " "): need for need in get_args(Need)}
_CONFIGURATIONS = {"a valid": "good", "an invalid": "bad", "another driver's": "other-driver"}


class GivenDriver(Params, frozen=True, kw_only=True):
    """A driver with at least this number of devices that has all properties in `needs`."""

    devices: int = 1
    needs: tuple[Need, ...] = ()


class GivenDriverResult(Params, frozen=True, kw_only=True):
    """One result of an allocation; `device` is a number, or a name that the driver does not have."""

    device: int | str
    request: str = "r0"
    pool: str = ""
    driver: str = ""
    share: int = 0


class GivenPreparedClaim(Params, frozen=True, kw_only=True):
    """A ResourceClaim that is allocated devices of the driver; without results it is not allocated."""

    name: str
    results: tuple[GivenDriverResult, ...] = ()
    admin_access: bool = False
    configuration: Literal["", "good", "bad", "other-driver"] = ""
    device_status: tuple[str, ...] = ()
    class_configuration: Literal["", "good", "bad", "other-driver"] = ""


def _needed_driver_params(match: re.Match[str], _: Table, __: str) -> Json:
    needs = [_NEEDS[need] for need in re.split(", | and ", match["needs"] or "") if need]
    return {"devices": int(match["count"]), "needs": needs}


def _short(match: re.Match[str], _: Table, __: str) -> Json:
    params: dict[str, Json] = {
        "name": match["claim"],
        "results": [{"device": _device(device)} for device in re.split(", | and ", match["devices"])],
    }
    if match["configuration"]:
        of = "classConfiguration" if "of its DeviceClass" in match[0] else "configuration"
        params[of] = _CONFIGURATIONS[match["configuration"]]
    if match["own"]:
        params["configuration"] = _CONFIGURATIONS[match["own"]]
    if "admin access" in match[0]:
        params["adminAccess"] = True
    return params


def _rows(match: re.Match[str], rows: Table, _: str) -> Json:
    results = []
    for row in rows:
        unknown = row.keys() - {"request", "device", "pool", "driver", "share"}
        if unknown:
            raise StepError(
                f"unknown column {min(unknown)!r}, expected request, device, pool, driver or share"
            )
        cells: dict[str, Json] = {name: cell for name, cell in row.items() if cell}
        if "device" not in cells:
            raise StepError("a row has no device, expected its number or name")
        cells["device"] = _device(cells["device"])
        if "share" in cells:
            cells["share"] = int(cells["share"])
        results.append(cells)
    status = [match["status"]] if match["status"] else []
    params: dict[str, Json] = {"name": match["claim"], "results": results, "deviceStatus": status}
    if match["configuration"]:
        params["classConfiguration"] = _CONFIGURATIONS[match["configuration"]]
    if "admin access" in match[0]:
        params["adminAccess"] = True
    return params


def _device(text: str) -> int | str:
    return int(text) if text.isdigit() else text.strip('"')


_NEED = "|".join(_NEEDS)


@given(
    "a driver with {count} device[s][ that offers {needs}]",
    _needed_driver_params,
    count="[0-9]+",
    needs=f"(?:{_NEED})(?:(?:, | and )(?:{_NEED}))*",
)
def driver(given: Given, params: GivenDriver) -> None:
    given.driver_devices = params.devices
    _add_needs(given, *params.needs)


def _add_needs(given: Given, *needs: Need) -> None:
    given.driver_needs += tuple(need for need in needs if need not in given.driver_needs)


@given(
    'ResourceClaim "{claim}" is allocated device[s] {devices} of the driver'
    "[ with {configuration} configuration][ of its DeviceClass][ and {own} configuration of its own]"
    "[ with admin access]",
    _short,
    devices=r'(?:[0-9]+|"[^"]*")(?:(?:, | and )(?:[0-9]+|"[^"]*"))*',
    configuration="|".join(_CONFIGURATIONS),
    own="|".join(_CONFIGURATIONS),
)
@given(
    'ResourceClaim "{claim}" has the allocated device[s][ and a device status of driver "{status}"]'
    "[ and {configuration} configuration of its DeviceClass][ with admin access]",
    _rows,
    configuration="|".join(_CONFIGURATIONS),
)
@given('ResourceClaim "{claim}" without an allocation', lambda match, _, __: {"name": match["claim"]})
def driver_claim(given: Given, params: GivenPreparedClaim) -> None:
    if any(claim.name == params.name for claim in given.driver_claims):
        raise StepError(f"ResourceClaim {params.name!r} is defined twice, expected it once")
    for result in params.results:
        device = None if result.driver else result.device
        if isinstance(device, int) and not 0 < device <= given.driver_devices:
            raise StepError(f"device {device} does not exist, expected 1 to {given.driver_devices}")
    results = tuple(
        Result(result.device, result.request, result.pool, result.driver, result.share)
        for result in params.results
    )
    config, of_class = params.configuration, params.class_configuration
    if not {"good", "bad"}.isdisjoint((config, of_class)):
        _add_needs(given, "configuration")
    if any(result.share for result in results):
        _add_needs(given, "shares")
    claim = ClaimSetup(params.name, results, params.admin_access, config, params.device_status, of_class)
    given.driver_claims.append(claim)


DRIVERS: tuple[Step, ...] = (
    driver,
    driver_claim,
)
"""The Given steps."""
