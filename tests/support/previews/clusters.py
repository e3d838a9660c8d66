"""Manifests for previews, and queries of their results."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import loads
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import as_stored
from dra_conform.previews.rehearsal import PreviewOptions, Rehearsal, RehearsedPod, rehearse

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
    """Return a claim with an allocated device of node-1."""
    status = (
        f"devices: {{results: [{{request: r0, driver: gpu.example.com, pool: node-1, device: {device}}}]}}"
    )
    return claim(name, more=f"status: {{allocation: {{{status}{selector}}}}}\n")


def node(name: str, *, devices: int = 1, labels: str = "{}") -> str:
    """Return a node and its ResourceSlice with devices d0, d1, ..."""
    devices_yaml = "".join(f"  - name: d{number}\n" for number in range(devices))
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
{devices_yaml}"""


CONTAINERS = "containers: [{name: c, image: i}]"


def pod(name: str, *entries: str, more: str = "", status: str = "") -> str:
    """Return a pod with entries of spec.resourceClaims; `more` are further fields of its spec."""
    containers = "" if "containers:" in more else CONTAINERS
    fields = ", ".join((f"resourceClaims: [{', '.join(entries)}]", *filter(None, [containers, more])))
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {{{fields}}}\n" + (
        f"status: {{{status}}}\n" if status else ""
    )


def workload(kind: str, name: str, spec: str, *entries: str) -> str:
    group = "batch/v1" if kind == "Job" else "apps/v1"
    restart = ", restartPolicy: Never" if kind == "Job" else ""
    inner = f"spec: {{{CONTAINERS}, resourceClaims: [{', '.join(entries)}]{restart}}}"
    template = f"template: {{metadata: {{labels: {{app: {name}}}}}, {inner}}}"
    fields = ", ".join(filter(None, [spec, template]))
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{fields}}}\n"


def named(entry: str, name: str) -> str:
    return f"{{name: {entry}, resourceClaimName: {name}}}"


def templated(entry: str, name: str = "one-gpu") -> str:
    return f"{{name: {entry}, resourceClaimTemplateName: {name}}}"


def rehearsed(
    *documents: str, node: str = "", profile: str = "kep", explain: bool = False, unused_claims: bool = True
) -> Rehearsal:
    """Return the preview of the manifests, by default with claims that no pod uses."""
    known = Profile.named(profile)
    stored = as_stored(loads("---\n".join(documents), "m.yaml"), known)
    question = PreviewOptions(known, node=node, unused_claims=unused_claims, explain=explain)
    return rehearse([stored.objects], question)


def subjects(rehearsal: Rehearsal) -> list[RehearsedPod]:
    """Return the outcomes of pods with devices, then those of claims that no pod uses."""
    return [*(pod for pod in rehearsal.pods if pod.wants_devices), *rehearsal.unused_claims]


def readable_name(claim: Json) -> str:
    """Return `namespace/name` of a claim, with the name `POD-ENTRY` for a generated claim."""
    metadata = claim["metadata"]
    entry = metadata.get("annotations", {}).get("resource.kubernetes.io/pod-claim-name")
    owner = next((owner_reference["name"] for owner_reference in metadata.get("ownerReferences", ())), "")
    special = f"{owner}-extended-resources" if owner and not entry else metadata["name"]
    return f"{metadata['namespace']}/{f'{owner}-{entry}' if entry else special}"


def devices(rehearsal: Rehearsal) -> Mapping[str, list[str]]:
    """Return `pool/device` of every allocated claim."""
    return {
        readable_name(claim): [
            f"{result['pool']}/{result['device']}"
            for result in claim["status"]["allocation"]["devices"].get("results", ())
        ]
        for subject in subjects(rehearsal)
        for claim in subject.claims
        if claim.get("status", {}).get("allocation")
    }
