"""What the reference kubelet says of the devices of pods: CDI names, PodResources API, and health."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from dra_conform.kube.json_values import Json
from dra_conform.kube.pod_resources_api import (
    CDIDevice,
    ClaimResource,
    ContainerResources,
    DynamicResource,
    PodResources,
)
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStateDevice, ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.health import HealthReports


class PodDevices:
    """The devices of pods by what is known of their claims; `lock` guards the claims."""

    def __init__(
        self,
        states: ClaimStates,
        lock: threading.RLock,
        health: HealthReports | None,
        *,
        extended_resources: bool,
    ) -> None:
        self._states = states
        self._lock = lock
        self._health = health
        self._extended_resources = extended_resources

    def extended(self, pod: Json) -> Json:
        """Return `extendedResourceClaimStatus` of a pod, None without it or without its feature gate."""
        status = pod.get("status") or {}
        return status.get("extendedResourceClaimStatus") if self._extended_resources else None

    def cdi_names(self, pod: Json) -> Json:
        """Return the CDI names of each container, or why it cannot start."""
        result: dict[str, Json] = {}
        for container in _containers(pod):
            try:
                names = [
                    name
                    for state, requests in self._used_in(pod, container)
                    for devices in state.drivers.values()
                    for device in devices
                    if _is_requested(device, requests)
                    for name in device.cdi
                ]
                result[container["name"]] = {"cdi": names}
            except KubeletError as error:
                result[container["name"]] = {"cdi": [], "error": str(error)}
        return result

    def resources(self, pods: Sequence[Json]) -> tuple[PodResources, ...]:
        """Return the claims of the containers of pods, as the PodResources API lists them."""
        return tuple(
            PodResources(
                pod["metadata"]["name"],
                pod["metadata"]["namespace"],
                tuple(
                    ContainerResources(container["name"], dynamic_resources=self._claims(pod, container))
                    for container in _running_containers(pod)
                ),
            )
            for pod in pods
        )

    def _claims(self, pod: Json, container: Json) -> tuple[DynamicResource, ...]:
        """Return the prepared claims of a container with their devices."""
        try:
            used = self._used_in(pod, container)
        except KubeletError:
            return ()
        return tuple(
            DynamicResource(
                claim_name=state.name,
                claim_namespace=state.namespace,
                claim_resources=tuple(
                    ClaimResource(tuple(map(CDIDevice, one.cdi)), driver, one.pool, one.device)
                    for driver, devices in state.drivers.items()
                    for one in devices
                ),
            )
            for state, _ in used
        )

    def health(self, pod: Json) -> Json:
        """Return `allocatedResourcesStatus` of each container."""
        names = _claim_names(pod)
        return {
            container["name"]: [
                status
                for used in (container.get("resources") or {}).get("claims") or ()
                if (status := self._health_of(pod, used, names.get(used["name"]) or ""))["resources"]
            ]
            for container in pod["spec"]["containers"]
        }

    def _used_in(self, pod: Json, container: Json) -> list[tuple[ClaimState, set[str]]]:
        """Return the claims of a container with the requests that it uses; "" means all requests.

        Raises KubeletError for a claim that is not prepared.
        """
        used: dict[str, set[str]] = {}
        entries = _claim_names(pod)
        resources = container.get("resources") or {}
        for claim in resources.get("claims") or ():
            if entries.get(claim["name"]):
                used.setdefault(entries[claim["name"]], set()).add(claim.get("request") or "")
        extended = self.extended(pod) or {}
        for mapping in extended.get("requestMappings") or ():
            if mapping["containerName"] == container["name"]:
                used.setdefault(extended["resourceClaimName"], set()).add(mapping["requestName"])
        namespace, states = pod["metadata"]["namespace"], []
        with self._lock:
            for name, requests in used.items():
                state = self._states.get(namespace, name)
                if state is None or pod["metadata"]["uid"] not in state.pods:
                    raise KubeletError(f"ResourceClaim {name} is not prepared")
                states.append((state, requests))
        return states

    def _health_of(self, pod: Json, used: Json, claim: str) -> Json:
        request = used.get("request") or ""
        name = f"claim:{used['name']}/{request}" if request else f"claim:{used['name']}"
        with self._lock:
            state = self._states.get(pod["metadata"]["namespace"], claim)
            devices = {} if state is None else dict(state.drivers)
        resources = {
            _resource_id(driver, device): self._health_entry(driver, device)
            for driver, prepared in devices.items()
            for device in prepared
            if _is_requested(device, {request.partition("/")[0]})
        }
        return {"name": name, "resources": list(resources.values())}

    def _health_entry(self, driver: str, device: ClaimStateDevice) -> Json:
        health, message = (
            self._health.of(driver, device.pool, device.device) if self._health else ("Unknown", "")
        )
        entry = {"resourceID": _resource_id(driver, device), "health": health}
        return {**entry, **({"message": message} if message else {})}


def _containers(pod: Json) -> Iterator[Json]:
    yield from pod["spec"].get("initContainers") or ()
    yield from pod["spec"]["containers"]


def _running_containers(pod: Json) -> Iterator[Json]:
    """Yield the containers that run while the pod does: sidecars and regular containers."""
    for container in pod["spec"].get("initContainers") or ():
        if container.get("restartPolicy") == "Always":
            yield container
    yield from pod["spec"]["containers"]


def _is_requested(device: ClaimStateDevice, requests: set[str]) -> bool:
    return "" in requests or not device.requests or bool(requests & set(device.requests))


def _resource_id(driver: str, device: ClaimStateDevice) -> str:
    return device.cdi[0] if device.cdi else f"{driver}/{device.pool}/{device.device}"


def _claim_names(pod: Json) -> dict[str, Json]:
    """Return the names of the ResourceClaims of a pod by their entries, None if there is none yet."""
    return {
        entry["name"]: entry.get("resourceClaimName")
        for entry in (
            *(pod["spec"].get("resourceClaims") or ()),
            *((pod.get("status") or {}).get("resourceClaimStatuses") or ()),
        )
    }
