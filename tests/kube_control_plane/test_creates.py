"""Creates: the stored object, or all errors."""

from __future__ import annotations

import pytest

from tests.support.kube_control_plane.builds import Admission, running
from tests.support.kube_control_plane.objects import ERRORS, KINDS, bad, claim, device_slice, good

pytestmark = pytest.mark.slow

ADMIN_LABELS = {"1.33": "resource.k8s.io/admin-access"}
NEWEST = "v1.37.1"


@pytest.mark.parametrize("kind", KINDS)
def test_valid_objects_are_stored(admission: Admission, kind: str) -> None:
    written = good(admission.minor, kind)
    answer = admission.create(written)
    assert answer["outcome"] == "admitted", answer
    assert answer["warnings"] == []
    served = answer["object"]
    assert (served["apiVersion"], served["kind"]) == (written["apiVersion"], kind)
    assert not served["metadata"].keys() & {"uid", "resourceVersion", "generation", "managedFields"}


@pytest.mark.parametrize("kind", KINDS)
def test_invalid_objects_are_rejected_with_all_errors(admission: Admission, kind: str) -> None:
    answer = admission.create(bad(admission.minor, kind))
    assert (answer["outcome"], answer["reason"]) == ("rejected", "Invalid")
    assert {(error["path"], error["type"]) for error in answer["errors"]} == ERRORS[kind]


def test_the_detail_begins_with_the_value(admission: Admission) -> None:
    errors = admission.create(bad(admission.minor, "ResourceClaim"))["errors"]
    (detail,) = (error["detail"] for error in errors if error["path"].endswith(".count"))
    assert detail == "-1: must be greater than zero"


def test_defaults_are_stored(admission: Admission) -> None:
    served = admission.create(claim(admission.minor))["object"]
    assert served["metadata"]["namespace"] == "default"
    (request,) = served["spec"]["devices"]["requests"]
    assert request["exactly"] == {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}


def test_an_unknown_field_is_a_warning(admission: Admission) -> None:
    answer = admission.create(claim(admission.minor, color="red"))
    assert answer["outcome"] == "admitted"
    assert answer["warnings"] == ['unknown field "spec.devices.requests[0].exactly.color"']


def test_a_wrong_type_cannot_be_decoded(admission: Admission) -> None:
    answer = admission.create(claim(admission.minor, count="two"))
    assert (answer["outcome"], answer["reason"], answer["errors"]) == ("rejected", "BadRequest", [])
    assert "cannot unmarshal string" in answer["message"]


def test_an_existing_object_is_rejected(admission: Admission) -> None:
    written = claim(admission.minor)
    answer = admission.create(written, resourceClaims=[written])
    assert (answer["reason"], answer["message"]) == (
        "AlreadyExists",
        'resourceclaims.resource.k8s.io "c" already exists',
    )
    elsewhere = {**written, "metadata": {"name": "c", "namespace": "elsewhere"}}
    assert admission.create(written, resourceClaims=[elsewhere])["outcome"] == "admitted"


@pytest.mark.parametrize("labelled", [True, False])
def test_admin_access_needs_a_label(admission: Admission, labelled: bool) -> None:
    admission.say(type="configure", profiles={"admin": admission.profile({"DRAAdminAccess": True})})
    label = ADMIN_LABELS.get(admission.minor, "resource.kubernetes.io/admin-access")
    namespace = {"metadata": {"name": "default", "labels": {label: "true"} if labelled else {}}}
    written = claim(admission.minor, adminAccess=True)
    answer = admission.create(written, profile="admin", namespaces=[namespace])
    if labelled:
        (request,) = answer["object"]["spec"]["devices"]["requests"]
        assert request["exactly"]["adminAccess"] is True
    else:
        (error,) = answer["errors"]
        assert (error["path"], error["type"]) == ("spec.devices.requests[0].adminAccess", "Forbidden")


def test_gates_can_change_between_requests(admission: Admission) -> None:
    written = device_slice(admission.minor, taints=[{"key": "k", "effect": "NoSchedule"}])
    for profile in ("on", "off", "on"):
        (device,) = admission.create(written, profile=profile)["object"]["spec"]["devices"]
        content = device.get("basic", device)
        assert ("taints" in content) == (profile == "on")


def test_versions_that_are_off_by_default_are_not_served(admission: Admission) -> None:
    """1.33 has no stable version, so its beta versions are served if DRA is on."""
    written = {**claim(admission.minor), "apiVersion": "resource.k8s.io/v1beta2"}
    answer = admission.create(written)
    if admission.minor == "1.33":
        assert answer["outcome"] == "admitted"
    else:
        assert (answer["outcome"], answer["reason"]) == ("rejected", "NotFound")
    unknown = {**written, "apiVersion": "resource.k8s.io/v7"}
    assert admission.create(unknown)["reason"] == "NotFound"


def test_device_taint_rules_need_their_gate_until_they_are_stable(admission: Admission) -> None:
    answer = admission.create(good(admission.minor, "DeviceTaintRule"), profile="off")
    if admission.minor == "1.37":
        assert answer["outcome"] == "admitted"
    else:
        assert (answer["outcome"], answer["reason"]) == ("rejected", "NotFound")


def test_versions_can_be_served() -> None:
    request = {"name": "r", "deviceClassName": "gpu"}
    written = {**claim("1.37"), "apiVersion": "resource.k8s.io/v1beta1"}
    written["spec"] = {"devices": {"requests": [request]}}
    with running(NEWEST, "--runtime-config", "v1beta1,v1beta2") as admission:
        answer = admission.create(written)
    assert answer["object"]["apiVersion"] == "resource.k8s.io/v1beta1"
    (served,) = answer["object"]["spec"]["devices"]["requests"]
    assert served == {**request, "allocationMode": "ExactCount", "count": 1}
