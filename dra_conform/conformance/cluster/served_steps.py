"""The then steps of special claims, which the scheduler makes for extended resources of pods (KEP-5004)."""

from __future__ import annotations

import re

from dra_conform.conformance.cluster.expectation import ActExpectationBuilder
from dra_conform.conformance.cluster.references import EXTENDED
from dra_conform.conformance.cluster.told import MAPPINGS, SERVED, in_order
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.kube.field_paths import ABSENT


class ServedContainer(Params, frozen=True, kw_only=True):
    """A container with a resource that it gets, and the request of the claim behind it; without, any."""

    container: str
    resource: str
    request: str = ""


class Served(Params, frozen=True, kw_only=True):
    """What the special claim of a pod serves, all of it."""

    pod: str
    containers: tuple[ServedContainer, ...]


def _serves(then: ActExpectationBuilder, params: Served) -> None:
    mappings = [
        {"containerName": one.container, "resourceName": one.resource, "requestName": one.request}
        for one in params.containers
    ]
    named = [bool(one.request) for one in params.containers]
    if all(named):
        then.expect("Pod", params.pod, MAPPINGS, in_order(mappings))
    elif any(named):
        raise StepError("names some requests, expected those of all containers or of none")
    else:
        served = sorted(f"{one.container}: {one.resource}" for one in params.containers)
        then.expect("Pod", params.pod, SERVED, served)


def _no_claim(then: ActExpectationBuilder, pod: str) -> None:
    namespace, slash, name = pod.rpartition("/")
    then.expect("ResourceClaim", f"{namespace}{slash}{EXTENDED} of pod {name}", "metadata", ABSENT)
    then.expect("Pod", pod, "status.extendedResourceClaimStatus", ABSENT)


def _rows(found: re.Match[str], rows: Table, _: str) -> Json:
    return {"pod": found["pod"], "containers": [{k: v for k, v in row.items() if v} for row in rows]}


OF_SPECIAL_CLAIMS: tuple[Step, ...] = (
    Step("then", "served", Served, (phrase('the special claim of pod "{pod}" serves', _rows),), _serves),
    Step(
        "then",
        "no-special-claim",
        str,
        (phrase('pod "{pod}" has no special claim', lambda found, _, __: found["pod"]),),
        _no_claim,
    ),
)
"""The then steps of special claims."""
