"""The Then steps of extended-resource claims, which the scheduler creates for pods (KEP-5004)."""

from __future__ import annotations

import re

from dra_conform.conformance.cluster.expectation import ClusterExpectationBuilder
from dra_conform.conformance.cluster.observed_scenario import MAPPED_RESOURCES, MAPPINGS, in_order
from dra_conform.conformance.cluster.references import EXTENDED
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.kube.field_paths import ABSENT


class RequestMapping(Params, frozen=True, kw_only=True):
    """A container, its extended resource, and the request of the ResourceClaim; without it, any request."""

    container_name: str
    resource_name: str
    request_name: str = ""


class RequestMappings(Params, frozen=True, kw_only=True):
    """All request mappings of a pod."""

    pod: str
    mappings: tuple[RequestMapping, ...]


def _request_mappings(then: ClusterExpectationBuilder, params: RequestMappings) -> None:
    mappings = [
        {
            "containerName": one.container_name,
            "resourceName": one.resource_name,
            "requestName": one.request_name,
        }
        for one in params.mappings
    ]
    named = [bool(one.request_name) for one in params.mappings]
    if all(named):
        then.expect("Pod", params.pod, MAPPINGS, in_order(mappings))
    elif any(named):
        raise StepError("has requestName in some mappings, expected it in all or in none")
    else:
        served = sorted(f"{one.container_name}: {one.resource_name}" for one in params.mappings)
        then.expect("Pod", params.pod, MAPPED_RESOURCES, served)


def _no_claim(then: ClusterExpectationBuilder, pod: str) -> None:
    namespace, slash, name = pod.rpartition("/")
    then.expect("ResourceClaim", f"{namespace}{slash}{EXTENDED} of pod {name}", "metadata", ABSENT)
    then.expect("Pod", pod, "status.extendedResourceClaimStatus", ABSENT)


def _rows(found: re.Match[str], rows: Table, _: str) -> Json:
    return {"pod": found["pod"], "mappings": [{k: v for k, v in row.items() if v} for row in rows]}


OF_EXTENDED_RESOURCE_CLAIMS: tuple[Step, ...] = (
    Step(
        "then",
        "requestMappings",
        RequestMappings,
        (phrase('pod "{pod}" has the requestMappings', _rows),),
        _request_mappings,
    ),
    Step(
        "then",
        "noExtendedResourceClaim",
        str,
        (phrase('pod "{pod}" has no extended-resource claim', lambda found, _, __: found["pod"]),),
        _no_claim,
    ),
)
"""The Then steps of extended-resource claims."""
