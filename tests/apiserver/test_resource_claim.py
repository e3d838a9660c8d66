"""ResourceClaim and ResourceClaimTemplate: defaults, validation, and the immutable spec."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import (
    Errors,
    at,
    changed,
    claim_of,
    create,
    errors,
    exactly,
    first_available,
    profile,
    selector,
    stored,
    template_of,
    update,
)

R = "requests[0]"
PARAMETERS = {"driver": "dra.example.com", "parameters": {"a": 1}}


def spec_errors(claim: Any, where: Any = None) -> Errors:
    """Return the errors of a claim, and check that a template has the same errors one level deeper."""
    found = errors(create(claim, where))
    of_template = errors(create(template_of(claim), where))
    assert {(f"spec.{path}", kind) for path, kind in found} == of_template
    return {(path.removeprefix("spec.devices."), kind) for path, kind in found}


def test_defaults() -> None:
    toleration = {"key": "k"}
    claim = claim_of(
        exactly("a", tolerations=[toleration]),
        exactly("b", allocationMode="All"),
        exactly("c", count=3),
        first_available("d", {"name": "s", "tolerations": [toleration]}, {"name": "t", "count": 2}),
    )
    a, b, c, d = stored(create(claim))["spec"]["devices"]["requests"]
    assert a["exactly"] | {"deviceClassName": ""} == {
        "deviceClassName": "",
        "allocationMode": "ExactCount",
        "count": 1,
        "tolerations": [{"key": "k", "operator": "Equal"}],
    }
    assert b["exactly"] == {"deviceClassName": "gpu", "allocationMode": "All"}
    assert c["exactly"] == {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 3}
    assert [(one["allocationMode"], one["count"]) for one in d["firstAvailable"]] == [
        ("ExactCount", 1),
        ("ExactCount", 2),
    ]
    assert d["firstAvailable"][0]["tolerations"] == [{"key": "k", "operator": "Equal"}]
    assert stored(create(template_of(claim)))["spec"]["spec"]["devices"]["requests"] == [a, b, c, d]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (exactly(), set()),
        (exactly(count=1000), set()),
        (exactly(capacity={"requests": {"no such": "-1"}}), set()),
        (exactly(""), {(f"{R}.name", "Invalid")}),
        (exactly("Upper"), {(f"{R}.name", "Invalid")}),
        ({"name": "r"}, {(R, "Required")}),
        ({"name": "r", "firstAvailable": []}, {(R, "Required")}),
        ({**exactly(), **first_available("r", {"name": "s"})}, {(R, "Invalid")}),
        (exactly(deviceClassName=""), {(f"{R}.exactly.deviceClassName", "Required")}),
        (exactly(deviceClassName="Bad"), {(f"{R}.exactly.deviceClassName", "Invalid")}),
        (exactly(count=-1), {(f"{R}.exactly.count", "Invalid")}),
        (exactly(allocationMode="All", count=2), {(f"{R}.exactly.count", "Invalid")}),
        (exactly(allocationMode="Some"), {(f"{R}.exactly.allocationMode", "NotSupported")}),
        (exactly(selectors=[{}]), {(f"{R}.exactly.selectors[0].cel", "Required")}),
        (exactly(selectors=[selector("")]), {(f"{R}.exactly.selectors[0].cel.expression", "Invalid")}),
        (
            exactly(selectors=[selector("device.drver")]),
            {(f"{R}.exactly.selectors[0].cel.expression", "Invalid")},
        ),
        (exactly(selectors=[selector("'text'")]), {(f"{R}.exactly.selectors[0].cel.expression", "Invalid")}),
        (exactly(tolerations=[{"operator": "Exists"}]), set()),
        (
            exactly(tolerations=[{"operator": "Exists", "value": "v"}]),
            {(f"{R}.exactly.tolerations[0].value", "Invalid")},
        ),
        (exactly(tolerations=[{"value": "bad value"}]), {(f"{R}.exactly.tolerations[0].value", "Invalid")}),
        (
            exactly(tolerations=[{"operator": "In"}]),
            {(f"{R}.exactly.tolerations[0].operator", "NotSupported")},
        ),
        (
            exactly(tolerations=[{"key": "b/c/d", "effect": "Never"}]),
            {
                (f"{R}.exactly.tolerations[0].key", "Invalid"),
                (f"{R}.exactly.tolerations[0].effect", "NotSupported"),
            },
        ),
        (first_available("r", {"name": "s"}, {"name": "s"}), {(f"{R}.firstAvailable[1]", "Duplicate")}),
        (
            first_available("r", {"name": "S", "deviceClassName": ""}),
            {
                (f"{R}.firstAvailable[0].name", "Invalid"),
                (f"{R}.firstAvailable[0].deviceClassName", "Required"),
            },
        ),
        (
            first_available("r", {"name": "s", "count": -1, "selectors": [selector("1")]}),
            {
                (f"{R}.firstAvailable[0].count", "Invalid"),
                (f"{R}.firstAvailable[0].selectors[0].cel.expression", "Invalid"),
            },
        ),
    ],
)
def test_requests(request_: Any, expected: Errors) -> None:
    assert spec_errors(claim_of(request_)) == expected


MATCH = {"matchAttribute": "dra.example.com/numa"}


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        (MATCH, set()),
        ({"distinctAttribute": "dra.example.com/numa"}, set()),
        ({"distinctAttribute": "dra.example.com/numa", **MATCH}, set()),
        ({}, {("", "Required")}),
        ({"matchAttribute": "numa"}, {(".matchAttribute", "Invalid")}),
        ({"matchAttribute": "dra.example.com/"}, {(".matchAttribute", "Invalid")}),
        ({"distinctAttribute": "numa"}, {(".distinctAttribute", "Invalid")}),
        ({"distinctAttribute": "dra.example.com/bad-name"}, {(".distinctAttribute", "Invalid")}),
        ({"requests": ["r", "f", "f/s"], **MATCH}, set()),
        ({"requests": ["x"], **MATCH}, {(".requests[0]", "Invalid")}),
        ({"requests": ["r/s"], **MATCH}, {(".requests[0]", "Invalid")}),
        ({"requests": ["f/x"], **MATCH}, {(".requests[0]", "Invalid")}),
        ({"requests": ["f/s/x"], **MATCH}, {(".requests[0]", "Invalid")}),
        ({"requests": ["r", "r"], **MATCH}, {(".requests[1]", "Duplicate")}),
    ],
)
def test_constraints(constraint: Any, expected: Errors) -> None:
    claim = claim_of(exactly(), first_available("f", {"name": "s"}), constraints=[constraint])
    assert spec_errors(claim) == {(f"constraints[0]{path}", kind) for path, kind in expected}


def test_only_the_specification_rejects_both_attributes() -> None:
    both = claim_of(exactly(), constraints=[{"distinctAttribute": "dra.example.com/numa", **MATCH}])
    assert spec_errors(both, profile("kep")) == {("constraints[0]", "Invalid")}


def test_without_the_gate_match_attribute_is_required() -> None:
    where = profile(DRAConsumableCapacity=False, DRAFractionalCapacityRange=False)
    distinct = claim_of(exactly(), constraints=[{"distinctAttribute": "dra.example.com/numa"}])
    assert spec_errors(distinct, where) == {("constraints[0].matchAttribute", "Required")}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"opaque": PARAMETERS}, set()),
        ({"opaque": PARAMETERS, "requests": ["r"]}, set()),
        ({}, {(".opaque", "Required")}),
        ({"opaque": {}}, {(".opaque.driver", "Required"), (".opaque.parameters", "Required")}),
        ({"opaque": {**PARAMETERS, "parameters": None}}, {(".opaque.parameters", "Required")}),
        ({"opaque": {**PARAMETERS, "parameters": [1]}}, {(".opaque.parameters", "Invalid")}),
        ({"opaque": {**PARAMETERS, "driver": "bad_name"}}, {(".opaque.driver", "Invalid")}),
        ({"opaque": PARAMETERS, "requests": ["x"]}, {(".requests[0]", "Invalid")}),
    ],
)
def test_config(config: Any, expected: Errors) -> None:
    assert spec_errors(claim_of(exactly(), config=[config])) == {
        (f"config[0]{path}", kind) for path, kind in expected
    }


def test_all_errors_at_once() -> None:
    claim = claim_of(exactly("A", count=-1), exactly("b", deviceClassName=""), exactly("b"), constraints=[{}])
    assert spec_errors(claim) == {
        (f"{R}.name", "Invalid"),
        (f"{R}.exactly.count", "Invalid"),
        ("requests[1].exactly.deviceClassName", "Required"),
        ("requests[2]", "Duplicate"),
        ("constraints[0]", "Required"),
    }


SHARING = selector("device.allowMultipleAllocations")


def test_selectors_see_sharing_only_with_the_gate() -> None:
    claim = claim_of(exactly(selectors=[SHARING]))
    assert spec_errors(claim) == set()
    off = profile(DRAConsumableCapacity=False, DRAFractionalCapacityRange=False)
    assert spec_errors(claim, off) == {(f"{R}.exactly.selectors[0].cel.expression", "Invalid")}
    assert errors(update(claim, claim, off)) == set()


def test_new_expressions_can_use_the_functions_of_the_previous_release() -> None:
    claim = claim_of(exactly(selectors=[selector("[2, 1].sort() == [1, 2]")]))
    assert spec_errors(claim, profile("kubernetes-1.35")) == set()
    path = f"{R}.exactly.selectors[0].cel.expression"
    assert spec_errors(claim, profile("kubernetes-1.34")) == {(path, "Invalid")}


def test_the_spec_never_changes() -> None:
    claim = claim_of(exactly())
    for old, path in ((claim, "spec.devices"), (template_of(claim), "spec.spec.devices")):
        new = changed(old, {f"{path}.requests": [exactly(count=2)]})
        assert errors(update(new, old)) == {("spec", "Invalid")}
        assert errors(update(changed(old, {"metadata.labels": {"a": "b"}}), old)) == set()


def test_an_explicit_default_is_not_a_change() -> None:
    old = stored(create(claim_of(exactly())))
    assert errors(update(claim_of(exactly()), old)) == set()
    assert errors(update(old, claim_of(exactly(count=1)))) == set()


def test_equal_quantities_are_not_a_change() -> None:
    old = claim_of(exactly(capacity={"requests": {"bw": "1Gi"}}))
    assert errors(update(claim_of(exactly(capacity={"requests": {"bw": "1024Mi"}})), old)) == set()


def test_until_1_34_an_update_validates_the_spec_again() -> None:
    broken = claim_of(exactly(deviceClassName="Bad"), namespace="default")
    assert errors(update(broken, broken, profile("kubernetes-1.35"))) == set()
    assert errors(update(broken, broken, profile("kubernetes-1.34"))) == {
        ("spec.devices.requests[0].exactly.deviceClassName", "Invalid")
    }


@pytest.mark.parametrize(
    ("name", "namespace", "expected"),
    [
        ("kubernetes-1.37", "default", "Forbidden"),
        ("kubernetes-1.37", "admins", None),
        ("kubernetes-1.37", "admins-of-1-33", "Forbidden"),
        ("kubernetes-1.37", "nowhere", "Internal"),
        ("kubernetes-1.34", "admins", None),
        ("kep", "admins", "Forbidden"),
        ("kep", "admins-of-1-33", None),
    ],
)
def test_admin_access_needs_the_label(name: str, namespace: str, expected: str | None) -> None:
    claim = claim_of(
        exactly("a"), exactly("b", adminAccess=True), exactly("c", adminAccess=True), namespace=namespace
    )
    wanted = {("spec.devices.requests[1].adminAccess", expected)} if expected else set()
    assert errors(create(claim, profile(name))) == wanted
    assert errors(create(template_of(claim), profile(name))) == wanted


def test_no_admin_access_needs_no_label() -> None:
    assert errors(create(claim_of(exactly(adminAccess=False)))) == set()


def test_a_new_claim_has_no_status() -> None:
    claim = {**claim_of(exactly()), "status": {"reservedFor": [{"resource": "pods"}]}}
    assert "status" not in stored(create(claim))
    assert at(stored(update(claim_of(exactly()), claim)), "status.reservedFor.0.resource") == "pods"


def test_metadata_of_a_template() -> None:
    template = changed(
        template_of(claim_of(exactly())), {"spec.metadata": {"labels": {"a": "b"}, "annotations": {"c": "d"}}}
    )
    assert errors(create(template)) == set()
    other = changed(
        template, {"spec.metadata": {"name": "n", "finalizers": ["a/b"], "labels": {"bad key": "x"}}}
    )
    assert errors(create(other)) == {
        ("spec.metadata.name", "Forbidden"),
        ("spec.metadata.finalizers", "Forbidden"),
        ("spec.metadata.labels", "Invalid"),
    }


@pytest.mark.parametrize(
    ("name", "attribute", "expected"),
    [
        ("kubernetes-1.33", "a.b/bad-name", "TypeInvalid"),
        ("kubernetes-1.34", "a.b/bad-name", "Invalid"),
        ("kubernetes-1.34", "", "Required"),
        ("kubernetes-1.34", "a.b/", "Required"),
        ("kubernetes-1.35", "", "Invalid"),
        ("kubernetes-1.35", "/b", "Invalid"),
    ],
)
def test_how_releases_report_attribute_names(name: str, attribute: str, expected: str) -> None:
    version = "v1beta2" if name == "kubernetes-1.33" else "v1"
    claim = claim_of(exactly(), constraints=[{"matchAttribute": attribute}])
    answer = create({**claim, "apiVersion": f"resource.k8s.io/{version}"}, profile(name))
    assert errors(answer) == {("spec.devices.constraints[0].matchAttribute", expected)}
