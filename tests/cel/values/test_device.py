"""Conversion of a device of a ResourceSlice to the CEL variable `device`."""

from __future__ import annotations

import pytest

from dra_conform import cel
from dra_conform.cel.values.semantic_version import parse
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, DeviceAttribute, DeviceCapacity


def test_names_without_a_domain_belong_to_the_driver() -> None:
    device = Device(
        name="d",
        attributes={"a": DeviceAttribute(int_=0), "other.example.com/b/c": DeviceAttribute(bool_=False)},
        capacity={
            "m": DeviceCapacity(value=Quantity.parse("1Gi")),
            "x.io/m": DeviceCapacity(value=Quantity.parse("2")),
        },
        allow_multiple_allocations=True,
    )
    seen = cel.device_of("drv", device)
    assert seen.attributes == {"drv": {"a": 0}, "other.example.com": {"b/c": False}}
    assert seen.capacity == {"drv": {"m": Quantity.parse("1Gi")}, "x.io": {"m": Quantity.parse("2")}}
    assert seen.allow_multiple_allocations is True
    assert cel.device_of("drv", Device(name="d")).allow_multiple_allocations is False


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        (DeviceAttribute(int_=0), 0),
        (DeviceAttribute(bool_=False), False),
        (DeviceAttribute(string=""), ""),
        (DeviceAttribute(version="1.2.3"), parse("1.2.3")),
        (DeviceAttribute(ints=(1, 2)), (1, 2)),
        (DeviceAttribute(bools=()), ()),
        (DeviceAttribute(strings=("a",)), ("a",)),
        (DeviceAttribute(versions=("1.0.0",)), (parse("1.0.0"),)),
    ],
)
def test_values(attribute: DeviceAttribute, value: object) -> None:
    found = cel.device_of("drv", Device(name="d", attributes={"a": attribute})).attributes["drv"]["a"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        (DeviceAttribute(), "attribute a: unsupported attribute value"),
        (
            DeviceAttribute(version="1.0"),
            "attribute a: parse semantic version: No Major.Minor.Patch elements found",
        ),
        (DeviceAttribute(versions=("x",)), "attribute a: parse semantic version: No Major.Minor.Patch"),
    ],
)
def test_a_device_with_a_bad_attribute_fails(attribute: DeviceAttribute, message: str) -> None:
    with pytest.raises(cel.EvaluationError) as failure:
        cel.device_of("drv", Device(name="d", attributes={"a": attribute}))
    assert str(failure.value).startswith(message)


def test_a_device_given_with_plain_maps() -> None:
    device = cel.DeviceView("drv", {"a": {"x": 1}}, {})
    assert cel.compile('!has(device.attributes["b"].x)').evaluate(device)
    assert not cel.compile('"b" in device.attributes').evaluate(device)
