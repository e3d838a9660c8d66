"""Clusters written as manifests, and what is placed on them."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.controlplane.cluster import Cluster
from dra_conform.controlplane.placement import Placement, place
from dra_conform.kube.manifests import loads
from dra_conform.kube.profile import Profile

CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
"""

TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu}
spec:
  metadata: {labels: {from: template}, annotations: {note: kept}}
  spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu}}]}}
"""


def claim(name: str, *, namespace: str = "default", more: str = "") -> str:
    return f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, namespace: {namespace}}}
spec: {{devices: {{requests: [{{name: r0, exactly: {{deviceClassName: gpu}}}}]}}}}
{more}"""


def held(name: str, device: str, *, selector: str = "") -> str:
    """A claim that holds a device of node-1 already."""
    status = (
        f"devices: {{results: [{{request: r0, driver: gpu.example.com, pool: node-1, device: {device}}}]}}"
    )
    return claim(name, more=f"status: {{allocation: {{{status}{selector}}}}}\n")


def node(name: str, *, devices: int = 1, labels: str = "{}") -> str:
    """A node and its slice of devices d0, d1, ..."""
    found = "".join(f"  - name: d{number}\n" for number in range(devices))
    return f"""\
apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {labels}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}-slice}}
spec:
  driver: gpu.example.com
  nodeName: {name}
  pool: {{name: {name}, generation: 1, resourceSliceCount: 1}}
  devices:{" []" if not devices else ""}
{found}"""


def pod(name: str, *entries: str, more: str = "", status: str = "") -> str:
    """A pod with entries of spec.resourceClaims; `more` are further fields of its spec."""
    fields = ", ".join((f"resourceClaims: [{', '.join(entries)}]", *filter(None, [more])))
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {{{fields}}}\n" + (
        f"status: {{{status}}}\n" if status else ""
    )


def workload(kind: str, name: str, spec: str, *entries: str) -> str:
    group = "batch/v1" if kind == "Job" else "apps/v1"
    template = f"template: {{metadata: {{labels: {{app: {name}}}}}, spec: {{resourceClaims: [{', '.join(entries)}]}}}}"
    fields = ", ".join(filter(None, [spec, template]))
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{fields}}}\n"


def named(entry: str, name: str) -> str:
    return f"{{name: {entry}, resourceClaimName: {name}}}"


def templated(entry: str, name: str = "one-gpu") -> str:
    return f"{{name: {entry}, resourceClaimTemplateName: {name}}}"


def cluster(*documents: str) -> Cluster:
    return Cluster.of(loads("---\n".join(documents), "m.yaml"))


def placed(*documents: str, node: str = "", profile: str = "kep", explain: bool = False) -> list[Placement]:
    return list(place(cluster(*documents), Profile.named(profile), node=node, explain=explain))


def devices(placements: list[Placement]) -> Mapping[str, list[str]]:
    """`pool/device` of every allocated claim."""
    return {
        one.key: [f"{result.pool}/{result.device}" for result in one.allocation.devices.results]
        for placement in placements
        for one in placement.claims
        if one.allocation is not None
    }
