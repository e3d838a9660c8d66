"""Pod, limited to claims and resources, and the kinds without rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import (
    Errors,
    at,
    changed,
    create,
    errors,
    profile,
    stored,
    update,
)

GPU = "example.com/gpu"


def pod(*containers: dict[str, Any], claims: Any = (), init: Any = (), status: Any = None) -> dict[str, Any]:
    spec = {"containers": [{"image": "i", **one} for one in containers], "resourceClaims": list(claims)}
    if init:
        spec["initContainers"] = [{"image": "i", **one} for one in init]
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"}, "spec": spec}
    return raw if status is None else {**raw, "status": status}


def using(*references: Any, name: str = "c", **amounts: Any) -> dict[str, Any]:
    return {"name": name, "resources": {"claims": list(references), **amounts}}


A = {"name": "a", "resourceClaimName": "claim-a"}
B = {"name": "b", "resourceClaimTemplateName": "t"}
C = "spec.containers[0].resources"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            pod(
                using({"name": "a"}, {"name": "b", "request": "r"}, {"name": "b", "request": "s"}),
                claims=[A, B],
            ),
            set(),
        ),
        (pod(), {("spec.containers", "Required")}),
        (
            pod({"name": "c"}, {"name": "c", "image": ""}),
            {("spec.containers[1].name", "Duplicate"), ("spec.containers[1].image", "Required")},
        ),
        (pod({"name": "c"}, init=[{"name": "c"}]), {("spec.initContainers[0].name", "Duplicate")}),
        (
            pod({"name": "c"}, claims=[{}]),
            {("spec.resourceClaims[0].name", "Required"), ("spec.resourceClaims[0]", "Invalid")},
        ),
        (pod({"name": "c"}, claims=[{**A, **B}]), {("spec.resourceClaims[0]", "Invalid")}),
        (pod({"name": "c"}, claims=[A, A]), {("spec.resourceClaims[1].name", "Duplicate")}),
        (
            pod({"name": "c"}, claims=[{"name": "a", "resourceClaimName": "Bad"}]),
            {("spec.resourceClaims[0].resourceClaimName", "Invalid")},
        ),
        (pod(using({"name": "x"}), claims=[A]), {(f"{C}.claims[0]", "NotFound")}),
        (pod(using({}), claims=[A]), {(f"{C}.claims[0]", "Required")}),
        (
            pod(using({"name": "a"}, {"name": "a", "request": "r"}), claims=[A]),
            {(f"{C}.claims[1]", "Duplicate")},
        ),
        (
            pod(using({"name": "a", "request": "r"}, {"name": "a"}), claims=[A]),
            {(f"{C}.claims[1]", "Duplicate")},
        ),
        (
            pod(using({"name": "a", "request": "r"}, {"name": "a", "request": "r"}), claims=[A]),
            {(f"{C}.claims[1]", "Duplicate")},
        ),
        (pod(using({"name": "a", "request": "R"}), claims=[A]), {(f"{C}.claims[0].request", "Invalid")}),
        (pod(using(limits={GPU: "2"})), set()),
        (
            pod(using(limits={GPU: "1.5"})),
            {(f"{C}.limits[{GPU}]", "Invalid"), (f"{C}.requests[{GPU}]", "Invalid")},
        ),
        (pod(using(limits={GPU: "2"}, requests={GPU: "1"})), {(f"{C}.requests", "Invalid")}),
        (pod(using(requests={GPU: "1"})), {(f"{C}.limits", "Required")}),
        (pod(using(limits={"cpu": "2"}, requests={"cpu": "1"})), set()),
        (pod(using(limits={"cpu": "1"}, requests={"cpu": "2"})), {(f"{C}.requests", "Invalid")}),
        (pod(using(requests={"gpu": "-1"})), {(f"{C}.requests[gpu]", "Invalid")}),
    ],
)
def test_create(raw: Any, expected: Errors) -> None:
    assert errors(create(raw)) == expected


def test_a_limit_is_the_default_request() -> None:
    answer = stored(create(pod(using(limits={GPU: "2", "cpu": "2"}, requests={"cpu": "1"}))))
    assert at(answer, "spec.containers.0.resources.requests") == {GPU: "2", "cpu": "1"}


def whole(**resources: Any) -> dict[str, Any]:
    raw = pod({"name": "c", "resources": {"limits": {"cpu": "2"}}}, {"name": "d", "resources": resources})
    return {**raw, "spec": {**raw["spec"], "resources": {"requests": {"cpu": "3", "memory": "1Gi"}}}}


def test_since_1_37_pod_level_limits_default_to_those_of_the_containers() -> None:
    """The default is the sum if each container has a limit, and at least the pod-level request."""
    limited = whole(limits={"cpu": "500m"})
    assert at(stored(create(limited, profile("kubernetes-1.37"))), "spec.resources") == {
        "requests": {"cpu": "3", "memory": "1Gi"},
        "limits": {"cpu": "3"},
    }
    plain = {"requests": {"cpu": "3", "memory": "1Gi"}}
    assert at(stored(create(limited, profile("kubernetes-1.36"))), "spec.resources") == plain
    assert at(stored(create(whole(), profile("kubernetes-1.37"))), "spec.resources") == plain


def test_a_pod_without_containers_is_rejected_even_with_pod_level_requests() -> None:
    empty = changed(whole(), {"spec.containers": []})
    assert errors(create(empty, profile("kubernetes-1.37"))) == {("spec.containers", "Required")}


def test_an_update_changes_images_only() -> None:
    old = pod(using({"name": "a"}), claims=[A])
    assert errors(update(changed(old, {"spec.containers.0.image": "j"}), old)) == set()
    assert errors(update(changed(old, {"spec.resourceClaims": [A, B]}), old)) == {("spec", "Forbidden")}
    assert errors(update(pod(using({"name": "a"}), {"name": "d"}, claims=[A]), old)) == {
        ("spec.containers", "Forbidden")
    }


POD = pod(using({"name": "a"}, limits={GPU: "1"}), {"name": "d"}, claims=[A, B])


def status_write(status: Any, old: Any = None, where: Any = None) -> Any:
    before = POD if old is None else {**POD, "status": old}
    return update({**POD, "status": status}, before, where, "status")


def extended(*mappings: Any, name: str = "special") -> dict[str, Any]:
    return {"extendedResourceClaimStatus": {"resourceClaimName": name, "requestMappings": list(mappings)}}


MAPPING = {"containerName": "c", "resourceName": GPU, "requestName": "r"}
E = "extendedResourceClaimStatus"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"resourceClaimStatuses": [{"name": "a"}, {"name": "b", "resourceClaimName": "p-b"}]}, set()),
        ({"resourceClaimStatuses": [{"name": "x"}]}, {("resourceClaimStatuses[0].name", "Invalid")}),
        (
            {"resourceClaimStatuses": [{"name": "a"}, {"name": "a"}]},
            {("resourceClaimStatuses[1].name", "Duplicate")},
        ),
        (
            {"resourceClaimStatuses": [{"name": "a", "resourceClaimName": "B"}]},
            {("resourceClaimStatuses[0].resourceClaimName", "Invalid")},
        ),
        (extended(MAPPING), set()),
        (extended(), {(f"{E}.requestMappings", "Required")}),
        (extended(MAPPING, name=""), {(f"{E}.resourceClaimName", "Required")}),
        (extended({**MAPPING, "containerName": "x"}), {(f"{E}.requestMappings[0].containerName", "Invalid")}),
        (extended({**MAPPING, "containerName": "d"}), {(f"{E}.requestMappings[0].resourceName", "Invalid")}),
        (extended({**MAPPING, "requestName": "R"}), {(f"{E}.requestName", "Invalid")}),
        (extended(MAPPING, MAPPING), {(f"{E}.requestMappings[1].{name}", "Duplicate") for name in MAPPING}),
    ],
)
def test_status_of_claims(status: Any, expected: Errors) -> None:
    assert errors(status_write(status)) == {(f"status.{path}", kind) for path, kind in expected}


def node_allocatable(**entry: Any) -> dict[str, Any]:
    return {
        "nodeAllocatableResourceClaimStatuses": [
            {"resourceClaimName": "claim-a", "containers": ["c"], **entry}
        ]
    }


N = "status.nodeAllocatableResourceClaimStatuses[0]"


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        ("kubernetes-1.37", node_allocatable(mapping=[{"name": "cpu", "quantity": "1"}]), set()),
        ("kubernetes-1.37", node_allocatable(overhead=[{"name": "cpu", "perPod": "1"}]), set()),
        ("kubernetes-1.37", node_allocatable(resourceClaimName=""), {("resourceClaimName", "Required")}),
        ("kubernetes-1.37", node_allocatable(resourceClaimName="x"), {("resourceClaimName", "Invalid")}),
        ("kubernetes-1.37", node_allocatable(containers=["c", "c"]), {("containers[1]", "Duplicate")}),
        (
            "kubernetes-1.37",
            node_allocatable(mapping=[{"name": "gpu"}]),
            {("mapping[0].name", "Invalid"), ("mapping[0].quantity", "Required")},
        ),
        ("kubernetes-1.37", node_allocatable(overhead=[{"name": "cpu"}]), {("overhead[0]", "Invalid")}),
        (
            "kubernetes-1.37",
            node_allocatable(overhead=[{"name": "cpu", "perPod": "-1"}] * 2),
            {
                ("overhead[0].perPod", "Invalid"),
                ("overhead[1].perPod", "Invalid"),
                ("overhead[1]", "Duplicate"),
            },
        ),
        ("kubernetes-1.36", node_allocatable(resources={"cpu": "1"}), set()),
        ("kubernetes-1.36", node_allocatable(resources={}), {("resources", "Required")}),
        (
            "kubernetes-1.36",
            node_allocatable(resources={"cpu": "-1", GPU: "1"}),
            {("resources[cpu]", "Invalid"), (f"resources[{GPU}]", "Invalid")},
        ),
        (
            "kubernetes-1.36",
            node_allocatable(resources={"cpu": "1"}, containers=[]),
            {("containers", "Required")},
        ),
        ("kep", node_allocatable(resources={"cpu": "1"}, containers=[]), set()),
        (
            "kep",
            node_allocatable(resources={"cpu": "1"}, containers=["c", "c"]),
            {("containers[1]", "Duplicate")},
        ),
    ],
)
def test_node_allocatable_status(name: str, status: Any, expected: Errors) -> None:
    assert errors(status_write(status, None, profile(name))) == {
        (f"{N}.{path}", kind) for path, kind in expected
    }


@pytest.mark.parametrize(
    ("gate", "field", "status"),
    [
        ("DRAExtendedResource", "extendedResourceClaimStatus", extended(MAPPING)),
        (
            "DRANodeAllocatableResources",
            "nodeAllocatableResourceClaimStatuses",
            node_allocatable(overhead=[{"name": "cpu", "perPod": "1"}]),
        ),
    ],
)
def test_gated_status(gate: str, field: str, status: Any) -> None:
    off = profile(**{gate: False})
    assert at(stored(status_write(status)), f"status.{field}") is not None
    assert at(stored(status_write(status, None, off)), f"status.{field}") is None
    assert at(stored(status_write(status, status, off)), f"status.{field}") is not None


def test_until_1_36_a_status_write_removes_omitted_claim_fields() -> None:
    old = {"resourceClaimStatuses": [{"name": "a"}]}
    assert at(stored(status_write({"phase": "Running"}, old)), "status.resourceClaimStatuses") == [
        {"name": "a"}
    ]
    older = status_write({"phase": "Running"}, old, profile("kubernetes-1.36"))
    assert stored(older)["status"] == {"phase": "Running"}


def resized(raw: Any, where: Any = None, **amounts: Any) -> Any:
    new = changed(
        raw, {"spec.containers.0.resources": {**raw["spec"]["containers"][0]["resources"], **amounts}}
    )
    return update(new, raw, where, "resize")


@pytest.mark.parametrize(
    ("name", "claims", "status", "expected"),
    [
        ("kubernetes-1.37", [A], None, set()),
        ("kubernetes-1.37", [A], node_allocatable(overhead=[{"name": "cpu", "perPod": "1"}]), set()),
        ("kubernetes-1.36", [A], None, {("spec", "Forbidden")}),
        ("kubernetes-1.36", [], None, set()),
        ("kubernetes-1.36", [], node_allocatable(resources={"cpu": "1"}), {("spec", "Forbidden")}),
        ("kep", [A], None, set()),
        ("kep", [A], node_allocatable(resources={"cpu": "1"}), {("spec", "Forbidden")}),
    ],
)
def test_resize_of_pods_with_claims(name: str, claims: Any, status: Any, expected: Errors) -> None:
    references = [{"name": one["name"]} for one in claims]
    raw = pod(using(*references, requests={"cpu": "1"}), claims=claims, status=status)
    assert errors(resized(raw, profile(name), requests={"cpu": "2"})) == expected


def test_resize_changes_nothing_else() -> None:
    raw = pod(using(requests={"cpu": "1"}, limits={GPU: "1"}), init=[using(name="i", requests={"cpu": "1"})])
    assert errors(resized(raw, requests={})) == {("spec.containers[0].resources.requests", "Forbidden")}
    assert errors(resized(raw, requests={"cpu": "1", GPU: "2"}, limits={GPU: "2"})) == {("spec", "Forbidden")}
    renamed = changed(raw, {"spec.containers.0.name": "x"})
    assert errors(update(renamed, raw, None, "resize")) == {("spec.containers[0].name", "Forbidden")}
    other = changed(raw, {"spec.containers.0.image": "j", "spec.initContainers": []})
    assert errors(update(other, raw, None, "resize")) == {("spec.initContainers", "Forbidden")}
    image = changed(raw, {"spec.containers.0.image": "j"})
    assert at(stored(update(image, raw, None, "resize")), "spec.containers.0.image") == "i"
    init = changed(raw, {"spec.initContainers.0.resources.requests": {"cpu": "2"}})
    assert errors(update(init, raw, None, "resize")) == set()
    assert errors(update(init, raw, profile("kubernetes-1.35"), "resize")) == {("spec", "Forbidden")}


def test_nodes_and_namespaces() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n"},
        "status": {"capacity": {"cpu": "4000m"}},
    }
    assert stored(create(node))["status"] == {"capacity": {"cpu": "4"}}
    assert stored(update({**node, "status": {}}, node))["status"] == {"capacity": {"cpu": "4"}}
    assert stored(update({**node, "status": {}}, node, subresource="status"))["status"] == {}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n.m"}}
    assert errors(create(namespace)) == {("metadata.name", "Invalid")}


def test_claims_of_a_pod_are_dropped_while_their_gate_is_off() -> None:
    off = profile("kubernetes-1.33", DynamicResourceAllocation=False)
    written = pod(using({"name": "a"}), claims=[A], init=[using({"name": "a"}, name="i")])
    spec = stored(create(written, off))["spec"]
    assert "resourceClaims" not in spec
    assert not any(
        "claims" in one.get("resources", {}) for one in (*spec["containers"], *spec["initContainers"])
    )
    labelled = changed(written, {"metadata.labels": {"a": "b"}})
    assert stored(update(labelled, written, off))["spec"]["resourceClaims"] == [A]
