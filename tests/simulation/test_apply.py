"""Patches and server-side apply: field ownership, atomic fields, and conflicts."""

from __future__ import annotations

import pytest

from tests.support.simulation.scenarios import (
    DRIVER,
    RESOURCE,
    Json,
    change,
    claim,
    delete,
    get,
    observations_of,
    of,
    shared,
    slice_on,
)

CLASS = {"kind": "DeviceClass", "name": "nic"}
CLAIM = {"kind": "ResourceClaim", "name": "c"}


def apply(raw: Json, manager: str = "a", **more: Json) -> Json:
    return {"do": "apply", "manager": manager, "object": raw, **more}


def patch(reference: Json, patched: Json, **more: Json) -> Json:
    return {"do": "patch", "of": reference, "patch": patched, **more}


def labelled(**labels: str) -> Json:
    """Return a DeviceClass with labels, which are a merged map."""
    return of("DeviceClass", "nic", {}, **({"labels": labels} if labels else {}))


def selecting(*expressions: str) -> Json:
    """Return a DeviceClass with selectors, which are an atomic list."""
    return of("DeviceClass", "nic", {"selectors": [{"cel": {"expression": one}} for one in expressions]})


def device(name: str, **more: Json) -> Json:
    return {"driver": DRIVER, "pool": "pool-left", "device": name, **more}


def reported(*devices: Json) -> Json:
    """Return the device status that a driver applies to claim c, which is a keyed list."""
    return {**of("ResourceClaim", "c"), "status": {"devices": list(devices)}}


ALLOCATED = {
    **claim("c"),
    "status": {
        "allocation": {
            "devices": {"results": [device("eth1", request="r"), device("eth2", request="r")]},
        }
    },
}


def labels_after(*actions: Json) -> Json:
    return observations_of([], *actions, get("DeviceClass", "nic"))[-1]["object"]["metadata"].get("labels")


def expressions_after(*actions: Json) -> list[str]:
    spec = observations_of([], *actions, get("DeviceClass", "nic"))[-1]["object"]["spec"]
    return [one["cel"]["expression"] for one in spec.get("selectors", [])]


def test_a_patch_merges_maps_and_null_removes_a_field() -> None:
    patched = patch(CLASS, {"metadata": {"labels": {"x": None, "z": "3"}}})
    assert labels_after(apply(labelled(x="1", y="2")), patched) == {"y": "2", "z": "3"}


def test_a_patch_replaces_lists_and_is_admitted() -> None:
    patched = patch(CLASS, {"spec": {"selectors": [{"cel": {"expression": "false"}}]}})
    assert expressions_after(apply(selecting("true", "1 == 1")), patched) == ["false"]
    wrong = patch(CLASS, {"spec": {"selectors": [{}]}})
    _, refused, missing = observations_of(
        [], apply(selecting("true")), wrong, patch({**CLASS, "name": "x"}, {})
    )
    assert (refused["reason"], missing["reason"]) == ("Invalid", "NotFound")


def test_apply_creates_a_missing_object() -> None:
    written, observed = observations_of([], apply(labelled(x="1")), get("DeviceClass", "nic"))
    assert written["outcome"] == "admitted"
    assert observed["object"]["metadata"]["labels"] == {"x": "1"}
    [refused] = observations_of([], apply(reported(), subresource="status"))
    assert refused["reason"] == "NotFound"


def test_maps_of_two_managers_are_merged() -> None:
    assert labels_after(apply(labelled(x="1")), apply(labelled(y="2"), "b")) == {"x": "1", "y": "2"}


def test_an_atomic_list_of_two_managers_is_not_merged() -> None:
    first, second = apply(selecting("true")), apply(selecting("false"), "b")
    _, refused = observations_of([], first, second)
    assert (refused["reason"], refused["message"]) == (
        "Conflict",
        'Apply failed with 1 conflict(s): conflict with "a": .spec.selectors',
    )
    assert expressions_after(first, second) == ["true"]
    assert expressions_after(first, {**second, "force": True}) == ["false"]


def test_equal_values_have_several_owners() -> None:
    both = (apply(selecting("true")), apply(selecting("true"), "b"))
    assert expressions_after(*both) == ["true"]
    # The first manager removes the field, the second one still owns it.
    assert expressions_after(*both, apply(labelled())) == ["true"]
    assert expressions_after(*both, apply(labelled()), apply(labelled(), "b")) == []


def test_a_field_that_its_manager_leaves_out_is_removed() -> None:
    assert labels_after(apply(labelled(x="1", y="2")), apply(labelled(y="2"))) == {"y": "2"}


def test_a_forced_field_is_not_removed_by_its_former_owner() -> None:
    taken = (apply(labelled(x="1", y="2")), apply(labelled(x="3"), "b", force=True))
    assert labels_after(*taken, apply(labelled(y="2"))) == {"x": "3", "y": "2"}


def test_an_update_owns_the_fields_that_it_changes() -> None:
    written = change(CLASS, {"metadata.labels.x": "2"})
    _, _, refused = observations_of([], apply(labelled(x="1")), written, apply(labelled(x="1")))
    assert refused["reason"] == "Conflict"
    _, _, again = observations_of([], apply(labelled(x="1")), written, apply(labelled(x="2")))
    assert again["outcome"] == "admitted"


def test_an_update_owns_all_fields_of_a_setup_object() -> None:
    setup = of("DeviceClass", "nic", {"selectors": [{"cel": {"expression": "true"}}]})
    refused, same = observations_of([setup], apply(selecting("false")), apply(selecting("true")))
    assert (refused["reason"], same["outcome"]) == ("Conflict", "admitted")


def test_deletion_removes_the_field_managers() -> None:
    again = apply(selecting("false"), "b")
    assert expressions_after(apply(selecting("true")), delete("DeviceClass", "nic"), again) == ["false"]


def test_items_of_a_keyed_list_are_merged() -> None:
    one, other = device("eth1", data={"a": 1}), device("eth2", data={"b": 2})
    applied = [
        apply(reported(one), subresource="status"),
        apply(reported(other), "b", subresource="status"),
    ]
    both = observations_of([ALLOCATED], *applied, get("ResourceClaim", "c"))[-1]["object"]["status"][
        "devices"
    ]
    assert both == [one, other]
    given_back = apply(reported(), subresource="status")
    left = observations_of([ALLOCATED], *applied, given_back, get("ResourceClaim", "c"))[-1]
    assert left["object"]["status"]["devices"] == [other]
    assert left["object"]["status"]["allocation"]


def test_items_that_differ_in_one_key_are_different() -> None:
    conditions = [{"type": one, "status": "True", "reason": "r", "message": ""} for one in ("A", "B")]
    times = {"lastTransitionTime": "2026-01-01T00:00:00Z"}
    applied = [
        apply(reported(device("eth1", conditions=[{**one, **times}])), manager, subresource="status")
        for manager, one in zip("ab", conditions, strict=True)
    ]
    observed = observations_of([ALLOCATED], *applied, get("ResourceClaim", "c"))[-1]["object"]["status"][
        "devices"
    ]
    assert [one["type"] for one in observed[0]["conditions"]] == ["A", "B"]


def test_a_set_is_merged() -> None:
    def held(*finalizers: str) -> Json:
        return of("DeviceClass", "nic", {}, finalizers=list(finalizers))

    def finalizers_after(*actions: Json) -> Json:
        return observations_of([], *actions, get("DeviceClass", "nic"))[-1]["object"]["metadata"].get(
            "finalizers"
        )

    both = (apply(held("x.example/a")), apply(held("x.example/b"), "b"))
    assert finalizers_after(*both) == ["x.example/a", "x.example/b"]
    assert finalizers_after(*both, apply(held())) == ["x.example/b"]


def test_apply_in_an_older_version() -> None:
    old = {**selecting("true"), "apiVersion": "resource.k8s.io/v1beta1"}
    written, observed = observations_of([], apply(old), get("DeviceClass", "nic"))
    assert (written["object"]["apiVersion"], observed["object"]["apiVersion"]) == (
        old["apiVersion"],
        RESOURCE,
    )
    [refused] = observations_of([], apply({**old, "apiVersion": "resource.k8s.io/v9"}))
    assert refused["reason"] == "NotFound"


def test_the_devices_of_a_resource_slice_are_one_field() -> None:
    slice_ = slice_on("left", shared("eth1"))
    other = {**slice_, "spec": {"devices": [shared("eth2")]}}
    refused = observations_of([], apply(slice_), apply(other, "b"))[-1]
    assert refused["message"].endswith('conflict with "a": .spec.devices')
    observed = observations_of(
        [], apply(slice_), apply(other, "b", force=True), get("ResourceSlice", "slice-left")
    )[-1]
    assert [one["name"] for one in observed["object"]["spec"]["devices"]] == ["eth2"]
    assert observed["object"]["spec"]["driver"] == DRIVER


@pytest.mark.parametrize("subresource", ["", "status"])
def test_each_endpoint_applies_only_its_own_fields(subresource: str) -> None:
    spec = {"devices": {"requests": [{"name": "other"}]}}
    whole = {**reported(device("eth1")), "spec": spec}
    observed = observations_of([ALLOCATED], apply(whole, subresource=subresource), get("ResourceClaim", "c"))[
        -1
    ]["object"]
    assert ("devices" in observed["status"]) is bool(subresource)
    assert observed["spec"]["devices"]["requests"][0]["name"] == "r"
