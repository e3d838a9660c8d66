"""Detection of fractional quantities."""

from __future__ import annotations

import pytest

from dra_conform.conformance.features import has_fractions
from dra_conform.kube.json_values import Json


def policy(**said: Json) -> Json:
    device = {"name": "d", "capacity": {"bw": {"value": "1", "requestPolicy": said}}}
    return {"resourceSlices": ({"spec": {"devices": [device]}},)}


def request(amount: Json) -> Json:
    exactly = {"capacity": {"requests": {"bw": amount}}}
    return {"object": {"spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}}}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (policy(default="1", validValues=["1", "2"]), False),
        (policy(default="500m"), True),
        (policy(validValues=["1", "1.5"]), True),
        (policy(validRange={"min": "1", "step": "100u"}), True),
        (policy(validRange={"min": "1000m"}), False),
        (request("3"), False),
        (request("300m"), True),
        (request("no quantity"), False),
        (request(1), False),
        ({"devices": [{"capacity": {"bw": {"value": "1500m"}}}]}, False),
    ],
)
def test_quantities_of_policies_and_requests(value: Json, found: bool) -> None:
    assert has_fractions(value) is found
