"""The kinds of objects in stories, and where the API server has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube.versions import GROUP

Json = Any


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind, with its API group (empty for the core), and its name in addresses."""

    kind: str
    group: str
    plural: str
    namespaced: bool

    def address(self, version: str, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """The path of a collection, or of one object of it."""
        root = f"/apis/{self.group}/{version}" if self.group else f"/api/{version}"
        room = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        rest = "".join(f"/{part}" for part in (name, subresource) if part)
        return f"{root}{room}/{self.plural}{rest}"


RESOURCES = {
    one.kind: one
    for one in (
        Resource("Node", "", "nodes", namespaced=False),
        Resource("Namespace", "", "namespaces", namespaced=False),
        Resource("DeviceClass", GROUP, "deviceclasses", namespaced=False),
        Resource("ResourceSlice", GROUP, "resourceslices", namespaced=False),
        Resource("DeviceTaintRule", GROUP, "devicetaintrules", namespaced=False),
        Resource("ResourceQuota", "", "resourcequotas", namespaced=True),
        Resource("ResourceClaimTemplate", GROUP, "resourceclaimtemplates", namespaced=True),
        Resource("ResourceClaim", GROUP, "resourceclaims", namespaced=True),
        Resource("Pod", "", "pods", namespaced=True),
    )
}
"""By kind, in the order in which a world is built."""

EVENTS = Resource("Event", "events.k8s.io", "events", namespaced=True)


def version_of(raw: Json) -> str:
    """The version in the apiVersion of an object, without its group."""
    return str(raw.get("apiVersion", "")).rpartition("/")[2]
