"""The pods of a kubelet as it describes them: devices of containers, claims in use, health and cgroups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import ParamSpec, TypeVar

import grpc
import msgspec

from dra_conform.adapters.driver.plugin_client import CallFailed, pod_resources, resources_of_pod
from dra_conform.adapters.kubelet.program import CommandFailed, KubeletProgram
from dra_conform.conformance.kubelet.answer import (
    Cgroup,
    ClaimInUse,
    ObservedContainer,
    ObservedDevice,
    ObservedHealth,
    ObservedPod,
)
from dra_conform.conformance.steps.given import name_in_case
from dra_conform.kube.json_values import Json
from dra_conform.kube.pod_resources_api import ContainerResources, DynamicResource, PodResources

P = ParamSpec("P")
T = TypeVar("T")


class ShownPods:
    """The containers of pods in the PodResources API of a kubelet on `socket`.

    A call that the kubelet does not answer in time is not made again: each costs ten seconds.
    """

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._unanswered: set[Callable[..., object]] = set()

    def listed(self) -> Mapping[str, Mapping[str, ContainerResources]]:
        """Return the containers of all pods, by the name of the pod in the case and by container."""
        pods = self._ask(pod_resources, self._socket) or ()
        return {name_in_case(pod.namespace, pod.name): _by_name(pod) for pod in pods}

    def alone(self, raw: Json) -> Mapping[str, ContainerResources] | None:
        """Return the containers of one pod if the kubelet is asked for this pod, None if it shows none."""
        metadata = raw["metadata"]
        pod = self._ask(resources_of_pod, self._socket, metadata["namespace"], metadata["name"])
        return None if pod is None else _by_name(pod)

    def _ask(self, call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T | None:
        """Return the answer to a call, None if there is none."""
        if call in self._unanswered:
            return None
        try:
            return call(*args, **named)
        except CallFailed as failed:
            if failed.code == grpc.StatusCode.DEADLINE_EXCEEDED.name:
                self._unanswered.add(call)
            return None


def _by_name(pod: PodResources) -> Mapping[str, ContainerResources]:
    return {container.name: container for container in pod.containers}


def observed_pods(
    kubelet: KubeletProgram, pods: Mapping[str, Json], shown: ShownPods, devices: Mapping[str, ObservedDevice]
) -> dict[str, ObservedPod]:
    """Return the pods by their names in the case; raises KubeletFailed.

    `devices` are the prepared devices by CDI name.
    """
    observer = _PodObserver(kubelet, devices)
    listed = shown.listed()
    return {name: observer.pod(raw, listed.get(name), shown.alone(raw)) for name, raw in pods.items()}


class _Devices(msgspec.Struct, frozen=True):
    """The CDI devices of a container, or the error of the kubelet."""

    cdi: tuple[str, ...] | None = ()
    error: str | None = ""


class _ResourceHealth(msgspec.Struct, frozen=True):
    resource_id: str = msgspec.field(name="resourceID")
    health: str | None = ""
    message: str | None = ""


class _ResourceStatus(msgspec.Struct, frozen=True):
    name: str
    resources: tuple[_ResourceHealth, ...] | None = ()


class _CgroupSettings(msgspec.Struct, frozen=True, rename="camel"):
    cpu_shares: int | None = None
    cpu_quota: int | None = None
    memory: int | None = None


class _PodObserver:
    """Asks a kubelet for its pods."""

    def __init__(self, kubelet: KubeletProgram, devices: Mapping[str, ObservedDevice]) -> None:
        self._kubelet = kubelet
        self._devices = devices

    def pod(
        self,
        raw: Json,
        shown: Mapping[str, ContainerResources] | None,
        alone: Mapping[str, ContainerResources] | None,
    ) -> ObservedPod:
        """Return a pod. `shown`, `alone`: its containers in the PodResources API, in the list and alone."""
        devices = self._of_pod(dict[str, _Devices | None], "devices", raw)
        health = self._of_pod(dict[str, tuple[_ResourceStatus, ...] | None], "health", raw)
        spec = raw["spec"]
        names = [container["name"] for container in (*spec.get("initContainers", ()), *spec["containers"])]
        containers = {
            name: self._container(
                (devices or {}).get(name) or _Devices(),
                None if shown is None or name not in shown else self._claims(shown[name]),
                (health or {}).get(name) or (),
            )
            for name in names
        }
        must_unprepare = bool(self._kubelet.ask("mustUnprepare", pod=raw))
        claims = None if alone is None else {name: self._claims(each) for name, each in alone.items()}
        return ObservedPod(containers, must_unprepare, self._cgroup(raw), claims)

    def _claims(self, container: ContainerResources) -> tuple[ClaimInUse, ...]:
        return tuple(map(self._claim_in_use, container.dynamic_resources))

    def _cgroup(self, raw: Json) -> Cgroup | None:
        """Return the settings of a pod's cgroup, None if the kubelet does not have this command."""
        settings = self._of_pod(_CgroupSettings, "cgroup", raw)
        if settings is None:
            return None
        return Cgroup(settings.cpu_shares, settings.cpu_quota, settings.memory)

    def _of_pod(self, kind: type[T], do: str, raw: Json) -> T | None:
        """Return the kubelet's answer for a pod, None if it does not have this command."""
        try:
            return self._kubelet.ask_for(kind, do, pod=raw)
        except CommandFailed:
            return None

    def _container(
        self,
        devices: _Devices,
        claims: tuple[ClaimInUse, ...] | None,
        health: Iterable[_ResourceStatus],
    ) -> ObservedContainer:
        names = devices.cdi or ()
        return ObservedContainer(
            devices.error or "",
            tuple(self._devices[name] for name in names if name in self._devices),
            tuple(name for name in names if name not in self._devices),
            claims,
            tuple(self._health(entry.name, device) for entry in health for device in entry.resources or ()),
        )

    def _health(self, resource: str, entry: _ResourceHealth) -> ObservedHealth:
        named = self._devices.get(entry.resource_id)
        device = named.device if named else entry.resource_id
        return ObservedHealth(resource, device, entry.health or "", entry.message or "")

    def _claim_in_use(self, claim: DynamicResource) -> ClaimInUse:
        cdi = {
            ObservedDevice(resource.driver_name, resource.pool_name, resource.device_name): tuple(
                self._device_of(device.name) for device in resource.cdi_devices
            )
            for resource in claim.claim_resources
        }
        return ClaimInUse(
            name_in_case(claim.claim_namespace, claim.claim_name),
            tuple(sorted(cdi)),
            {str(device): names for device, names in sorted(cdi.items())},
        )

    def _device_of(self, cdi_name: str) -> str:
        """Return the device of a CDI name, or the name if no driver has answered it."""
        return str(self._devices.get(cdi_name, cdi_name))
