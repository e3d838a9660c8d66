"""The components that a scenario judges: those that decide the observations with an expectation.

An implementation of some components runs a scenario only if the scenario judges one of them. The built-in, or
a release of Kubernetes, provides the other components.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from dra_conform.conformance.case import CaseStep, Objects
from dra_conform.conformance.cluster.expectation import WRITES, ClusterExpectation, Fact
from dra_conform.conformance.cluster.other_observations import (
    COMPONENT,
    METRIC,
    MORE_WRITES,
    NEW_WRITE_KINDS,
    is_scheduling_failure,
    verbosity_of,
)
from dra_conform.kube.json_values import Json, encode_json

ALLOCATOR, ADMISSION, SCHEDULER = "allocator", "admission", "scheduler"
CLAIM_CONTROLLER, EVICTION_CONTROLLER, QUOTA_CONTROLLER = (
    "claim-controller",
    "eviction-controller",
    "quota-controller",
)
_APISERVER = "apiserver"
_DECIDED_BY_ALLOCATION = ("Pod", "ResourceClaim")

_SCHEDULED: Final = (
    "spec.nodeName",
    "status.phase",
    "status.extendedResourceClaimStatus",
    "status.nodeAllocatableResourceClaimStatuses",
    "event FailedScheduling",
    "event  with ",
)
"""Beginnings of the paths of a pod that the scheduler decides."""
_CLAIMED: Final = ("status.allocation", "status.reservedFor")
"""Beginnings of the paths of a ResourceClaim that scheduler and claim controller decide."""
_GENERATED: Final = (*_CLAIMED, "metadata", "spec")
"""Beginnings of the paths of a ResourceClaim that the component decides that creates and deletes it."""
_EXTENDED: Final = "extended resources of pod "
"""The beginning of the names of extended-resource claims."""
_END: Final = ("delete", "change", "update", "patch", "apply")
"""Actions that can end a pod."""


def with_judges(objects: Objects, ask: Mapping[str, Json], steps: Sequence[CaseStep]) -> dict[str, Json]:
    """Return the question with the components that its scenario judges.

    It also has the observations that the scenario needs: `metrics` with their names, `requests`, and `log`
    with its verbosity.

    Admission decides the outcome of writes. It is judged if there is an expectation for a write, for a read
    object, or for objects other than pods and ResourceClaims. It is also judged if the scenario writes to an
    API server with its own release or gates. The allocator is judged if there is an expectation for pods or
    ResourceClaims. The scheduler is judged if there is one for where a pod runs, what is allocated to it, or
    an extended-resource claim. The claim controller is judged by generated claims, and by claims after the
    end of a pod, the eviction controller by pods with NoExecute taints, and the quota controller by
    `status.used`.
    """
    expectations = [expectation for step in steps for expectation in _expectations(step)]
    facts = [fact for expectation in expectations for fact in expectation.facts]
    claims = any(expectation.claims for expectation in expectations)
    writes = any(action["do"] in WRITES and action["do"] != "delete" for action in ask["actions"])
    admission = writes and (_switches_api_server(ask) or any(map(_about_writes, expectations)))
    scenario = encode_json([objects, ask])
    judged = {
        ALLOCATOR: any(map(_about_allocation, expectations)),
        ADMISSION: admission,
        SCHEDULER: claims or any(map(_of_scheduler, facts)),
        CLAIM_CONTROLLER: _judges_claim_controller(ask, facts, scenario, claims=claims),
        EVICTION_CONTROLLER: b'"NoExecute"' in scenario and any(fact.kind == "Pod" for fact in facts),
        QUOTA_CONTROLLER: any(
            fact.kind == "ResourceQuota" and fact.path.startswith("status.used") for fact in facts
        ),
    }
    observed: dict[str, Json] = {
        "metrics": sorted({fact.name.partition("{")[0] for fact in facts if fact.kind == METRIC}),
        "requests": any(fact.path.startswith((MORE_WRITES, NEW_WRITE_KINDS)) for fact in facts),
        "log": max((verbosity_of(fact.path) for fact in facts), default=0),
    }
    needed = {name: value for name, value in observed.items() if value}
    return {**ask, "judges": [component for component, judges in judged.items() if judges], **needed}


def _expectations(step: CaseStep) -> Iterator[ClusterExpectation]:
    candidates = (step.expectation, *(deviation.expectation for deviation in step.deviations))
    return (candidate for candidate in candidates if isinstance(candidate, ClusterExpectation))


def _about_writes(expectation: ClusterExpectation) -> bool:
    return expectation.write is not None or any(
        fact.kind not in _DECIDED_BY_ALLOCATION for fact in expectation.facts
    )


def _about_allocation(expectation: ClusterExpectation) -> bool:
    return bool(expectation.claims) or any(map(_of_allocation, expectation.facts))


def _of_allocation(fact: Fact) -> bool:
    """Whether an expectation depends on the allocator. For a read object, only its allocation does."""
    return fact.kind in _DECIDED_BY_ALLOCATION or (
        not fact.kind and fact.path.startswith("status.allocation")
    )


def _of_scheduler(fact: Fact) -> bool:
    match fact.kind:
        case "Pod":
            return fact.path.startswith(_SCHEDULED) or is_scheduling_failure(fact.path)
        case "ResourceClaim":
            return fact.path.startswith(_GENERATED if _EXTENDED in fact.name else _CLAIMED)
        case _ if fact.kind == COMPONENT:
            return fact.name == SCHEDULER
        case "":
            return fact.path.startswith((*_CLAIMED, "status.extendedResourceClaimStatus"))
        case _:
            return _is_metric_of(fact, "scheduler_")


def _judges_claim_controller(
    ask: Mapping[str, Json], facts: Iterable[Fact], scenario: bytes, *, claims: bool
) -> bool:
    generates = b'"resourceClaimTemplateName"' in scenario
    ends_pod = any(action["do"] in _END and _kind_of(action) == "Pod" for action in ask["actions"])
    return (generates and claims) or any(
        _of_claim_controller(fact, generates=generates, ends_pod=ends_pod) for fact in facts
    )


def _of_claim_controller(fact: Fact, *, generates: bool, ends_pod: bool) -> bool:
    match fact.kind:
        case "Pod":
            own = ("status.resourceClaimStatuses", "event FailedResourceClaimCreation")
            return fact.path.startswith(own) or (generates and fact.path.startswith(_SCHEDULED))
        case "ResourceClaim":
            return (generates or ends_pod) and fact.path.startswith(_GENERATED)
        case _:
            return _is_metric_of(fact, "resourceclaim_controller_")


def _is_metric_of(fact: Fact, prefix: str) -> bool:
    shared = "dynamic_resource_allocation_"
    return fact.kind == METRIC and fact.name.startswith((prefix, shared))


def _kind_of(action: Mapping[str, Json]) -> Json:
    return (action.get("of") or action.get("object") or {}).get("kind")


def _switches_api_server(ask: Mapping[str, Json]) -> bool:
    differs_in_setup = _APISERVER in ask.get("components", {})
    switched: Iterable[Json] = (action.get("components", ()) for action in ask["actions"])
    return differs_in_setup or any(_APISERVER in names for names in switched)
