"""The API versions of each kind that a release serves."""

from __future__ import annotations

from functools import lru_cache

from dra_conform.controlplane.apiserver.field_releases import Known
from dra_conform.kube.profile import Profile

_RESOURCE = {"v1": Known("1.34"), "v1beta2": Known("1.33"), "v1beta1": Known("1.32", until="1.37")}

_SERVED: dict[str, dict[str, Known]] = {
    **{
        kind: {f"resource.k8s.io/{version}": known for version, known in _RESOURCE.items()}
        for kind in ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")
    },
    "DeviceTaintRule": {
        "resource.k8s.io/v1": Known("1.37"),
        "resource.k8s.io/v1beta2": Known("1.36"),
        "resource.k8s.io/v1alpha3": Known("1.33"),
    },
    **{kind: {"v1": Known()} for kind in ("Namespace", "Node", "Pod", "ResourceQuota")},
}
"""The releases by kind and API version; alpha and beta versions count as enabled."""


@lru_cache(maxsize=1024)
def serves(kind: str, api_version: str, profile: Profile) -> bool:
    """Whether objects of a kind can be written in a version; `kep` serves every version."""
    known = _SERVED[kind].get(api_version)
    return known is not None and known.by(profile)


@lru_cache(maxsize=256)
def versions_served(kind: str, profile: Profile) -> tuple[str, ...]:
    """Return the API versions in which a kind can be written, the newest first; none for an unknown kind."""
    return tuple(version for version, known in _SERVED.get(kind, {}).items() if known.by(profile))
