"""The kinds of objects that scenarios write, and their URL paths on an API server.

Each part of a path is checked and quoted, so that no name can lead to a different object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import path_segment
from dra_conform.kube.versions import GROUP

_VERSION = re.compile(r"v[0-9]{1,4}((alpha|beta)[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind, with its API group (empty for the core group) and its plural in paths.

    `subresources` are those that can be written. Others, such as `proxy`, would make the API server send
    requests.
    """

    kind: str
    group: str
    plural: str
    namespaced: bool
    subresources: frozenset[str] = frozenset({"status"})

    def address(self, version: str, namespace: str = "", name: str = "", subresource: str = "") -> Address:
        """Return the address of a collection or, with a name, of an object; raises CannotRun."""
        return Address(self, version, namespace if self.namespaced else "", name, subresource)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an object or a collection on an API server; `str` returns the URL path.

    Raises CannotRun for a part that is not a valid segment of a path.
    """

    resource: Resource
    version: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""

    def __post_init__(self) -> None:
        if not _VERSION.fullmatch(self.version):
            raise CannotRun(f"{self.resource.kind}: {self.version!r} is not an API version")
        if self.subresource and self.subresource not in self.resource.subresources:
            raise CannotRun(f"{self.resource.kind}: subresource {self.subresource!r} cannot be written")
        for what, part in (("namespace", self.namespace), ("name", self.name)):
            for problem in path_segment(part):
                raise CannotRun(f"the {what} {part!r} of a {self.resource.kind} {problem}")

    def __str__(self) -> str:
        group = self.resource.group
        root = f"/apis/{group}/{self.version}" if group else f"/api/{self.version}"
        namespace = ("namespaces", self.namespace) if self.namespace else ()
        parts = (*namespace, self.resource.plural, *filter(None, (self.name, self.subresource)))
        return "/".join((root, *(quote(part, safe="") for part in parts)))


RESOURCES = {
    resource.kind: resource
    for resource in (
        Resource("Node", "", "nodes", namespaced=False),
        Resource("Namespace", "", "namespaces", namespaced=False),
        Resource("DeviceClass", GROUP, "deviceclasses", namespaced=False),
        Resource("ResourceSlice", GROUP, "resourceslices", namespaced=False),
        Resource("DeviceTaintRule", GROUP, "devicetaintrules", namespaced=False),
        Resource("ResourceQuota", "", "resourcequotas", namespaced=True),
        Resource("ResourceClaimTemplate", GROUP, "resourceclaimtemplates", namespaced=True),
        Resource("ResourceClaim", GROUP, "resourceclaims", namespaced=True),
        Resource("Pod", "", "pods", namespaced=True, subresources=frozenset({"status", "resize"})),
    )
}
"""The resources by kind, in the order in which a setup is created."""

EVENTS = Resource("Event", "events.k8s.io", "events", namespaced=True)
LEASES = Resource("Lease", "coordination.k8s.io", "leases", namespaced=True)
SERVICE_ACCOUNTS = Resource("ServiceAccount", "", "serviceaccounts", namespaced=True)


def version_of(raw: Json) -> str:
    """Return the version in the apiVersion of an object, without its group."""
    return str(raw.get("apiVersion", "")).rpartition("/")[2]
