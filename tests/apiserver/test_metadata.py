"""The metadata of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import Errors, create, errors, of, profile, stored, update

OWNER = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
DELETED = "2026-01-01T00:00:00Z"


def named(**metadata: Any) -> dict[str, Any]:
    return of("DeviceClass", {}, **metadata)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"name": ""}, {("name", "Required")}),
        ({"name": "", "generateName": "gpu-"}, set()),
        ({"name": "", "generateName": "Gpu-"}, {("generateName", "Invalid")}),
        ({"labels": {"a": "b", "x.y/z": ""}}, set()),
        ({"labels": {"a b": "c"}}, {("labels", "Invalid")}),
        ({"labels": {"a": "b c"}}, {("labels", "Invalid")}),
        ({"labels": {"a": "x" * 64}}, {("labels", "Invalid")}),
        ({"labels": {"a/b/c": "d"}}, {("labels", "Invalid")}),
        ({"labels": {"/b": "d"}}, {("labels", "Invalid")}),
        ({"annotations": {"Upper.example.com/A": "any text"}}, set()),
        ({"annotations": {"a b": ""}}, {("annotations", "Invalid")}),
        ({"annotations": {"a": "x" * 262144}}, {("annotations", "TooLong")}),
        ({"finalizers": ["example.com/f", "kubernetes"]}, set()),
        ({"finalizers": ["f"]}, {("finalizers[0]", "Invalid")}),
        ({"finalizers": ["orphan", "foregroundDeletion"]}, {("finalizers", "Invalid")}),
        ({"ownerReferences": [OWNER]}, set()),
        ({"ownerReferences": [{}]}, {(f"ownerReferences[0].{name}", "Required") for name in OWNER}),
        (
            {"ownerReferences": [{**OWNER, "apiVersion": "a/b/c"}]},
            {("ownerReferences[0].apiVersion", "Invalid")},
        ),
        ({"ownerReferences": [{**OWNER, "controller": True}] * 2}, {("ownerReferences", "Invalid")}),
    ],
)
def test_create(metadata: Any, expected: Errors) -> None:
    assert errors(create(named(**metadata))) == {(f"metadata.{path}", kind) for path, kind in expected}


def test_until_1_36_owners_are_reported_at_the_list() -> None:
    raw = named(ownerReferences=[{**OWNER, "kind": ""}])
    assert errors(create(raw, profile("kubernetes-1.36"))) == {("metadata.ownerReferences.kind", "Invalid")}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"uid": "u"}, {}, set()),
        ({"deletionTimestamp": DELETED}, {}, set()),
        ({}, {"deletionTimestamp": DELETED}, {("deletionTimestamp", "Invalid")}),
        ({"deletionTimestamp": DELETED, "finalizers": ["a.b/c"]}, {"finalizers": []}, set()),
        ({"deletionTimestamp": DELETED}, {"finalizers": ["a.b/c"]}, {("finalizers", "Forbidden")}),
    ],
)
def test_update(old: Any, new: Any, expected: Errors) -> None:
    assert errors(update(named(**new), named(**old))) == {
        (f"metadata.{path}", kind) for path, kind in expected
    }


def test_another_uid_is_a_conflict() -> None:
    assert errors(update(named(uid="v"), named(uid="u"))) == {("", "Conflict")}


def test_server_set_metadata_is_kept() -> None:
    own = {"uid": "u", "creationTimestamp": DELETED, "generation": 3}
    answer = stored(update(named(generation=7), named(**own)))
    assert {name: answer["metadata"][name] for name in own} == own
