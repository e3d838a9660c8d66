"""Stored metadata is valid, so writes that keep it neither decode nor validate it."""

from __future__ import annotations

from copy import deepcopy

import pytest

from dra_conform.apiserver.trees import StoredMetadata
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import admit

_PROFILE = Profile.named("kubernetes-1.36")
_USER = {"resource": "pods", "name": "p", "uid": "1"}
_RESULT = {"request": "r", "driver": "dra.example.com", "pool": "a", "device": "d"}
_STATUS = {"allocation": {"devices": {"results": [_RESULT]}}, "reservedFor": [_USER]}


def _claim(metadata: Json, **more: Json) -> Json:
    spec = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": spec,
        **more,
    }


def _stored(**more: Json) -> StoredMetadata:
    own = {"uid": "2", "creationTimestamp": "2026-01-01T00:00:00Z", "resourceVersion": "3"}
    return StoredMetadata({"name": "c", "namespace": "default", "labels": {"a": "b"}, **more, **own})


def _update(new: Json, old: Json, subresource: str = "") -> Json:
    return admit({}, {"verb": "update", "object": new, "old": old, "subresource": subresource}, _PROFILE)


@pytest.mark.parametrize("subresource", ["", "status"])
@pytest.mark.parametrize("changed", [{}, {"labels": {"a": "c"}}, {"finalizers": ["example.com/keep"]}])
def test_stored_metadata_gives_the_same_answer_as_other_metadata(subresource: str, changed: Json) -> None:
    metadata = _stored()
    before = deepcopy(metadata)
    of_stored, of_plain = (
        _update(_claim({**old, **changed} if changed else old, status=_STATUS), _claim(old), subresource)
        for old in (metadata, dict(metadata))
    )
    assert of_stored["outcome"] == "admitted"
    assert of_stored == of_plain
    assert metadata == before


def test_changed_metadata_is_validated() -> None:
    metadata = _stored()
    answer = _update(_claim({**metadata, "labels": {"-": "b"}}), _claim(metadata))
    assert [one["path"] for one in answer["errors"]] == ["metadata.labels"]


def test_metadata_that_was_never_admitted_is_validated_at_each_write() -> None:
    metadata = dict(_stored(labels={"-": "b"}))
    answer = _update(_claim(metadata, status=_STATUS), _claim(metadata), "status")
    assert [one["path"] for one in answer["errors"]] == ["metadata.labels"]


def test_stored_metadata_of_another_object_is_not_used() -> None:
    answer = _update(_claim(_stored(annotations={"a": "b"})), _claim(_stored()))
    assert answer["object"]["metadata"]["annotations"] == {"a": "b"}
