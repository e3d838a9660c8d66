"""The questions of `adapter check`: a namespace with a ResourceClaim, and one with a pod."""

from __future__ import annotations

from dra_conform.conformance.operation import Probe

_METADATA = {"name": "one", "namespace": "default"}
_CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": _METADATA,
    "spec": {
        "devices": {
            "requests": [
                {
                    "name": "r0",
                    "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2},
                }
            ]
        }
    },
}
_POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": _METADATA,
    "spec": {
        "containers": [{"name": "main", "image": "i", "resources": {"requests": {"example.com/gpu": "1"}}}]
    },
}
_ASK = {"namespace": "default"}

PROBES = (
    Probe("the quota usage of a ResourceClaim for two devices", {"resourceClaims": (_CLAIM,)}, _ASK),
    Probe("the quota usage of a pod that requests an extended resource", {"pods": (_POD,)}, _ASK),
)
