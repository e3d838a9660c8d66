"""Faulty schedulers that misread objects about extended resources (KEP-5004)."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from tests.faulty.implementations.components import (
    ComponentCluster,
    SchedulerCluster,
    with_metadata,
    with_spec,
    with_status,
)

_NOBODY = "nobody.example.com/nothing"


class _OfClasses(SchedulerCluster):
    """Sees changed creation times of DeviceClasses."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "DeviceClass":
            return written
        return with_metadata(written, creationTimestamp=self.created_at(written["metadata"]))

    def created_at(self, metadata: Json) -> str:
        return str(metadata["creationTimestamp"])


class PicksTheOldestClass(_OfClasses):
    def created_at(self, metadata: Json) -> str:
        digits = str.maketrans("0123456789", "9876543210")
        return str(metadata["creationTimestamp"]).translate(digits)


class PicksClassesByName(_OfClasses):
    def created_at(self, metadata: Json) -> str:
        return "2026-01-01T00:00:00Z"


class PicksTheLastName(_OfClasses):
    def created_at(self, metadata: Json) -> str:
        return f"{metadata['creationTimestamp']} {metadata['name']}"


class PicksTheLastWritten(_OfClasses):
    def created_at(self, metadata: Json) -> str:
        return f"{int(metadata['resourceVersion']):09}"


class RemembersTheFirstClasses(SchedulerCluster):
    """Keeps the first mapping of extended resources to DeviceClasses."""

    def begin(self) -> None:
        self._first: dict[str, Json] = {}

    def seen(self, written: Json, client: Client) -> Json:
        return (
            self._first.setdefault(written["metadata"]["name"], written)
            if written["kind"] == "DeviceClass"
            else written
        )


class KnowsTheFirstClassesOnly(RemembersTheFirstClasses):
    """Ignores DeviceClasses that were created after its first read."""

    def begin(self) -> None:
        super().begin()
        self._looked = False

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] == "Pod":
            self._looked = True
        if written["kind"] != "DeviceClass" or not self._looked or written["metadata"]["name"] in self._first:
            return super().seen(written, client)
        return with_spec(written, extendedResourceName=None)


class IgnoresSelectorsOfClasses(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return with_spec(written, selectors=None) if written["kind"] == "DeviceClass" else written


class _OfContainers(SchedulerCluster):
    """Sees changed requests of containers of pods without a node."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "Pod" or written["spec"].get("nodeName"):
            return written
        return with_spec(
            written,
            containers=[self._container(each, client) for each in written["spec"]["containers"]],
            initContainers=[
                self._container(each, client) for each in written["spec"].get("initContainers") or ()
            ]
            or None,
        )

    def _container(self, container: Json, client: Client) -> Json:
        requests = (container.get("resources") or {}).get("requests") or {}
        read = dict(self.requested(name, amount, client) for name, amount in requests.items())
        return {**container, "resources": {**(container.get("resources") or {}), "requests": read}}

    def requested(self, name: str, amount: Json, client: Client) -> tuple[str, Json]:
        return name, amount


class KnowsNoImplicitNames(_OfContainers):
    def requested(self, name: str, amount: Json, client: Client) -> tuple[str, Json]:
        return (_NOBODY if name.startswith(CLASS_PREFIX) else name), amount


class KnowsImplicitNamesWithoutExplicitOnesOnly(_OfContainers):
    def requested(self, name: str, amount: Json, client: Client) -> tuple[str, Json]:
        explicit = {CLASS_PREFIX + device_class["metadata"]["name"] for device_class in client.all("DeviceClass") if device_class["spec"].get("extendedResourceName")}  # fmt: skip
        return (_NOBODY if name in explicit else name), amount


class TakesAnotherDomainForImplicitNames(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "DeviceClass" or written["spec"].get("extendedResourceName"):
            return written
        return with_spec(
            written, extendedResourceName=f"deviceclass.resource.k8s.io/{written['metadata']['name']}"
        )


class AsksForOneDeviceAtMost(_OfContainers):
    def requested(self, name: str, amount: Json, client: Client) -> tuple[str, Json]:
        return name, ("1" if "/" in name else amount)


class ForgetsInitContainers(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return with_spec(written, initContainers=None) if written["kind"] == "Pod" else written


class ForgetsTheSecondContainer(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return (
            with_spec(written, containers=written["spec"]["containers"][:1])
            if written["kind"] == "Pod"
            else written
        )


class PutsAllContainersIntoOneRequest(SchedulerCluster):
    """Takes the requests of all containers for requests of the first one."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "Pod" or len(written["spec"]["containers"]) < 2:
            return written
        total: dict[str, int] = {}
        for container in written["spec"]["containers"]:
            for name, amount in ((container.get("resources") or {}).get("requests") or {}).items():
                if "/" in name:
                    total[name] = total.get(name, 0) + int(str(amount))
        requests = {name: str(amount) for name, amount in total.items()}
        return with_spec(
            written, containers=[{**written["spec"]["containers"][0], "resources": {"requests": requests}}]
        )


class _OfNodes(SchedulerCluster):
    """Sees changed allocatable resources of nodes."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "Node" or not (written.get("status") or {}).get("allocatable"):
            return written
        return with_status(written, allocatable=dict(self.offered(written["status"]["allocatable"])))

    def offered(self, allocatable: Json) -> Iterator[tuple[str, Json]]:
        return iter(allocatable.items())


class KnowsNoDevicePlugins(_OfNodes):
    def offered(self, allocatable: Json) -> Iterator[tuple[str, Json]]:
        return ((name, amount) for name, amount in allocatable.items() if "/" not in name)


class TakesZeroForADevicePlugin(_OfNodes):
    """Takes allocatable 0 for a device plugin, which excludes DRA on that node."""

    def offered(self, allocatable: Json) -> Iterator[tuple[str, Json]]:
        return (
            (name, "1m" if "/" in name and str(amount) == "0" else amount)
            for name, amount in allocatable.items()
        )


class AddsDevicesToPlugins(_OfNodes):
    """Takes a device plugin to have one device more than it reports."""

    def offered(self, allocatable: Json) -> Iterator[tuple[str, Json]]:
        return ((name, int(str(amount)) + ("/" in name)) if "/" in name else (name, amount) for name, amount in allocatable.items())  # fmt: skip


WRONG: dict[type[ComponentCluster], str] = {
    PicksTheOldestClass: "KEP-5004/class-selection/newest-class-wins",
    PicksClassesByName: "KEP-5004/class-selection/tie-break-only-among-newest",
    PicksTheLastName: "KEP-5004/class-selection/same-time-lexicographic-first",
    PicksTheLastWritten: "KEP-5004/class-selection/independent-of-event-order",
    RemembersTheFirstClasses: "KEP-5004/class-selection/name-change-takes-effect",
    KnowsTheFirstClassesOnly: "KEP-5004/class-selection/late-class-unblocks-pending-pod",
    IgnoresSelectorsOfClasses: "KEP-5004/class-selection/devices-filtered-by-class-selectors",
    KnowsNoImplicitNames: "KEP-5004/implicit-name/every-class-reachable",
    KnowsImplicitNamesWithoutExplicitOnesOnly: "KEP-5004/implicit-name/in-addition-to-explicit",
    TakesAnotherDomainForImplicitNames: "KEP-5004/implicit-name/prefix-exact",
    AsksForOneDeviceAtMost: "KEP-5004/class-selection/explicit-name-maps-devices",
    ForgetsInitContainers: "KEP-5004/naming/init-containers-included",
    ForgetsTheSecondContainer: "KEP-5004/pod-status/one-entry-per-container-and-resource",
    PutsAllContainersIntoOneRequest: "KEP-5004/naming/one-request-per-container-and-resource",
    KnowsNoDevicePlugins: "KEP-5004/node-backing/device-plugin-node-uses-capacity",
    TakesZeroForADevicePlugin: "KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin",
    AddsDevicesToPlugins: "KEP-5004/mixed-nodes/size-decides-the-node",
}
"""Each faulty scheduler with a requirement that it violates."""
