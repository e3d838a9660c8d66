"""DeviceClass."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import (
    Errors,
    create,
    errors,
    of,
    profile,
    selector,
    stored,
    update,
)

SHARING = [selector("device.allowMultipleAllocations")]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, set()),
        ({"selectors": [selector("device.driver == 'a'")]}, set()),
        ({"selectors": [selector("device.driver")]}, {("selectors[0].cel.expression", "Invalid")}),
        ({"config": [{}]}, {("config[0].opaque", "Required")}),
        ({"extendedResourceName": "example.com/gpu"}, set()),
        ({"extendedResourceName": f"example.com/{'x' * 63}"}, set()),
        ({"extendedResourceName": f"example.com/{'x' * 64}"}, {("extendedResourceName", "Invalid")}),
        ({"extendedResourceName": "gpu"}, {("extendedResourceName", "Invalid")}),
        (
            {"extendedResourceName": "deviceclass.resource.kubernetes.io/gpu"},
            {("extendedResourceName", "Invalid")},
        ),
        ({"extendedResourceName": "requests.example.com/gpu"}, {("extendedResourceName", "Invalid")}),
        ({"extendedResourceName": "a/b/c"}, {("extendedResourceName", "Invalid")}),
    ],
)
def test_spec(spec: Any, expected: Errors) -> None:
    assert errors(create(of("DeviceClass", spec))) == {(f"spec.{path}", kind) for path, kind in expected}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.b-c.example.com", set()),
        ("A", {("metadata.name", "Invalid")}),
        ("x" * 254, {("metadata.name", "Invalid")}),
    ],
)
def test_names(name: str, expected: Errors) -> None:
    assert errors(create(of("DeviceClass", {}, name=name))) == expected


def test_stored_selectors_are_validated_again_only_if_the_list_changes() -> None:
    off = profile(DRAConsumableCapacity=False, DRAFractionalCapacityRange=False)
    old = of("DeviceClass", {"selectors": SHARING})
    assert errors(create(old, off)) == {("spec.selectors[0].cel.expression", "Invalid")}
    assert (
        errors(update(of("DeviceClass", {"selectors": SHARING, "extendedResourceName": "a.b/c"}), old, off))
        == set()
    )
    more = of("DeviceClass", {"selectors": [*SHARING, selector("true")]})
    assert errors(update(more, old, off)) == {("spec.selectors[0].cel.expression", "Invalid")}


def test_an_expression_may_cost_a_million() -> None:
    nested = 'device.attributes.exists(d, device.attributes[d].exists(n, device.attributes[d][n] == "x"))'
    for count, expected in ((86, set()), (87, {("spec.selectors[0].cel.expression", "Forbidden")})):
        looped = f"[{', '.join('0' * count)}].all(i, {nested})"
        assert errors(create(of("DeviceClass", {"selectors": [selector(looped)]}))) == expected


def test_the_extended_resource_can_be_set_changed_and_cleared() -> None:
    first, other = (of("DeviceClass", {"extendedResourceName": name}) for name in ("a.b/c", "a.b/d"))
    assert stored(update(first, of("DeviceClass", {})))["spec"] == {"extendedResourceName": "a.b/c"}
    assert stored(update(other, first))["spec"] == {"extendedResourceName": "a.b/d"}
    assert stored(update(of("DeviceClass", {}), first))["spec"] == {}
