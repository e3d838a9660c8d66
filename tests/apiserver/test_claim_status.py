"""The status endpoint of ResourceClaim."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.apiserver import Verb, WriteRequest, admit
from tests.support.apiserver.objects import (
    SHARE,
    SURROUNDINGS,
    Errors,
    allocated,
    at,
    changed,
    claim_of,
    device_status,
    errors,
    exactly,
    first_available,
    profile,
    result,
    stored,
    update,
)

CLAIM = claim_of(exactly(), first_available("f", {"name": "s"}))
POD = {"resource": "pods", "name": "p", "uid": "u"}
RESULT = "allocation.devices.results[0]"


def write(status: Any, old: Any = None, where: Any = None, **metadata: Any) -> Any:
    before = CLAIM if old is None else {**CLAIM, "status": old}
    before = changed(before, {f"metadata.{name}": value for name, value in metadata.items()})
    return update({**before, "status": status}, before, where, subresource="status")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({}, set()),
        (allocated(result()), set()),
        (
            allocated(
                result(request="f/s"), result(device="e", shareID=SHARE, consumedCapacity={"a b": "-1"})
            ),
            set(),
        ),
        (allocated(result(), result()), set()),
        (allocated(result(request="x")), {(f"{RESULT}.request", "Invalid")}),
        (allocated(result(driver="")), {(f"{RESULT}.driver", "Required")}),
        (allocated(result(pool="")), {(f"{RESULT}.pool", "Required")}),
        (allocated(result(device="D")), {(f"{RESULT}.device", "Invalid")}),
        (allocated(result(shareID="x")), {(f"{RESULT}.shareID", "Invalid")}),
        (allocated(result(shareID=SHARE.upper())), {(f"{RESULT}.shareID", "Invalid")}),
        (allocated(result(bindingConditions=["a"])), {(f"{RESULT}.bindingFailureConditions", "Invalid")}),
        (
            allocated(result(tolerations=[{"operator": "In"}])),
            {(f"{RESULT}.tolerations[0].operator", "NotSupported")},
        ),
        ({"allocation": {"nodeSelector": {}}}, {("allocation.nodeSelector.nodeSelectorTerms", "Required")}),
        (
            {"allocation": {"devices": {"config": [{"opaque": {"driver": "a", "parameters": {}}}]}}},
            {("allocation.devices.config[0].source", "Required")},
        ),
        (
            {"allocation": {"devices": {"config": [{"source": "FromPod"}]}}},
            {
                ("allocation.devices.config[0].source", "NotSupported"),
                ("allocation.devices.config[0].opaque", "Required"),
            },
        ),
        (allocated(result(), reservedFor=[POD]), set()),
        (
            allocated(result(), reservedFor=[{}]),
            {(f"reservedFor[0].{name}", "Required") for name in ("resource", "name", "uid")},
        ),
        (allocated(result(), reservedFor=[POD, {**POD, "name": "q"}]), {("reservedFor[1]", "Duplicate")}),
        ({"reservedFor": [POD]}, {("reservedFor", "Forbidden")}),
        (allocated(result(), devices=[device_status()]), set()),
        (allocated(result(shareID=SHARE), devices=[device_status(shareID=SHARE)]), set()),
        (allocated(result(shareID=SHARE), devices=[device_status()]), {("devices[0]", "Invalid")}),
        (allocated(result(), devices=[device_status(shareID="")]), {("devices[0].shareID", "Invalid")}),
        (allocated(result(), devices=[device_status("other")]), {("devices[0]", "Invalid")}),
        (allocated(result(), devices=[device_status(), device_status()]), {("devices[1]", "Duplicate")}),
        (
            allocated(
                result(),
                devices=[device_status(data={"a": 1}, networkData={"ips": ["10.0.0.1/24", "fe80::1/64"]})],
            ),
            set(),
        ),
        (allocated(result(), devices=[device_status(data="text")]), {("devices[0].data", "Invalid")}),
        (
            allocated(
                result(),
                devices=[device_status(networkData={"ips": ["10.0.0.1", "10.0.0.01/24", "10.0.0.1/33"]})],
            ),
            {(f"devices[0].networkData.ips[{n}]", "Invalid") for n in range(3)},
        ),
        (
            allocated(result(), devices=[device_status(conditions=[{}])]),
            {
                (f"devices[0].conditions[0].{name}", "Required")
                for name in ("type", "status", "lastTransitionTime", "reason")
            },
        ),
    ],
)
def test_first_write(status: Any, expected: Errors) -> None:
    assert errors(write(status)) == {(f"status.{path}", kind) for path, kind in expected}


def test_an_allocation_can_be_set_and_removed_but_not_changed() -> None:
    old = allocated(result())
    assert errors(write(old, old)) == set()
    assert errors(write({}, old)) == set()
    assert errors(write(allocated(result("e")), old)) == {("status.allocation", "Invalid")}


def test_a_stored_allocation_is_not_validated_again() -> None:
    old = allocated(result(request="gone"))
    assert errors(write({**old, "reservedFor": [POD]}, old)) == set()


def test_no_reservation_for_a_claim_being_deleted() -> None:
    old = allocated(result(), reservedFor=[POD])
    deleted = {"deletionTimestamp": "2026-01-01T00:00:00Z"}
    assert errors(write(allocated(result()), old, **deleted)) == set()
    more = allocated(result(), reservedFor=[POD, {**POD, "uid": "v"}])
    assert errors(write(more, old, **deleted)) == {("status.reservedFor", "Forbidden")}


def test_device_status_is_removed_with_the_allocation() -> None:
    old = allocated(result(), result("e"), devices=[device_status(), device_status("e")])
    answer = stored(write({"devices": old["devices"]}, old))
    assert at(answer, "status.devices") is None
    unknown = {"devices": [device_status("never")]}
    assert errors(write(unknown, old)) == {("status.devices[0]", "Invalid")}


def test_a_status_write_changes_only_the_status() -> None:
    new = changed(
        {**CLAIM, "status": allocated(result())}, {"spec.devices.requests": [], "metadata.labels": {"a": "b"}}
    )
    answer = stored(update(new, CLAIM, subresource="status"))
    assert at(answer, "status.allocation") is not None
    assert at(answer, "metadata.labels") is None
    assert len(answer["spec"]["devices"]["requests"]) == 2


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [("default", {("status.allocation.devices.results[1].adminAccess", "Forbidden")}), ("admins", set())],
)
def test_admin_access_needs_the_label(namespace: str, expected: Errors) -> None:
    claim = claim_of(exactly(), namespace=namespace)
    status = allocated(result(), result("e", adminAccess=True))
    assert errors(update({**claim, "status": status}, claim, subresource="status")) == expected
    granted = {**claim, "status": status}
    assert (
        errors(update({**claim, "status": {**status, "reservedFor": [POD]}}, granted, subresource="status"))
        == set()
    )


def test_the_specification_clears_device_status_without_the_gate() -> None:
    old = allocated(result(), devices=[device_status()])
    off = {"DRAResourceClaimDeviceStatus": False, "DRADeviceBindingConditions": False}
    assert at(stored(write(old, old, profile("kubernetes-1.36", **off))), "status.devices") is not None
    assert at(stored(write(old, old, profile("kep", **off))), "status.devices") is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kubernetes-1.34", {("reservedFor[1].uid", "Duplicate"), ("devices[1].deviceID", "Duplicate")}),
        ("kubernetes-1.36", {("reservedFor[1]", "Duplicate"), ("devices[1]", "Duplicate")}),
    ],
)
def test_the_path_of_a_duplicate_key(name: str, expected: Errors) -> None:
    status = allocated(result(), reservedFor=[POD, POD], devices=[device_status(), device_status()])
    assert errors(write(status, None, profile(name))) == {(f"status.{path}", kind) for path, kind in expected}


def test_a_status_cannot_be_created() -> None:
    answer = admit(WriteRequest(Verb.CREATE, CLAIM, None, "status"), SURROUNDINGS, profile())
    assert errors(answer) == {("", "NotFound")}
