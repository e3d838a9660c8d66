"""Messages of the PodResources API of kubelets, version v1. Needs the extra `drivers`.

They are those of `k8s.io/kubelet/pkg/apis/podresources/v1`, without topology. The order of the fields is that
of their numbers.
"""

from __future__ import annotations

from dra_conform.kube.plugin_api import Empty, Method, Struct


class CDIDevice(Struct, frozen=True):
    """The name of a CDI device."""

    name: str = ""


class ClaimResource(Struct, frozen=True):
    """A device that is allocated to a ResourceClaim."""

    cdi_devices: tuple[CDIDevice, ...] = ()
    driver_name: str = ""
    pool_name: str = ""
    device_name: str = ""
    share_id: str | None = None


class DynamicResource(Struct, frozen=True):
    """A ResourceClaim of a container. `class_name` is no longer used."""

    class_name: str = ""
    claim_name: str = ""
    claim_namespace: str = ""
    claim_resources: tuple[ClaimResource, ...] = ()


class ContainerDevices(Struct, frozen=True):
    """Devices of a device plugin."""

    resource_name: str = ""
    device_ids: tuple[str, ...] = ()


class ContainerMemory(Struct, frozen=True):
    """Memory of a kind, such as huge pages, in bytes."""

    memory_type: str = ""
    size: int = 0


class ContainerResources(Struct, frozen=True):
    """What a container has of its node."""

    name: str = ""
    devices: tuple[ContainerDevices, ...] = ()
    cpu_ids: tuple[int, ...] = ()
    memory: tuple[ContainerMemory, ...] = ()
    dynamic_resources: tuple[DynamicResource, ...] = ()


class PodResources(Struct, frozen=True):
    """A pod with its containers."""

    name: str = ""
    namespace: str = ""
    containers: tuple[ContainerResources, ...] = ()


class PodResourcesList(Struct, frozen=True):
    """The response to `List`."""

    pod_resources: tuple[PodResources, ...] = ()


class PodRequest(Struct, frozen=True):
    """The request of `Get`: the pod by its name."""

    pod_name: str = ""
    pod_namespace: str = ""


class PodResponse(Struct, frozen=True):
    """The response to `Get`."""

    pod_resources: PodResources | None = None


LIST = Method("/v1.PodResourcesLister/List", Empty, PodResourcesList)
"""Lists the active pods of the node."""
GET = Method("/v1.PodResourcesLister/Get", PodRequest, PodResponse)
"""Returns one active pod of the node."""
