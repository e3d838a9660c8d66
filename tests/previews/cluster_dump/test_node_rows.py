"""Notes on claims that do not count in the node resource usage of a cluster."""

from __future__ import annotations

import pytest

from dra_conform.kube.manifests import loads
from dra_conform.kube.profile import Profile
from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects
from dra_conform.previews.cluster_dump.node_rows import node_usage
from dra_conform.previews.cluster_dump.reading import ClusterDump

CLUSTER = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s, uid: s}
spec:
  driver: cpu.example.com
  nodeName: node
  pool: {name: node, generation: 1, resourceSliceCount: 1}
  devices: [{name: d0, FIELD}, {name: d1}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: team, uid: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: cpu}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: cpu.example.com, pool: node, device: DEVICE}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: team, uid: p}
spec:
  nodeName: node
  resourceClaims: [{name: e, resourceClaimName: c}]
  containers: [{name: c, image: i, resources: {claims: [{name: e}]}}]
"""
EARLIER = 'nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: "4"}}'
LATER = 'nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: "4"}}}'
NOTE = (
    "note: allocated devices of 1 pod map to node resources in a form that the profile does not read or count, "
    "expected --profile with the release of the cluster, --gates with its feature gates"
)


def _notes(field: str, device: str, profile: Profile) -> list[str]:
    cluster = CLUSTER.replace("FIELD", field).replace("DEVICE", device)
    objects = ClusterObjects.of(item.object for item in loads(cluster))
    return [*node_usage(ClusterDump(objects, objects, ()), profile).problems]


def _release(name: str, gate: bool = True) -> Profile:
    return Profile.named(name).with_gates({"DRANodeAllocatableResources": gate})


@pytest.mark.parametrize(
    ("field", "profile"),
    [
        (LATER, Profile.named("kep")),
        (LATER, _release("kubernetes-1.36")),
        (LATER, _release("kubernetes-1.37", gate=False)),
        (LATER, Profile.named("kubernetes-1.35")),
        (EARLIER, _release("kubernetes-1.37")),
        (EARLIER, _release("kubernetes-1.36", gate=False)),
    ],
)
def test_mappings_that_do_not_count_are_noted(field: str, profile: Profile) -> None:
    assert _notes(field, "d0", profile) == [NOTE]
    assert _notes(field, "d1", profile) == []


@pytest.mark.parametrize(
    ("field", "profile"),
    [
        (EARLIER, Profile.named("kep")),
        (EARLIER, _release("kubernetes-1.36")),
        (LATER, _release("kubernetes-1.37")),
    ],
)
def test_mappings_that_count_have_no_note(field: str, profile: Profile) -> None:
    assert _notes(field, "d0", profile) == []
