"""The question of a write: the written object, the old object, and the other existing objects."""

from __future__ import annotations

from dra_conform.conformance.suite.golden import golden_cases
from tests.support.conformance.admit.writing import from_golden

NIC = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "nic"},
    "spec": {"selectors": [{"cel": {"expression": "true"}}]},
}
OLD = (
    "objects: [{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: c}, "
    "spec: {devices: {}}, status: {}, odd: 1}, {apiVersion: v1, kind: Node, metadata: {name: left}}]"
)
CLAIM = {
    "apiVersion": "resource.k8s.io/v1beta1",
    "kind": "ResourceClaim",
    "metadata": {"namespace": "default", "name": "c"},
    "spec": {"devices": {}},
    "status": {},
    "odd": 1,
}


def test_a_created_object_of_the_setup_does_not_exist_before() -> None:
    case = from_golden("create: {kind: DeviceClass, name: nic}", "stored: true")
    assert case.ask == {"verb": "create", "object": NIC}
    assert case.objects == {}


def test_fields_are_changed_in_the_written_object() -> None:
    fields = "{spec.selectors: null, spec.extendedResourceName: example.com/nic}"
    case = from_golden(f"create: {{kind: DeviceClass, name: nic, fields: {fields}}}", "stored: true")
    assert case.ask["object"]["spec"] == {"extendedResourceName": "example.com/nic"}


def test_a_new_object_is_created_in_addition_to_the_setup() -> None:
    other = "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}}"
    case = from_golden(f"create: {{object: {other}}}", "stored: true")
    assert case.ask["object"]["metadata"] == {"name": "nic"}
    assert case.objects == {"deviceClasses": (NIC,)}


def test_an_update_has_the_object_of_the_setup_as_old_object() -> None:
    case = from_golden("update: {kind: DeviceClass, name: nic, fields: {spec.selectors: []}}", "stored: true")
    assert case.ask == {"verb": "update", "object": {**NIC, "spec": {"selectors": []}}, "old": NIC}
    assert case.objects == {}


def test_an_update_with_an_object_finds_the_old_object_by_name() -> None:
    other = "{apiVersion: resource.k8s.io/v1beta1, kind: DeviceClass, metadata: {name: nic}}"
    case = from_golden(f"update: {{object: {other}}}", "stored: true")
    assert case.ask["object"]["apiVersion"] == "resource.k8s.io/v1beta1"
    assert case.ask["old"] == NIC


def test_the_status_is_a_subresource() -> None:
    case = from_golden("update: {kind: ResourceClaim, name: c, status: true}", "stored: true", given=OLD)
    assert case.ask["subresource"] == "status"
    assert case.ask["object"] == case.ask["old"] == CLAIM


def test_objects_are_not_converted() -> None:
    """Admission decides about old versions, unknown fields and missing defaults."""
    case = from_golden("create: {kind: ResourceClaim, name: c}", "stored: true", given=OLD)
    assert case.ask["object"] == CLAIM
    assert case.objects == {"nodes": ({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "left"}},)}


def test_features_of_the_new_and_the_old_object() -> None:
    """A feature of the old object counts, and an object of an unknown version has no features."""
    update = "update: {kind: DeviceClass, name: nic, fields: {spec: null}}"
    assert from_golden(update, "stored: true").features == {"cel-selectors"}
    odd = "create: {kind: DeviceClass, name: nic, fields: {apiVersion: resource.k8s.io/v9}}"
    assert from_golden(odd, "rejected: true").features == frozenset()
    assert from_golden("create: {object: {kind: 5}}", "rejected: true").features == frozenset()


def test_several_writes_are_a_case_of_operation_cluster() -> None:
    text = (
        "document: DRA\narea: a\ntitle: t\ncases:\n  - case: one\n    title: One\n    requirements: [DRA/a/b]\n"
        "    steps:\n      - when: {create: {object: {kind: Node}}}\n"
        "      - when: {create: {object: {kind: Node}}}\n        then: [{rejected: true}]\n"
    )
    [case] = golden_cases(text, "golden/dra/trial.yaml", lambda name: [])
    assert case.operation == "cluster"
