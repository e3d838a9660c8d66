"""Fields of served objects that have no value."""

from __future__ import annotations

import pytest

from dra_conform.conformance.served_fields import without_empty_fields
from dra_conform.kube.json_values import Json


def claim(spec: Json, version: str = "v1") -> Json:
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceClaim", "spec": spec}


def device(fields: Json, version: str = "v1") -> Json:
    spec = {"driver": "d", "pool": {"name": "p", "generation": 0}, "devices": [{"name": "d0", **fields}]}
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceSlice", "spec": spec}


@pytest.mark.parametrize(
    "fields",
    [
        {"taints": [], "attributes": {}, "bindingConditions": [], "nodeName": None},
        {"consumesCounters": None, "capacity": None},
    ],
    ids=str,
)
def test_empty_and_null_fields_are_left_out(fields: Json) -> None:
    assert without_empty_fields(device(fields)) == device({})


def test_empty_fields_of_v1beta1_are_left_out() -> None:
    assert without_empty_fields(device({"basic": {"taints": []}}, "v1beta1")) == device(
        {"basic": {}}, "v1beta1"
    )
    requests = {"devices": {"requests": [{"name": "r", "deviceClassName": "c", "selectors": [], "count": 0}]}}
    expected = {"devices": {"requests": [{"name": "r", "deviceClassName": "c"}]}}
    assert without_empty_fields(claim(requests, "v1beta1")) == claim(expected, "v1beta1")


@pytest.mark.parametrize(
    "fields",
    [{"allNodes": False}, {"nodeSelector": {}}, {"nodeName": ""}, {"capacity": {"c": {"value": "0"}}}],
    ids=str,
)
def test_pointers_and_values_are_kept(fields: Json) -> None:
    assert without_empty_fields(device(fields)) == device(fields)


def test_opaque_parameters_are_kept() -> None:
    opaque = {"opaque": {"driver": "d", "parameters": {"a": [], "b": None}}}
    written = claim({"devices": {"config": [opaque]}})
    assert without_empty_fields(written) == written


@pytest.mark.parametrize(
    "served", [None, [], {"kind": "Other", "a": []}, {"apiVersion": 1, "kind": []}], ids=str
)
def test_other_values_are_returned_unchanged(served: Json) -> None:
    assert without_empty_fields(served) == served
