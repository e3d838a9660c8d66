"""ResourceQuota: limited resources and scopes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import Errors, create, errors, update
from tests.support.apiserver.quotas_with_scopes import quota, selector

SCOPES = ("spec.scopes", "Invalid")
SELECTED = "spec.scopeSelector.matchExpressions"


@pytest.mark.parametrize(
    ("hard", "expected"),
    [
        ({"pods": "1", "requests.cpu": "1.5", "requests.example.com/gpu": "1"}, set()),
        ({"gpu.deviceclass.resource.k8s.io/devices": "2"}, set()),
        ({"gpus": "1"}, {("spec.hard[gpus]", "Invalid")}),
        ({"pods": "0.5", "cpu": "-1"}, {("spec.hard[pods]", "Invalid"), ("spec.hard[cpu]", "Invalid")}),
    ],
)
def test_hard(hard: Any, expected: Errors) -> None:
    assert errors(create(quota({"hard": hard}))) == expected


@pytest.mark.parametrize(
    ("scopes", "name", "expected"),
    [
        (["Terminating"], "pods", set()),
        (["Terminating"], "limits.memory", set()),
        (["Terminating"], "services", {SCOPES}),
        (["BestEffort"], "cpu", {SCOPES}),
        (["BestEffort"], "requests.example.com/gpu", set()),
        (["PriorityClass"], "gpu.deviceclass.resource.k8s.io/devices", set()),
        (["VolumeAttributesClass"], "requests.storage", set()),
        (["VolumeAttributesClass"], "pods", {SCOPES}),
        (["NotBestEffort"], "hugepages-2Mi", {SCOPES}),
        (["Odd"], "pods", {SCOPES}),
        (["Terminating", "BestEffort"], "pods", set()),
        (["Terminating", "NotTerminating"], "pods", {SCOPES}),
        (["BestEffort", "NotBestEffort"], "pods", {SCOPES}),
    ],
)
def test_scopes(scopes: list[str], name: str, expected: Errors) -> None:
    assert errors(create(quota({"hard": {name: "1"}, "scopes": scopes}))) == expected


@pytest.mark.parametrize(
    ("scope", "operator", "values", "expected"),
    [
        ("Terminating", "Exists", [], set()),
        ("Terminating", "DoesNotExist", [], {(f"{SELECTED}.operator", "Invalid")}),
        ("PriorityClass", "In", ["high"], set()),
        ("PriorityClass", "NotIn", [], {(f"{SELECTED}.values", "Required")}),
        ("PriorityClass", "DoesNotExist", [], set()),
        ("PriorityClass", "Exists", ["high"], {(f"{SELECTED}.values", "Invalid")}),
        ("PriorityClass", "Odd", [], {(f"{SELECTED}.operator", "Invalid")}),
        ("Odd", "Exists", [], {(f"{SELECTED}.scopeName", "Invalid")}),
    ],
)
def test_selected_scopes(scope: str, operator: str, values: list[str], expected: Errors) -> None:
    spec = {"hard": {"pods": "1"}, "scopeSelector": selector(scope, operator, values)}
    assert errors(create(quota(spec))) == expected


def test_a_selected_scope_limits_its_resources_and_excludes_the_opposite_scope() -> None:
    spec = {"hard": {"services": "1"}, "scopeSelector": selector("BestEffort", "Exists")}
    assert errors(create(quota(spec))) == {(SELECTED, "Invalid")}
    both = [
        one["matchExpressions"][0]
        for one in (selector("BestEffort", "Exists"), selector("NotBestEffort", "Exists"))
    ]
    spec = {"hard": {"pods": "1"}, "scopeSelector": {"matchExpressions": both}}
    assert errors(create(quota(spec))) == {(SELECTED, "Invalid")}


def test_scopes_do_not_change_and_limits_do() -> None:
    old = quota({"hard": {"pods": "1"}, "scopes": ["Terminating", "BestEffort"]})
    turned = quota({"hard": {"pods": "2"}, "scopes": ["BestEffort", "Terminating"]})
    fewer = quota({"hard": {"pods": "1"}, "scopes": ["Terminating"]})
    assert errors(update(turned, old)) == set()
    assert errors(update(fewer, old)) == {SCOPES}
    selected = {"hard": {"pods": "1"}, "scopeSelector": selector("Terminating", "Exists")}
    assert errors(update(quota({"hard": {"pods": "1"}}), quota(selected))) == set()
