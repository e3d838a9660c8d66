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
            "containerName": mapping.container_name,
            "resourceName": mapping.resource_name,
            "requestName": mapping.request_name,
        }
        for mapping in params.mappings
    ]
    with_request = [bool(mapping.request_name) for mapping in params.mappings]
    if all(with_request):
        then.expect("Pod", params.pod, MAPPINGS, in_order(mappings))
    elif any(with_request):
        raise StepError("has requestName in some mappings, expected it in all or in none")
    else:
        mapped = sorted(f"{mapping.container_name}: {mapping.resource_name}" for mapping in params.mappings)
        then.expect("Pod", params.pod, MAPPED_RESOURCES, mapped)


def _no_claim(then: ClusterExpectationBuilder, pod: str) -> None:
    namespace, slash, name = pod.rpartition("/")
    then.expect("ResourceClaim", f"{namespace}{slash}{EXTENDED} of pod {name}", "metadata", ABSENT)
    then.expect("Pod", pod, "status.extendedResourceClaimStatus", ABSENT)


def _rows(match: re.Match[str], rows: Table, _: str) -> Json:
    return {
        "pod": match["pod"],
        "mappings": [{name: cell for name, cell in row.items() if cell} for row in rows],
    }


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
        (phrase('pod "{pod}" has no extended-resource claim', lambda match, _, __: match["pod"]),),
        _no_claim,
    ),
)
"""The Then steps of extended-resource claims."""
