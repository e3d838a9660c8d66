"""Updates of objects and of their statuses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.kube_control_plane.builds import Admission, Json
from tests.support.kube_control_plane.objects import DRIVER, claim, device_slice, good, named

pytestmark = pytest.mark.slow

TAINTS = [{"key": "k", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z"}]
RESULT = {"request": "r", "driver": DRIVER, "pool": "n", "device": "dev"}
ALLOCATED = {
    "allocation": {"devices": {"results": [RESULT]}},
    "reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}],
}


@pytest.mark.parametrize(("stored", "kept"), [([], False), (TAINTS, True)])
def test_a_stored_field_is_kept_with_its_gate_off(
    admission: Admission, stored: list[Json], kept: bool
) -> None:
    old = device_slice(admission.minor, taints=stored)
    written = device_slice(admission.minor, taints=TAINTS)
    (device,) = admission.update(old, written, profile="off")["object"]["spec"]["devices"]
    assert device.get("taints") == (TAINTS if kept else None)
    (device,) = admission.update(old, written, profile="on")["object"]["spec"]["devices"]
    assert device["taints"] == TAINTS


def test_the_spec_of_a_claim_is_immutable(admission: Admission) -> None:
    answer = admission.update(claim(admission.minor), claim(admission.minor, count=2))
    assert (answer["outcome"], answer["reason"]) == ("rejected", "Invalid")
    assert [(error["path"], error["type"]) for error in answer["errors"]] == [("spec", "Invalid")]


def test_stored_values_are_not_validated_again(admission: Admission) -> None:
    """An update can add a label although a stored annotation has an invalid key."""
    old = device_slice(admission.minor)
    old["metadata"]["annotations"] = {"not a key": ""}
    written = device_slice(admission.minor)
    written["metadata"]["labels"] = {"a": "b"}
    assert admission.update(old, written)["outcome"] == "admitted"


def test_an_update_does_not_change_the_status(admission: Admission) -> None:
    old = {**claim(admission.minor), "status": ALLOCATED}
    written = claim(admission.minor)
    written["metadata"]["labels"] = {"a": "b"}
    served = admission.update(old, written)["object"]
    assert served["metadata"]["labels"] == {"a": "b"}
    assert _status(served) == ALLOCATED


def test_a_status_update_changes_only_the_status(admission: Admission) -> None:
    written = {**claim(admission.minor, count=7), "status": ALLOCATED}
    served = admission.update(claim(admission.minor), written, subresource="status")["object"]
    assert served["spec"]["devices"]["requests"][0]["exactly"]["count"] == 1
    assert _status(served) == ALLOCATED


def test_an_invalid_status_is_rejected(admission: Admission) -> None:
    result = {**RESULT, "request": "other", "device": "Upper"}
    status = {"allocation": {"devices": {"results": [result]}}}
    written = {**claim(admission.minor), "status": status}
    answer = admission.update(claim(admission.minor), written, subresource="status")
    path = "status.allocation.devices.results[0]"
    assert {(error["path"], error["type"]) for error in answer["errors"]} == {
        (f"{path}.request", "Invalid"),
        (f"{path}.device", "Invalid"),
    }


@pytest.mark.parametrize(("user", "allowed"), [(None, True), ({"name": "jane", "groups": []}, False)])
def test_only_authorized_users_may_allocate(admission: Admission, user: Json | None, allowed: bool) -> None:
    """Since 1.36 the API server requires a permission for allocations. Cases have no roles."""
    written = {**claim(admission.minor), "status": ALLOCATED}
    ask: Any = {"subresource": "status"} if user is None else {"subresource": "status", "user": user}
    answer = admission.update(claim(admission.minor), written, **ask)
    if allowed or admission.minor in ("1.33", "1.34", "1.35"):
        assert answer["outcome"] == "admitted"
    else:
        assert [(error["path"], error["type"]) for error in answer["errors"]] == [
            ("status.allocation", "Forbidden")
        ]


def test_the_status_of_a_pod_is_updated(admission: Admission) -> None:
    pod = good(admission.minor, "Pod")
    status = {"resourceClaimStatuses": [{"name": "x", "resourceClaimName": "c"}]}
    served = admission.update(pod, {**pod, "status": status}, subresource="status")["object"]
    assert served["status"]["resourceClaimStatuses"] == status["resourceClaimStatuses"]


def test_a_pod_is_resized(admission: Admission) -> None:
    old, written = (
        named(admission.minor, "Pod", {"containers": [_container(amount)]}) for amount in ("1", "2")
    )
    old["status"] = {"qosClass": "Burstable"}
    answer = admission.update(old, written, subresource="resize")
    (container,) = answer["object"]["spec"]["containers"]
    assert container["resources"] == {"requests": {"cpu": "2"}}


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"resourceVersion": "7"}, None),
        ({"resourceVersion": "6"}, "Conflict"),
        ({"uid": "another"}, "Conflict"),
        ({"name": "another"}, "BadRequest"),
        ({"namespace": "another"}, "BadRequest"),
    ],
)
def test_preconditions_are_compared_with_the_stored_object(
    admission: Admission, metadata: Json, reason: str | None
) -> None:
    old, written = claim(admission.minor), claim(admission.minor)
    old["metadata"] |= {"resourceVersion": "7", "uid": "one"}
    written["metadata"] |= metadata
    assert admission.update(old, written).get("reason") == reason


def test_unknown_subresources_are_rejected(admission: Admission) -> None:
    kind = "DeviceTaintRule" if admission.minor in ("1.33", "1.34") else "ResourceSlice"
    written = good(admission.minor, kind)
    assert admission.update(written, written, subresource="status")["reason"] == "NotFound"


def _status(served: Json) -> Json:
    """Return the status of a claim. 1.33 serves `adminAccess: null` if it is not set."""
    status: Json = served["status"]
    for result in status["allocation"]["devices"]["results"]:
        if result.get("adminAccess", False) is None:
            del result["adminAccess"]
    return status


def _container(amount: str) -> Json:
    return {"name": "c", "image": "i", "resources": {"requests": {"cpu": amount}}}
