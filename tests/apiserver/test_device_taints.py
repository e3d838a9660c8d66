"""DeviceTaintRule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import (
    Errors,
    changed,
    create,
    errors,
    of,
    profile,
    selector,
    stored,
    update,
)

TAINT = {"key": "example.com/broken", "effect": "NoExecute"}
OLD_TIME = "2020-01-01T00:00:00Z"


def rule(version: str = "v1", selects: Any = None, **taint: Any) -> dict[str, Any]:
    spec = {"taint": {**TAINT, **taint}} | ({} if selects is None else {"deviceSelector": selects})
    return of("DeviceTaintRule", spec, version)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (rule(), set()),
        (rule(selects={}), set()),
        (rule(selects={"driver": "a", "pool": "b/c", "device": "d"}), set()),
        (
            rule(selects={"driver": "", "pool": "", "device": ""}),
            {
                ("deviceSelector.driver", "Required"),
                ("deviceSelector.pool", "Required"),
                ("deviceSelector.device", "Invalid"),
            },
        ),
        (rule(key=""), {("taint.key", "Invalid")}),
        (rule(effect=""), {("taint.effect", "Required")}),
        (rule(effect="None", value="v"), set()),
        (rule(effect="Never", value="a b"), {("taint.effect", "NotSupported"), ("taint.value", "Invalid")}),
    ],
)
def test_spec(raw: Any, expected: Errors) -> None:
    assert errors(create(raw)) == {(f"spec.{path}", kind) for path, kind in expected}


@pytest.mark.parametrize("name", ["kubernetes-1.34", "kep"])
def test_rules_select_by_class_and_expression_until_1_34(name: str) -> None:
    raw = rule("v1alpha3", {"deviceClassName": "Bad", "selectors": [selector("device.drver")]})
    path = "spec.deviceSelector"
    assert errors(create(raw, profile(name))) == {
        (f"{path}.deviceClassName", "Invalid"),
        (f"{path}.selectors[0].cel.expression", "Invalid"),
    }
    assert stored(create(raw, profile("kubernetes-1.35")))["spec"]["deviceSelector"] == {}


def test_the_effect_none_is_of_1_35() -> None:
    raw = rule("v1alpha3", effect="None")
    assert errors(create(raw, profile("kubernetes-1.34"))) == {("spec.taint.effect", "NotSupported")}
    assert errors(create(raw, profile("kubernetes-1.35"))) == set()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, OLD_TIME),
        ({"spec.taint.value": "v"}, OLD_TIME),
        ({"spec.taint.effect": "None"}, "2026-05-01T12:00:00Z"),
        (
            {"spec.taint.effect": "None", "spec.taint.timeAdded": "2021-01-01T00:00:00Z"},
            "2021-01-01T00:00:00Z",
        ),
    ],
)
def test_a_changed_effect_sets_the_time(changes: Any, expected: str) -> None:
    old = rule(timeAdded=OLD_TIME)
    assert stored(update(changed(old, changes), old))["spec"]["taint"]["timeAdded"] == expected


def test_until_1_35_a_changed_effect_keeps_the_time() -> None:
    old = rule("v1alpha3", timeAdded=OLD_TIME)
    new = changed(old, {"spec.taint.effect": "NoSchedule"})
    assert stored(update(new, old, profile("kubernetes-1.35")))["spec"]["taint"]["timeAdded"] == OLD_TIME


def test_an_unchanged_effect_is_not_validated_again() -> None:
    old = rule(effect="Old", timeAdded=OLD_TIME)
    assert errors(update(changed(old, {"spec.taint.value": "v"}), old)) == set()


def test_status() -> None:
    old = rule(timeAdded=OLD_TIME)
    status = {
        "conditions": [{"type": "Done", "status": "Maybe", "reason": "1", "lastTransitionTime": OLD_TIME}]
    }
    assert errors(update({**old, "status": status}, old, subresource="status")) == {
        ("status.conditions[0].status", "NotSupported"),
        ("status.conditions[0].reason", "Invalid"),
    }
    assert "status" not in stored(create({**old, "status": status}))
