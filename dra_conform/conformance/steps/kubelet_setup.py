"""The Given steps of a kubelet under test: DRA drivers on its node, reservations and request mappings."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.node_drivers import SERVICES, DriverSetup
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, given, listed
from dra_conform.kube.json_values import CheckedJson


class GivenNodeDriver(Params, frozen=True, kw_only=True):
    """A DRA driver on the node, with the services that it registers, the preferred one first.

    `failures`: how many calls of `GetInfo` fail before one succeeds.
    """

    name: str
    services: tuple[str, ...] = SERVICES
    failures: int = 0


class RequestMapping(Params, frozen=True, kw_only=True):
    """A request of the extended-resource claim, and the container and resource that it is for."""

    container: str
    resource: str
    request: str


class RequestMappings(Params, frozen=True, kw_only=True):
    """The request mappings of a pod whose extended-resource claim is in the setup."""

    pod: str
    mappings: tuple[RequestMapping, ...]


class NotReserved(Params, frozen=True, kw_only=True):
    """A ResourceClaim that is not reserved for a pod that uses it."""

    resource_claim: str
    pod: str


def _driver_params(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    params: dict[str, CheckedJson] = {"name": match["driver"]}
    if match.groupdict().get("services"):
        params["services"] = listed(match["services"])
    if match.groupdict().get("failures"):
        params["failures"] = int(match["failures"])
    return params


@given('DRA driver "{driver}" on the node[ with the service[s] "{services}"]', _driver_params)
@given(
    'DRA driver "{driver}" on the node, whose first {failures} GetInfo calls fail',
    _driver_params,
    failures="[0-9]+",
)
def node_driver(given: Given, params: GivenNodeDriver) -> None:
    if any(driver.name == params.name for driver in given.node_drivers):
        raise StepError(f"DRA driver {params.name!r} is defined twice, expected it once")
    given.node_drivers.append(DriverSetup(params.name, params.services, params.failures))


@given(
    'pod "{pod}" has the requestMappings',
    lambda match, rows, _: {"pod": match["pod"], "mappings": [dict(row) for row in rows]},
)
def request_mappings(given: Given, params: RequestMappings) -> None:
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
def not_reserved(given: Given, params: NotReserved) -> None:
    given.claim(params.resource_claim)
    given.pod(params.pod)
    given.not_reserved.add((claim_key(params.resource_claim), claim_key(params.pod)))


NODE_DRIVERS: tuple[Step, ...] = (
    node_driver,
    request_mappings,
    not_reserved,
)
"""The Given steps."""
