"""Writes and reads: versions, conflicts, finalizers, and unknown fields."""

from __future__ import annotations

import pytest

from dra_conform.simulation.parts import Parts
from tests.support.simulation.scenarios import (
    CLASS,
    DRIVER,
    RESOURCE,
    change,
    claim,
    create,
    delete,
    gates,
    get,
    node,
    observations_of,
    of,
    pod,
    shared,
    slice_on,
    template,
)

REFERENCE = {"kind": "ResourceClaim", "name": "c"}


def test_a_created_object_has_server_set_metadata() -> None:
    [written] = observations_of([], create(claim("c")))
    metadata = written["object"]["metadata"]
    assert written["outcome"] == "admitted"
    assert "generation" not in metadata
    assert metadata["namespace"] == "default"
    assert metadata["creationTimestamp"] == "2026-01-01T00:00:00Z"
    assert metadata["uid"]
    assert metadata["resourceVersion"] == "1"


def test_server_set_metadata_of_clients_is_ignored() -> None:
    own = {"uid": "mine", "generation": 7, "deletionTimestamp": "2020-01-01T00:00:00Z"}
    [written] = observations_of([], create({**claim("c"), "metadata": {"name": "c", **own}}))
    metadata = written["object"]["metadata"]
    assert metadata["uid"] != "mine"
    assert "generation" not in metadata
    assert "deletionTimestamp" not in metadata


def test_a_rejected_object_is_not_stored() -> None:
    refused, missing = observations_of([], create(claim("c", count=-1)), get("ResourceClaim", "c"))
    assert (refused["outcome"], refused["reason"]) == ("rejected", "Invalid")
    assert [one["path"] for one in refused["errors"]] == ["spec.devices.requests[0].exactly.count"]
    assert missing == {"outcome": "missing"}


def test_names_are_unique_and_generated_names_differ() -> None:
    prefixed = {**claim(""), "metadata": {"generateName": "c-"}}
    _, again, one, other = observations_of([], *[create(claim("c"))] * 2, *[create(prefixed)] * 2)
    assert again["reason"] == "AlreadyExists"
    names = [written["object"]["metadata"]["name"] for written in (one, other)]
    assert len(set(names)) == 2
    assert all(name.startswith("c-") and len(name) == 7 for name in names)


def test_an_update_with_an_old_resource_version_is_a_conflict() -> None:
    stale = {**claim("c"), "metadata": {"name": "c", "resourceVersion": "1", "labels": {"a": "b"}}}
    label = change(REFERENCE, {"metadata.labels.x": "y"})
    update = {"do": "update", "object": stale}
    assert [one.get("reason") for one in observations_of([], create(claim("c")), update)] == [None, None]
    assert observations_of([], create(claim("c")), label, update)[-1]["reason"] == "Conflict"


def test_an_update_of_a_missing_object_is_not_found() -> None:
    update = {"do": "update", "object": claim("c")}
    observations = observations_of(
        [], update, change(REFERENCE, {"metadata.labels.x": "y"}), delete("ResourceClaim", "c")
    )
    assert [one["reason"] for one in observations] == ["NotFound"] * 3


def test_the_generation_counts_changes_of_the_spec() -> None:
    reference = {"kind": "ResourceSlice", "name": "slice-n"}
    same = change(reference, {})
    label = change(reference, {"metadata.labels.x": "y"})
    spec = change(reference, {"spec.devices[0].name": "e"})
    observations = observations_of([slice_on("n", {"name": "d"})], same, label, spec)
    observed = [one["object"]["metadata"] for one in observations]
    assert [one["generation"] for one in observed] == [1, 1, 2]
    assert [one["resourceVersion"] for one in observed] == ["1", "2", "3"]


def test_a_deleted_object_exists_until_its_finalizers_are_removed() -> None:
    held = {**claim("c"), "metadata": {"name": "c", "finalizers": ["example.com/held"]}}
    read = get("ResourceClaim", "c")
    first, marked, freed, gone = observations_of(
        [held], delete("ResourceClaim", "c"), read, change(REFERENCE, {"metadata.finalizers": None}), read
    )
    assert first == {"outcome": "deleted"}
    assert marked["object"]["metadata"]["deletionTimestamp"] == "2026-01-01T00:00:00Z"
    assert freed["outcome"] == "admitted"
    assert gone == {"outcome": "missing"}


def test_objects_are_read_and_written_in_every_version_served() -> None:
    old = of("ResourceClaim", "c", None, "resource.k8s.io/v1beta1")
    old["spec"] = {"devices": {"requests": [{"name": "r", "deviceClassName": "any"}]}}
    written, new, flat = observations_of(
        [], create(old), get("ResourceClaim", "c"), get("ResourceClaim", "c", version="v1beta1")
    )
    flat_request = {"name": "r", "deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}
    assert written["object"]["apiVersion"] == "resource.k8s.io/v1beta1"
    assert new["object"]["apiVersion"] == RESOURCE
    assert new["object"]["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] == "any"
    assert flat["object"]["spec"]["devices"]["requests"] == [flat_request]


def test_a_version_that_a_release_does_not_serve_is_missing() -> None:
    read = get("ResourceClaim", "c", version="v1")
    assert observations_of([claim("c")], read, profile="kubernetes-1.33") == [{"outcome": "missing"}]


GROUPED = slice_on(
    "n",
    {
        "name": "d",
        "consumesCounters": [
            {"counterSet": "s", "counters": {"m": {"value": "1"}}, "compatibilityGroups": ["mig"]}
        ],
    },
)


def groups(read: dict[str, object]) -> object:
    spec = read["object"]["spec"]  # type: ignore[index]
    return spec["devices"][0]["consumesCounters"][0].get("compatibilityGroups")


def test_a_field_unknown_to_the_release_is_not_served_but_stays_stored() -> None:
    read = get("ResourceSlice", "slice-n")
    replace = [{"do": "set-version", "component": "apiserver", "release": one} for one in ("1.36", "1.37")]
    observations = observations_of(
        [GROUPED], read, replace[0], read, replace[1], read, profile="kubernetes-1.37"
    )
    assert [groups(one) for one in observations[::2]] == [["mig"], None, ["mig"]]


def test_an_update_in_a_release_without_the_field_removes_it() -> None:
    label = change({"kind": "ResourceSlice", "name": "slice-n"}, {"metadata.labels.x": "y"})
    older = {"do": "set-version", "component": "apiserver", "release": "1.36"}
    newer = {"do": "set-version", "component": "apiserver", "release": None}
    *_, read = observations_of([GROUPED], older, label, newer, get("ResourceSlice", "slice-n"))
    assert groups(read) is None


def test_gates_do_not_remove_stored_fields() -> None:
    off = gates("apiserver", DRAConsumableCapacity=False)
    preserved, _, new, _ = observations_of(
        [claim("c", "5")],
        change(REFERENCE, {"metadata.labels.x": "y"}),
        off,
        create(claim("d", "5")),
        gates("apiserver", DRAConsumableCapacity=True),
        components={"apiserver": {"release": "1.37", "gates": {}}},
    )
    assert "capacity" in preserved["object"]["spec"]["devices"]["requests"][0]["exactly"]
    assert "capacity" not in new["object"]["spec"]["devices"]["requests"][0]["exactly"]


def test_admission_gets_the_user() -> None:
    requested = []

    def admission(objects, ask, profile):  # type: ignore[no-untyped-def]
        requested.append(ask)
        return {"outcome": "admitted", "object": ask["object"], "warnings": []}

    user = {"name": "jane", "groups": []}
    observations_of(
        [], create(claim("c"), user=user), change(REFERENCE, {}), parts=Parts(admission=admission)
    )
    assert [ask.get("user") for ask in requested] == [user, None]
    assert [ask["verb"] for ask in requested] == ["create", "update"]


@pytest.mark.parametrize("reference", [{"forPod": "p", "entry": "t"}, {"specialOf": "default/p"}])
def test_a_reference_to_an_object_that_was_never_created_is_missing(reference: dict[str, str]) -> None:
    meant = {"kind": "ResourceClaim", **reference}
    fields = {"metadata.labels.x": "y"}
    actions = ({"do": "get", "of": meant}, {"do": "delete", "of": meant}, change(meant, fields))
    observed, deleted, changed = observations_of([pod("p", templates=["t"])], *actions)
    assert observed == {"outcome": "missing"}
    assert deleted["reason"] == changed["reason"] == "NotFound"


def test_a_reference_to_a_pod_entry_finds_the_generated_claim() -> None:
    setup = [node("n"), CLASS, slice_on("n", shared("d")), template("t", "1G"), pod("p", templates=["t"])]
    meant = {"kind": "ResourceClaim", "forPod": "default/p", "entry": "t"}
    other = change({"kind": "Pod", "name": "p"}, {"metadata.labels.claim": {"$name": meant}})
    _, read, changed = observations_of(setup, {"do": "settle"}, {"do": "get", "of": meant}, other)
    assert read["object"]["status"]["allocation"]["devices"]["results"][0]["driver"] == DRIVER
    assert changed["object"]["metadata"]["labels"]["claim"] == read["object"]["metadata"]["name"]
