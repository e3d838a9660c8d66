"""Decoding: malformed objects, unknown fields, and the served form."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.apiserver import Admitted, Rejected, Surroundings, Verb, WriteRequest, admit
from tests.support.apiserver.objects import (
    changed,
    claim_of,
    create,
    errors,
    exactly,
    of,
    profile,
    shared_device,
    slice_of,
    stored,
    update,
)


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {},
        {"kind": "ResourceSlice"},
        slice_of("device"),
        slice_of({"name": 1}),
        slice_of({"name": "d", "attributes": []}),
        slice_of({"name": "d", "attributes": {"a": {"int": "1"}}}),
        slice_of({"name": "d", "attributes": {"a": {"int": 2**63}}}),
        slice_of({"name": "d", "attributes": {"a": {"bool": "true"}}}),
        slice_of({"name": "d", "capacity": {"a": {"value": "much"}}}),
        slice_of({"name": "d", "capacity": {"a": {"value": True}}}),
        slice_of({"name": "d", "taints": [{"key": "k", "effect": "NoSchedule", "timeAdded": "today"}]}),
        changed(slice_of(), {"spec.pool.generation": 1.5}),
        changed(slice_of(), {"metadata.name": ["x"]}),
        claim_of(exactly(count="1")),
        *(
            {**of("Pod", {"containers": [], "affinity": affinity}), "apiVersion": "v1"}
            for affinity in (
                "x",
                {"nodeAffinity": "x"},
                {"podAffinity": ["x"]},
                {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": ["x"]}},
                {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"namespaces": "x"}]}},
                {
                    "podAntiAffinity": {
                        "preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": 1}]
                    }
                },
            )
        ),
    ],
)
def test_malformed_objects_are_rejected(raw: Any) -> None:
    assert errors(create(raw)) == {("", "BadRequest")}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (of("Device", {}), "kubernetes-1.37"),
        (of("ResourceSlice", {}, "v2"), "kubernetes-1.37"),
        ({**slice_of(), "apiVersion": "v1"}, "kubernetes-1.37"),
        (slice_of(), "kubernetes-1.33"),
        (of("DeviceTaintRule", {}, "v1"), "kubernetes-1.36"),
        (of("DeviceTaintRule", {}, "v1beta2"), "kubernetes-1.35"),
        (of("DeviceTaintRule", {}, "v1beta1"), "kep"),
    ],
)
def test_kinds_and_versions_that_are_not_served(raw: Any, name: str) -> None:
    assert errors(create(raw, profile(name))) == {("", "NotFound")}


def test_unknown_fields_are_dropped_with_a_warning() -> None:
    device = {"name": "d", "vendor": "x", "capacity": {"bw": {"value": "1", "strategy": "y"}}}
    raw = changed(slice_of(device), {"spec.pool.size": 3}) | {"extra": 1}
    answer = create(raw)
    assert isinstance(answer, Admitted)
    assert answer.warnings == (
        'unknown field "spec.pool.size"',
        'unknown field "spec.devices[0].vendor"',
        'unknown field "spec.devices[0].capacity.bw.strategy"',
        'unknown field "extra"',
    )
    assert answer.object == stored(create(slice_of({"name": "d", "capacity": {"bw": {"value": "1"}}})))


@pytest.mark.parametrize(
    ("name", "version", "fields", "unknown"),
    [
        ("kubernetes-1.33", "v1beta2", {"allowMultipleAllocations": True}, "allowMultipleAllocations"),
        ("kubernetes-1.35", "v1", {"attributes": {"a": {"int": 1, "ints": [1]}}}, "attributes.a.ints"),
        ("kubernetes-1.35", "v1", {"nodeAllocatableResourceMappings": {}}, "nodeAllocatableResourceMappings"),
        ("kubernetes-1.37", "v1", {"nodeAllocatableResourceMappings": {}}, "nodeAllocatableResourceMappings"),
        ("kubernetes-1.36", "v1", {"nodeAllocatableResources": {}}, "nodeAllocatableResources"),
    ],
)
def test_fields_of_other_releases_are_unknown(name: str, version: str, fields: Any, unknown: str) -> None:
    raw = {**slice_of({"name": "d", **fields}), "apiVersion": f"resource.k8s.io/{version}"}
    answer = create(raw, profile(name))
    assert isinstance(answer, Admitted)
    assert answer.warnings == (f'unknown field "spec.devices[0].{unknown}"',)


def test_nulls_and_zeros_are_absent() -> None:
    device = {"name": "d", "attributes": None, "taints": [], "capacity": {"c": None}, "bindsToNode": False}
    served = stored(create(slice_of(device)))["spec"]["devices"][0]
    assert served == {"name": "d", "capacity": {"c": {"value": "0"}}, "bindsToNode": False}
    claim = stored(create(claim_of(exactly(count=0, allocationMode=""))))
    assert claim["spec"]["devices"]["requests"][0]["exactly"]["count"] == 1


def test_quantities_are_served_in_their_canonical_form() -> None:
    device = shared_device("1024Mi", default="0.5", validRange={"min": 0, "step": 1e-1})
    capacity = stored(create(slice_of(device)))["spec"]["devices"][0]["capacity"]["bw"]
    assert capacity == {
        "value": "1Gi",
        "requestPolicy": {"default": "500m", "validRange": {"min": "0", "step": "100m"}},
    }


def test_parameters_are_served_unchanged() -> None:
    parameters = {"empty": [], "null": None, "zero": 0, "text": "1024Mi"}
    raw = of("DeviceClass", {"config": [{"opaque": {"driver": "a", "parameters": parameters}}]})
    assert stored(create(raw)) == raw


def test_admission_does_not_change_its_input() -> None:
    raw = slice_of(
        shared_device("1", default="1"), {"name": "e", "taints": [{"key": "k", "effect": "NoSchedule"}]}
    )
    before = changed(raw, {})
    where = profile(DRAConsumableCapacity=False, DRAFractionalCapacityRange=False)
    update(raw, before, where)
    create(raw, where)
    assert raw == before


def test_namespaces() -> None:
    assert stored(create(claim_of(exactly(), namespace="")))["metadata"]["namespace"] == "default"
    assert "namespace" not in stored(create(of("DeviceClass", {}, namespace="default")))["metadata"]


def test_an_update_of_another_object() -> None:
    assert errors(update(changed(slice_of(), {"metadata.name": "y"}), slice_of())) == {("", "BadRequest")}


def test_an_update_without_a_stored_object() -> None:
    assert errors(admit(WriteRequest(Verb.UPDATE, slice_of()), Surroundings(), profile())) == {
        ("", "NotFound")
    }


def test_the_message_names_the_object_and_every_error() -> None:
    answer = create(claim_of(exactly("A"), exactly(deviceClassName="")))
    assert isinstance(answer, Rejected)
    assert answer.message.startswith('ResourceClaim "x" is invalid: spec.devices.requests[0].name: Invalid: ')
    assert "; spec.devices.requests[1].exactly.deviceClassName: Required" in answer.message


def test_the_default_time() -> None:
    raw = of("DeviceTaintRule", {"taint": {"key": "k", "effect": "None"}})
    answer = stored(admit(WriteRequest(Verb.CREATE, raw), Surroundings(), profile()))
    assert answer["spec"]["taint"]["timeAdded"] == "2026-01-01T00:00:00Z"
