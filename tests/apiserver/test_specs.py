"""The cache of specs: equal specs are decoded once and never changed."""

from __future__ import annotations

from copy import deepcopy

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.known_fields import known_to
from dra_conform.simulation.parts import admit

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


def test_a_field_dropped_for_one_profile_is_kept_for_another() -> None:
    known = Profile.named("kubernetes-1.36")
    off = known.with_gates({"DRAConsumableCapacity": False})
    full = _created(_SPEC, known)
    for _ in range(2):
        asked = _created(_SPEC, off)["object"]["spec"]["devices"]["requests"][0]["exactly"]
        assert "capacity" not in asked
        assert _created(_SPEC, known) == full


@pytest.mark.parametrize("name", PROFILES)
def test_a_cached_spec_gives_the_same_answer(name: str) -> None:
    profile = Profile.named(name)
    first = deepcopy(_created(deepcopy(_SPEC), profile))
    assert _created(_SPEC, profile) == first


@pytest.mark.parametrize("spec", [{"devices": {"requests": [{"name": 1}]}}, {"surprise": {}}, [], None])
def test_a_malformed_spec_is_not_cached(spec: Json) -> None:
    profile = Profile.named("kubernetes-1.36")
    assert _created(spec, profile) == _created(spec, profile)


def test_equal_python_values_of_different_types_are_distinguished() -> None:
    """`True` equals `1` in Python."""
    profile = Profile.named("kubernetes-1.36")
    number, flag = (
        _created({"devices": {"requests": [{"name": "r", "exactly": {**_ASKED, "count": count}}]}}, profile)
        for count in (1, True)
    )
    assert number["outcome"] == "admitted"
    assert flag["outcome"] == "rejected"


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize(
    "spec",
    [
        {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": "1000m"}}}]},
        {"containers": [{"name": "c", "image": "i"}], "resources": {"requests": {"memory": "1024Mi"}}},
        {"containers": [{"name": "c", "image": "i"}], "resourceClaims": []},
        {"containers": [{"name": "c", "image": "i"}], "surprise": 1},
        {},
    ],
)
def test_bound_pods_share_the_cached_spec_of_the_unbound_pod(spec: Json, name: str) -> None:
    profile = Profile.named(name)
    for node in ("one", "two", ""):
        bound = known_to(_pod({**spec, "nodeName": node}), profile)
        first = known_to(_pod({"nodeName": node, **spec}), profile)
        assert bound == first
        assert bound["spec"].get("nodeName", "") == node


def test_node_names_of_other_kinds_are_not_special() -> None:
    profile = Profile.named("kubernetes-1.36")
    assert _created({**_SPEC, "nodeName": "one"}, profile)["warnings"] == ['unknown field "spec.nodeName"']


def _pod(spec: Json) -> Json:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
