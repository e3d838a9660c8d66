"""Different devices and nodes are a choice; different fields of the same device are a difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from dra_conform.conformance.cluster.answer import SteadyState
from dra_conform.fuzz.multi_step.pod_scenario_objects import DEVICES
from dra_conform.fuzz.multi_step.sorts import scenarios_of
from dra_conform.fuzz.multi_step.step_difference import StepDifferenceKind
from dra_conform.kube.json_values import Json
from tests.support.fuzz.multi_step.clusters import PROFILE, with_changed_observations


def other_device(result: Mapping[str, Json]) -> Json:
    return {**result, "device": "gpu-7"}


def other_device_with_tolerations(result: Mapping[str, Json]) -> Json:
    return {**other_device(result), "tolerations": [{"operator": "Exists"}]}


def more_tolerations(result: Mapping[str, Json]) -> Json:
    return {**result, "tolerations": [{"operator": "Exists"}]}


def other_amount(result: Mapping[str, Json]) -> Json:
    return {**result, "consumedCapacity": {"mem": "77"}}


def with_more_mapped(observed: Any) -> Any:
    """Return an observation in which pods have another quantity of a device, and an overhead."""
    if not isinstance(observed, SteadyState):
        return observed
    pods = [*map(_with_more_mapped, observed.objects.get("pods", ()))]
    return replace(observed, objects={**observed.objects, "pods": pods})


def _with_more_mapped(pod: Json) -> Json:
    status = pod.get("status", {})
    entries = [
        {**entry, "overhead": [{"name": "cpu", "perPod": "77m"}]}
        for entry in status.get("nodeAllocatableResourceClaimStatuses", ())
    ]
    return {**pod, "status": {**status, "nodeAllocatableResourceClaimStatuses": entries}} if entries else pod


def with_results(change: Callable[[Mapping[str, Json]], Json]) -> Callable[[Any], Any]:
    """Return a function that changes each allocation result of an observation."""

    def changed(claim: Json) -> Json:
        allocation = claim.get("status", {}).get("allocation")
        if not allocation:
            return claim
        devices = {**allocation["devices"], "results": [*map(change, allocation["devices"]["results"])]}
        return {**claim, "status": {**claim["status"], "allocation": {**allocation, "devices": devices}}}

    def twist(observed: Any) -> Any:
        if not isinstance(observed, SteadyState):
            return observed
        claims = [*map(changed, observed.objects.get("resourceClaims", ()))]
        return replace(observed, objects={**observed.objects, "resourceClaims": claims})

    return twist


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (other_device, StepDifferenceKind.CHOICE),
        (other_device_with_tolerations, StepDifferenceKind.CHOICE),
        (more_tolerations, StepDifferenceKind.STATE),
        (other_amount, StepDifferenceKind.STATE),
    ],
)
def test_what_is_a_choice(change: Callable[[Mapping[str, Json]], Json], kind: StepDifferenceKind) -> None:
    kinds = set()
    for compared in with_changed_observations(with_results(change)).compare(
        scenarios_of("pods", range(8), 1, PROFILE)
    ):
        assert isinstance(compared.comparison, tuple)
        kinds |= {difference.kind for difference in compared.comparison}
    assert kind in kinds
    assert (StepDifferenceKind.CHOICE in kinds) == (kind is StepDifferenceKind.CHOICE)


@pytest.mark.parametrize(("changed_devices", "choice"), [(True, True), (False, False)], ids=["other", "same"])
def test_another_mapping_of_another_device_is_a_choice(changed_devices: bool, choice: bool) -> None:
    of_devices = with_results(other_device if changed_devices else dict)
    two = with_changed_observations(lambda observed: with_more_mapped(of_devices(observed)))
    mapped = list(DEVICES).index("mapped")
    kinds = []
    for compared in two.compare(scenarios_of("pods", range(mapped, 100, len(DEVICES)), 1, PROFILE)):
        assert isinstance(compared.comparison, tuple)
        kinds += [
            difference.kind
            for difference in compared.comparison
            if any("ClaimStatuses[0].overhead" in each.path for each in difference.disagreements)
        ]
    assert set(kinds) == {StepDifferenceKind.CHOICE if choice else StepDifferenceKind.STATE}
