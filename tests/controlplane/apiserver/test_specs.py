"""Specs that several objects have are read once, and nobody writes to them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from dra_conform.controlplane.admitting import admit
from dra_conform.kube.profile import Profile

Json = Any

PROFILES = ("kep", "kubernetes-1.33", "kubernetes-1.36", "kubernetes-1.37")
_ASKED = {"deviceClassName": "gpu", "capacity": {"requests": {"memory": "1000m"}}}
_SPEC = {"devices": {"requests": [{"name": "r", "exactly": _ASKED}]}}


def _claim(spec: Json) -> Json:
    metadata = {"name": "c", "namespace": "default"}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": spec,
    }


def _created(spec: Json, profile: Profile) -> Json:
    return admit({}, {"verb": "create", "object": _claim(spec)}, profile)


def test_a_field_that_one_server_drops_is_there_for_the_next() -> None:
    known = Profile.named("kubernetes-1.36")
    off = known.with_gates({"DRAConsumableCapacity": False})
    full = _created(_SPEC, known)
    for _ in range(2):
        asked = _created(_SPEC, off)["object"]["spec"]["devices"]["requests"][0]["exactly"]
        assert "capacity" not in asked
        assert _created(_SPEC, known) == full


@pytest.mark.parametrize("name", PROFILES)
def test_a_spec_read_again_is_answered_alike(name: str) -> None:
    profile = Profile.named(name)
    first = deepcopy(_created(deepcopy(_SPEC), profile))
    assert _created(_SPEC, profile) == first


@pytest.mark.parametrize("spec", [{"devices": {"requests": [{"name": 1}]}}, {"surprise": {}}, [], None])
def test_a_spec_with_something_wrong_is_read_each_time(spec: Json) -> None:
    profile = Profile.named("kubernetes-1.36")
    assert _created(spec, profile) == _created(spec, profile)


def test_values_that_look_alike_are_told_apart() -> None:
    """`true` equals `1` in Python."""
    profile = Profile.named("kubernetes-1.36")
    number, flag = (
        _created({"devices": {"requests": [{"name": "r", "exactly": {**_ASKED, "count": count}}]}}, profile)
        for count in (1, True)
    )
    assert number["outcome"] == "admitted"
    assert flag["outcome"] == "rejected"
