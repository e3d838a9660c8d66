"""The Given steps of a kubelet under test: DRA drivers of the node, and ResourceClaims of pods."""

from __future__ import annotations

import re
import uuid

import msgspec

from dra_conform.conformance.steps.driver_claims import SERVICES, DriverSetup
from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, given, listed
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_types import DRA_PLUGIN

_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")
_SOCKET = re.compile(r"(?a:\w[\w.-]{0,62}/){0,2}(?a:\w[\w.-]{0,62})")
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
    failing_notifications: int = 0


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
    if "notifications" in given:
        params["failingNotifications"] = int(params.pop("notifications"))
    for count in given.keys() & {"failures", "unknown"}:
        params[count] = int(given[count])
    return params


@given('DRA driver "{driver}" on the node[ with the service[s] "{services}"]', _driver_params)
@given(
    'DRA driver "{driver}" on the node, whose first {failures} GetInfo calls fail',
    _driver_params,
    failures="[0-9]+",
)
@given(
    'DRA driver "{driver}" on the node, whose first {notifications} NotifyRegistrationStatus calls fail',
    _driver_params,
    notifications="[0-9]+",
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
    # Both are parts of paths at which files are replaced.
    if not _NAME.fullmatch(params.name):
        raise StepError(
            f"{params.name!r} is not a driver name, expected a DNS subdomain of at most 63 characters"
        )
    if params.socket and not _SOCKET.fullmatch(params.socket):
        expected = (
            "a name or folder/name, with at most two folders, of letters, digits, `.`, `_` and `-`,"
            " at most 63 characters each"
        )
        raise StepError(f"{params.socket!r} is not a registration socket, expected {expected}")
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
