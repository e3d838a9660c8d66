"""What shared allocations of a scenario consume: two of a device fit, whatever its request policy is."""

from __future__ import annotations

import pytest

from dra_conform.adapters.driver.shared_capacity import consumed_capacity, requested_capacity, two_fit
from dra_conform.kube.json_values import Json


def device(value: str, **policy: Json) -> Json:
    capacity = {"value": value, **({"requestPolicy": policy} if policy else {})}
    return {"capacity": {"example.com/memory": capacity}}


@pytest.mark.parametrize(
    ("published", "consumed", "is_requested"),
    [
        pytest.param(device("80Gi"), "40Gi", True, id="half of a capacity without a policy"),
        pytest.param(device("3"), "1", True, id="whole units"),
        pytest.param(device("1"), "500m", True, id="half a unit of one"),
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
    ],
)
def test_two_shared_allocations_fit(published: Json, consumed: str, is_requested: bool) -> None:
    assert consumed_capacity(published) == {"example.com/memory": consumed}
    assert requested_capacity(published) == ({"example.com/memory": consumed} if is_requested else {})
    assert two_fit(published)


def test_a_default_of_more_than_half_is_consumed_if_the_policy_allows_nothing_else() -> None:
    published = device("10", default="6", validValues=["6"])
    assert consumed_capacity(published) == {"example.com/memory": "6"}
    assert requested_capacity(published) == {}
    assert not two_fit(published)


def test_a_device_without_capacity_can_be_shared() -> None:
    assert consumed_capacity({"name": "gpu"}) == requested_capacity({"name": "gpu"}) == {}
    assert two_fit({"name": "gpu"})
