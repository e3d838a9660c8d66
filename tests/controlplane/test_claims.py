"""The claims of a pod: named ones, and those made from templates."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dra_conform.kube.errors import InputError
from dra_conform.kube.meta import OwnerReference
from tests.support.controlplane.clusters import (
    CLASS,
    TEMPLATE,
    claim,
    cluster,
    devices,
    named,
    node,
    placed,
    pod,
    templated,
    workload,
)

WORLD = (CLASS, TEMPLATE, node("node-1", devices=4))


def test_a_claim_from_a_template() -> None:
    [placement] = placed(*WORLD, pod("p", templated("gpu")).replace("name: p", "name: p, uid: u-1"))
    [made] = placement.claims
    assert (made.metadata.name, made.metadata.namespace) == ("p-gpu", "default")
    assert made.metadata.labels == {"from": "template"}
    assert made.metadata.annotations == {"note": "kept", "resource.kubernetes.io/pod-claim-name": "gpu"}
    assert made.metadata.owner_references == (
        OwnerReference(
            api_version="v1", kind="Pod", name="p", uid="u-1", controller=True, block_owner_deletion=True
        ),
    )
    assert [request.name for request in made.spec.devices.requests] == ["r0"]


def test_names_that_would_collide() -> None:
    """`a-b` with `c` and `a` with `b-c` have claims of their own, and no claim that exists is overwritten."""
    placements = placed(
        *WORLD, claim("a-b-c"), pod("a-b", templated("c")), pod("a", templated("b-c"), templated("d"))
    )
    assert devices(placements) == {
        "default/a-b-c-2": ["node-1/d0"],
        "default/a-b-c-3": ["node-1/d1"],
        "default/a-d": ["node-1/d2"],
        "default/a-b-c": ["node-1/d3"],
    }


def test_workloads_of_one_name() -> None:
    placements = placed(
        *WORLD, *(workload(kind, "w", "", templated("gpu")) for kind in ("Deployment", "StatefulSet", "Job"))
    )
    assert devices(placements) == {
        "default/w-0-gpu": ["node-1/d0"],
        "default/w-0-gpu-2": ["node-1/d1"],
        "default/w-0-gpu-3": ["node-1/d2"],
    }


MADE = claim("p-gpu-x7kq2").replace(
    "namespace: default",
    "namespace: default, annotations: {resource.kubernetes.io/pod-claim-name: gpu}, "
    "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u-1, controller: true}]",
)
STATUS = "resourceClaimStatuses: [{name: gpu, resourceClaimName: %s}]"


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([MADE, pod("p, uid: u-1", templated("gpu"))], ["default/p-gpu-x7kq2"]),
        ([MADE, pod("q, uid: u-1", templated("gpu"))], ["default/q-gpu", "default/p-gpu-x7kq2"]),
        ([MADE, pod("p", templated("gpu"))], ["default/p-gpu", "default/p-gpu-x7kq2"]),
        ([claim("x"), pod("p", templated("gpu"), status=STATUS % "x")], ["default/x"]),
        ([pod("p", templated("gpu"), status=STATUS % "gone")], ["default/gone"]),
        ([pod("p", templated("gpu"), status=STATUS % "null")], []),
    ],
    ids=[
        "owned",
        "owned by another",
        "owned by one of that name",
        "in the status",
        "in the status only",
        "none needed",
    ],
)
def test_claims_that_were_made_before(documents: list[str], expected: list[str]) -> None:
    assert list(devices(placed(*WORLD, *documents))) == expected


def test_objects_with_generate_name() -> None:
    generated = [text.replace("name: p", "generateName: p-") for text in [pod("p", templated("gpu"))] * 2]
    claims = [claim("c").replace("name: c", "generateName: c-")] * 2
    placements = placed(*generated, *claims, *WORLD)
    assert list(devices(placements)) == ["default/p-0-gpu", "default/p-1-gpu", "default/c-2", "default/c-3"]


BAD: Mapping[str, tuple[list[str], str]] = {
    "no such claim": (
        [pod("p", named("gpu", "c"))],
        "resourceClaims[0].resourceClaimName: there is no ResourceClaim default/c in the manifests given, "
        "expected one with -f",
    ),
    "a claim of another namespace": (
        [claim("c", namespace="other"), pod("p", templated("a"), named("gpu", "c"))],
        "resourceClaims[1].resourceClaimName: there is no ResourceClaim default/c in the manifests given, "
        "expected one with -f",
    ),
    "no such template": (
        [pod("p", templated("gpu", "none"))],
        "resourceClaims[0].resourceClaimTemplateName: there is no ResourceClaimTemplate default/none in the "
        "manifests given, expected one with -f",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_pods_that_cannot_be(name: str) -> None:
    documents, message = BAD[name]
    with pytest.raises(InputError) as caught:
        placed(*documents, *WORLD)
    line = 1 if len(documents) == 1 else 6
    assert str(caught.value) == f"m.yaml:{line}: Pod default/p: spec.{message}"


def test_a_workload_that_names_no_claim_says_which_workload() -> None:
    with pytest.raises(InputError, match=r"^m.yaml:1: Deployment default/w-0: spec.resourceClaims\[0\]"):
        placed(workload("Deployment", "w", "", named("gpu", "c")), *WORLD)


def test_an_object_twice() -> None:
    assert devices(placed(*WORLD, *WORLD, claim("c"), claim("c"))) == {"default/c": ["node-1/d0"]}
    assert len(cluster(*WORLD, *WORLD).nodes) == 1
    with pytest.raises(InputError) as caught:
        cluster(node("node-1"), claim("c"), claim("c", more="status: {}\n"))
    assert str(caught.value) == (
        "m.yaml:20: metadata.name: ResourceClaim c is given twice and differs, expected it once; "
        "the first is at m.yaml:15"
    )
    assert len(cluster(claim("c"), claim("c", namespace="other")).claims) == 2
