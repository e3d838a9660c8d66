"""What shared allocations of a scenario consume: three of a device fit, whatever its request policy is."""

from __future__ import annotations

import pytest

from dra_conform.adapters.driver.shared_capacity import consumed_capacity, fitting, requested_capacity
from dra_conform.kube.json_values import Json


def device(value: str, **policy: Json) -> Json:
    capacity = {"value": value, **({"requestPolicy": policy} if policy else {})}
    return {"capacity": {"example.com/memory": capacity}}


@pytest.mark.parametrize(
    ("published", "consumed", "is_requested"),
    [
        pytest.param(device("80Gi"), "20Gi", True, id="a quarter of a capacity without a policy"),
        pytest.param(device("3"), "1", True, id="whole units"),
        pytest.param(device("1"), "250m", True, id="a quarter of one unit"),
        pytest.param(device("0"), "0", False, id="nothing of nothing"),
        pytest.param(device("10", default="2", validValues=["1", "2"]), "2", False, id="the default"),
        pytest.param(
            device("10", default="6", validValues=["1", "6"]),
            "1",
            True,
            id="the first value for a large default",
        ),
        pytest.param(
            device("10", default="6", validRange={"min": "2"}),
            "2",
            True,
            id="the minimum for a large default",
        ),
        pytest.param(
            device("40Gi", default="0", validRange={"min": "0", "max": "40Gi", "step": "1Mi"}),
            "1Mi",
            True,
            id="one step from zero",
        ),
        pytest.param(
            device("40Gi", default="0", validRange={"min": "0", "max": "8Gi"}),
            "8Gi",
            True,
            id="the largest quantity from zero",
        ),
    ],
)
def test_three_shared_allocations_fit(published: Json, consumed: str, is_requested: bool) -> None:
    assert consumed_capacity(published) == {"example.com/memory": consumed}
    assert requested_capacity(published) == ({"example.com/memory": consumed} if is_requested else {})
    assert fitting(published) == 3


def test_a_default_of_more_than_half_is_consumed_if_the_policy_allows_nothing_else() -> None:
    published = device("10", default="6", validValues=["6"])
    assert consumed_capacity(published) == {"example.com/memory": "6"}
    assert requested_capacity(published) == {}
    assert fitting(published) == 1


def test_a_device_without_capacity_can_be_shared() -> None:
    assert consumed_capacity({"name": "gpu"}) == requested_capacity({"name": "gpu"}) == {}
    assert fitting({"name": "gpu"}) == 3


def test_two_shared_allocations_of_whole_units_fit() -> None:
    assert consumed_capacity(device("2")) == {"example.com/memory": "1"}
    assert fitting(device("2")) == 2
