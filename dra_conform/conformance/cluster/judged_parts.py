"""The components that a scenario judges: those that decide the observations with an expectation.

A partial implementation runs a scenario only if the scenario judges its component. The built-in provides the
other components.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dra_conform.conformance.case import CaseStep
from dra_conform.conformance.cluster.expectation import ClusterExpectation, Fact
from dra_conform.kube.json_values import CheckedJson

ALLOCATOR, ADMISSION = "allocator", "admission"
_APISERVER = "apiserver"
_WRITES = ("create", "update", "change", "patch", "apply")
_DECIDED_BY_ALLOCATION = ("Pod", "ResourceClaim")


def with_judges(ask: Mapping[str, CheckedJson], steps: Sequence[CaseStep]) -> dict[str, CheckedJson]:
    """Return the question with the components that its scenario judges.

    Admission decides the outcome of writes. It is judged if there is an expectation for a write, for a read
    object, or for objects other than pods and ResourceClaims. It is also judged if the scenario writes to an
    API server with its own release or gates. The allocator is judged if there is an expectation for pods or
    ResourceClaims.
    """
    expectations = [expectation for step in steps for expectation in _expectations(step)]
    writes = any(action["do"] in _WRITES for action in ask["actions"])
    admission = writes and (_switches_api_server(ask) or any(map(_about_writes, expectations)))
    judged = {ALLOCATOR: any(map(_about_allocation, expectations)), ADMISSION: admission}
    return {**ask, "judges": [component for component, judges in judged.items() if judges]}


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


def _switches_api_server(ask: Mapping[str, CheckedJson]) -> bool:
    differs_in_setup = _APISERVER in ask.get("components", {})
    switched: Iterable[CheckedJson] = (action.get("components", ()) for action in ask["actions"])
    return differs_in_setup or any(_APISERVER in names for names in switched)
