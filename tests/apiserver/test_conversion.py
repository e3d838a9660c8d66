"""Conversion: an object is stored equally from all versions, and served in each version."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.kube.versions import from_v1, to_v1
from tests.support.apiserver.objects import (
    claim_of,
    create,
    errors,
    exactly,
    first_available,
    of,
    profile,
    shared_device,
    slice_of,
    stored,
    template_of,
    update,
)
from tests.support.draws import examples

SLICE = slice_of(shared_device("10G", default="1G"), {"name": "e", "attributes": {"a": {"string": "x"}}})
CLAIM = claim_of(exactly("a", count=2), first_available("b", {"name": "s"}))
RULE = of("DeviceTaintRule", {"taint": {"key": "k", "effect": "None"}})
CLASS = of("DeviceClass", {"extendedResourceName": "a.b/c"})


def served(kind: str) -> tuple[str, ...]:
    return ("v1", "v1beta2", "v1alpha3") if kind == "DeviceTaintRule" else ("v1", "v1beta2", "v1beta1")


@pytest.mark.parametrize("raw", [SLICE, CLAIM, template_of(CLAIM), RULE, CLASS])
def test_every_version_is_served_as_it_is_written(raw: Any) -> None:
    v1 = stored(create(raw))
    for version in served(raw["kind"]):
        api_version = f"resource.k8s.io/{version}"
        answer = stored(create(from_v1(raw, api_version)))
        assert answer["apiVersion"] == api_version
        assert to_v1(answer) == v1
        assert errors(update(from_v1(raw, api_version), v1)) == set()
        assert errors(update(raw, answer)) == set()


def test_the_shapes_of_v1beta1() -> None:
    device = stored(create(from_v1(SLICE, "resource.k8s.io/v1beta1")))["spec"]["devices"][1]
    assert device == {"name": "e", "basic": {"attributes": {"a": {"string": "x"}}}}
    first, second = stored(create(from_v1(CLAIM, "resource.k8s.io/v1beta1")))["spec"]["devices"]["requests"]
    assert first == {"name": "a", "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}
    assert second.keys() == {"name", "firstAvailable"}


def test_in_v1beta1_a_request_without_class_gets_no_defaults() -> None:
    raw = of(
        "ResourceClaim",
        {"devices": {"requests": [{"name": "r", "count": 2}]}},
        "v1beta1",
        namespace="default",
    )
    assert errors(create(raw)) == {
        ("spec.devices.requests[0].exactly.deviceClassName", "Required"),
        ("spec.devices.requests[0].exactly.allocationMode", "NotSupported"),
    }


def test_in_v1beta1_an_empty_node_name_is_none() -> None:
    spec = {"driver": "a", "pool": {"name": "p", "resourceSliceCount": 1}, "nodeName": "", "allNodes": True}
    assert errors(create(of("ResourceSlice", spec, "v1beta1"))) == set()
    assert errors(create(of("ResourceSlice", spec, "v1"))) == {("spec.nodeName", "Invalid")}


@pytest.mark.parametrize(
    ("name", "device", "request_"),
    [
        (
            "kubernetes-1.36",
            "spec.devices[0].taints[0].effect",
            "spec.devices.requests[0].exactly.tolerations[0].effect",
        ),
        (
            "kubernetes-1.37",
            "spec.devices[0].basic.taints[0].effect",
            "spec.devices.requests[0].tolerations[0].effect",
        ),
    ],
)
def test_since_1_37_declarative_rules_report_the_paths_of_the_version(
    name: str, device: str, request_: str
) -> None:
    broken = {"name": "d", "taints": [{"key": "", "effect": "Never"}]}
    raw = from_v1(slice_of(broken), "resource.k8s.io/v1beta1")
    key = "spec.devices[0].taints[0].key"
    assert errors(create(raw, profile(name))) == {(device, "NotSupported"), (key, "Invalid")}
    claim = claim_of(exactly(count=-1, tolerations=[{"key": "k", "effect": "Never"}]))
    count = "spec.devices.requests[0].exactly.count"
    answer = create(from_v1(claim, "resource.k8s.io/v1beta1"), profile(name))
    assert errors(answer) == {(request_, "NotSupported"), (count, "Invalid")}


def test_1_33_has_no_v1() -> None:
    for version in ("v1beta1", "v1beta2"):
        raw = from_v1(SLICE, f"resource.k8s.io/{version}")
        assert errors(create(raw, profile("kubernetes-1.33"))) == set()


words = st.text("abcdefgh", min_size=1, max_size=5)
amounts = st.integers(1, 10**6).map(str)
attributes = st.dictionaries(
    words,
    st.one_of(st.builds(lambda n: {"int": n}, st.integers(0, 99)), st.builds(lambda t: {"string": t}, words)),
    max_size=3,
)
capacities = st.dictionaries(words, st.builds(lambda n: {"value": n}, amounts), max_size=3)
devices = st.lists(
    st.fixed_dictionaries(
        {"name": words},
        optional={
            "attributes": attributes,
            "capacity": capacities,
            "allowMultipleAllocations": st.booleans(),
        },
    ),
    max_size=4,
    unique_by=lambda one: one["name"],
)
asked = st.fixed_dictionaries(
    {"deviceClassName": words},
    optional={
        "count": st.integers(1, 9),
        "capacity": st.builds(lambda a: {"requests": a}, st.dictionaries(words, amounts, max_size=2)),
    },
)
subrequests = st.lists(
    st.builds(lambda name, one: {"name": name, **one}, words, asked),
    min_size=1,
    max_size=3,
    unique_by=lambda one: one["name"],
)
requests = st.lists(
    st.builds(
        lambda name, one: {"name": name, **one},
        words,
        st.one_of(
            st.builds(lambda one: {"exactly": one}, asked),
            st.builds(lambda subs: {"firstAvailable": subs}, subrequests),
        ),
    ),
    max_size=4,
    unique_by=lambda one: one["name"],
)


@examples(150)
@given(devices.map(lambda given: slice_of(*given)) | requests.map(lambda given: claim_of(*given)))
def test_round_trips(raw: Any) -> None:
    v1 = stored(create(raw))
    for version in served(raw["kind"]):
        api_version = f"resource.k8s.io/{version}"
        assert to_v1(from_v1(v1, api_version)) == v1
        assert to_v1(stored(create(from_v1(raw, api_version)))) == v1
