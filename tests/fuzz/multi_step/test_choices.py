"""Different devices and nodes are a choice; different fields of the same device are a difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from dra_conform.conformance.cluster.answer import SteadyState
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
