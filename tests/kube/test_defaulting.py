"""The defaults that the API server writes into claims."""

from __future__ import annotations

import pytest

from dra_conform.kube.defaulting import default_claim
from dra_conform.kube.objects import decode, encode


def _defaulted(request: dict[str, object]) -> object:
    claim = decode(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": "c"},
            "spec": {"devices": {"requests": [request]}},
        }
    )
    once = default_claim(claim)
    assert default_claim(once) is once
    return encode(once)["spec"]["devices"]["requests"][0]


EXACT = {"allocationMode": "ExactCount", "count": 1}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, EXACT),
        ({"count": 0}, EXACT),
        ({"count": 3}, {"allocationMode": "ExactCount", "count": 3}),
        ({"count": -1}, {"allocationMode": "ExactCount", "count": -1}),
        ({"allocationMode": "All"}, {"allocationMode": "All"}),
        ({"allocationMode": "Other"}, {"allocationMode": "Other"}),
        ({"tolerations": [{"key": "a"}]}, {**EXACT, "tolerations": [{"key": "a", "operator": "Equal"}]}),
        ({"tolerations": [{"operator": "Exists"}]}, {**EXACT, "tolerations": [{"operator": "Exists"}]}),
        ({"adminAccess": False}, {**EXACT, "adminAccess": False}),
    ],
)
def test_exactly_and_alternatives(given: dict[str, object], expected: dict[str, object]) -> None:
    asked = {"deviceClassName": "x"}
    assert _defaulted({"name": "r", "exactly": asked | given}) == {"name": "r", "exactly": asked | expected}
    if "adminAccess" not in given:  # alternatives have no such field
        alternative = {"name": "a", **asked}
        assert _defaulted({"name": "r", "firstAvailable": [alternative | given]}) == {
            "name": "r",
            "firstAvailable": [alternative | expected],
        }
