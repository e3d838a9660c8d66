"""The isolation that scenarios need on one control plane."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.isolation import Isolation, isolation_of

Json = Any
SETTLE = {"do": "settle"}
CREATE = {"do": "create", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}}
RULE = {"kind": "DeviceTaintRule", "name": "r"}


def rule(selector: Json) -> Json:
    spec = {"deviceSelector": selector} if selector is not None else {}
    return {"kind": "DeviceTaintRule", "metadata": {"name": "r"}, "spec": spec}


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([CREATE], Isolation.ONLY_WRITES),
        ([CREATE, SETTLE], Isolation.OWN_OBJECTS),
        ([CREATE, {"do": "advance", "seconds": 12}], Isolation.OWN_OBJECTS),
        ([CREATE, SETTLE, {"do": "restart", "components": ["scheduler"]}], Isolation.WHOLE_CLUSTER),
        ([{"do": "restart", "components": ["apiserver"]}], Isolation.WHOLE_CLUSTER),
        ([{"do": "set-gates", "components": ["scheduler"], "gates": {}}], Isolation.WHOLE_CLUSTER),
        ([{"do": "create", "object": rule({"driver": "d"})}, SETTLE], Isolation.OWN_OBJECTS),
        ([{"do": "create", "object": rule({"device": "gpu-0"})}, SETTLE], Isolation.WHOLE_CLUSTER),
        ([{"do": "create", "object": rule({})}], Isolation.ONLY_WRITES),
        ([{"do": "create", "object": rule(None)}, SETTLE], Isolation.OWN_OBJECTS),
        ([{"do": "patch", "of": RULE, "patch": {"metadata": {"labels": {}}}}, SETTLE], Isolation.OWN_OBJECTS),
        ([{"do": "patch", "of": RULE, "patch": rule({"driver": None})}, SETTLE], Isolation.WHOLE_CLUSTER),
        (
            [{"do": "change", "of": RULE, "fields": {"spec.deviceSelector.driver": ""}}, SETTLE],
            Isolation.WHOLE_CLUSTER,
        ),
    ],
)
def test_isolation_of_scenarios(actions: list[Json], expected: Isolation) -> None:
    assert isolation_of({}, {"actions": actions}) is expected


def test_a_devicetaintrule_without_a_driver_needs_the_whole_cluster() -> None:
    assert isolation_of({"deviceTaintRules": [rule({})]}, {"actions": [SETTLE]}) is Isolation.WHOLE_CLUSTER
    assert (
        isolation_of({"deviceTaintRules": [rule({"driver": "d"})]}, {"actions": [SETTLE]})
        is Isolation.OWN_OBJECTS
    )


def test_a_scenario_with_components_needs_the_whole_cluster() -> None:
    assert isolation_of({}, {"actions": [SETTLE], "components": {"scheduler": {}}}) is Isolation.WHOLE_CLUSTER


def test_a_scenario_that_judges_metrics_needs_the_whole_cluster() -> None:
    assert isolation_of({}, {"actions": [SETTLE], "metrics": True}) is Isolation.WHOLE_CLUSTER
