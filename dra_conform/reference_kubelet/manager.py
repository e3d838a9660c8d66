"""Preparation of the ResourceClaims of pods by the reference kubelet."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.kube.plugin_api import Claim, Device, PreparedClaim, UnpreparedClaim
from dra_conform.kube.pod_resources_api import (
    CDIDevice,
    ClaimResource,
    ContainerResources,
    DynamicResource,
    PodResources,
)
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStates, PreparedDevice
from dra_conform.reference_kubelet.health import HealthReports
from dra_conform.reference_kubelet.metrics import ANY_DRIVER, CLAIMS_IN_USE, OPERATIONS, Metrics, sample
from dra_conform.reference_kubelet.plugins import NotRegistered, Plugins

Json = Any


class KubeletError(Exception):
    """A pod cannot be prepared, unprepared or started, or a command is malformed."""


class Manager:
    """Prepares and unprepares the ResourceClaims of a node's pods.

    The lock guards the claims; it is not held during calls to drivers and to the API server.
    """

    def __init__(
        self,
        api: APIClient,
        plugins: Plugins,
        states: ClaimStates,
        health: HealthReports | None,
        metrics: Metrics,
        *,
        extended_resources: bool,
    ) -> None:
        self._api = api
        self._plugins = plugins
        self._states = states
        self._health = health
        self._metrics = metrics
        self._extended_resources = extended_resources
        self._active: frozenset[str] = frozenset()
        self._pods: dict[str, Json] = {}
        self._lock = threading.RLock()

    def set_active_pods(self, uids: Sequence[str]) -> None:
        """Set the pods of the kubelet; `reconcile` unprepares the claims of all other pods."""
        self._active = frozenset(uids)

    def prepare(self, pod: Json) -> None:
        """Prepare all claims of a pod that are not prepared; raises KubeletError."""
        with self._lock:
            self._pods[pod["metadata"]["uid"]] = pod
        self._counted("PrepareResources", lambda: self._prepare(pod))

    def unprepare(self, pod: Json) -> None:
        """Unprepare the claims that no other pod uses; raises KubeletError."""
        self._counted("UnprepareResources", lambda: self._unprepare(pod["metadata"]["uid"]))

    def reconcile(self) -> None:
        """Unprepare the claims of pods that the kubelet no longer has; the next call retries errors."""
        with self._lock:
            gone = {uid for claim in self._states.all() for uid in claim.pods} - self._active
        for uid in gone:
            try:
                self._unprepare(uid)
            except KubeletError:
                continue

    def must_unprepare(self, pod: Json) -> bool:
        """Return whether a pod uses a claim that is not unprepared."""
        with self._lock:
            return bool(self._states.of_pod(pod["metadata"]["uid"]))

    # Preparing

    def _counted(self, operation: str, call: Any) -> None:
        error = True
        try:
            call()
            error = False
        finally:
            self._metrics.count(OPERATIONS, operation_name=operation, is_error=str(error).lower())

    def _prepare(self, pod: Json) -> None:
        claims = [self._fetched(pod, name, of_pod) for name, of_pod in self._claim_names(pod)]
        for claim in claims:
            for driver in _drivers(claim):
                self._required(driver)
        with self._lock:
            states = self._used_by(pod["metadata"]["uid"], claims)
            batches: dict[str, list[ClaimState]] = {}
            for state in states:
                for driver in () if state.prepared else state.drivers:
                    batches.setdefault(driver, []).append(state)
        for driver, batch in batches.items():
            self._prepare_by(driver, batch)
        with self._lock:
            for state in states:
                state.prepared = True
            self._states.save()

    def _claim_names(self, pod: Json) -> Iterator[tuple[str, bool]]:
        """Yield the claims of a pod, and whether the pod must own them; raises KubeletError."""
        status = pod.get("status") or {}
        generated = {
            entry["name"]: entry.get("resourceClaimName")
            for entry in status.get("resourceClaimStatuses") or ()
        }
        for entry in pod["spec"].get("resourceClaims") or ():
            name = entry["name"]
            if entry.get("resourceClaimName"):
                yield entry["resourceClaimName"], False
            elif name not in generated:
                raise KubeletError(f"the ResourceClaim for {name} is not generated yet")
            elif generated[name]:
                yield generated[name], True
        extended = self._extended(pod)
        if extended:
            yield extended["resourceClaimName"], False

    def _extended(self, pod: Json) -> Json:
        status = pod.get("status") or {}
        return status.get("extendedResourceClaimStatus") if self._extended_resources else None

    def _fetched(self, pod: Json, name: str, of_pod: bool) -> Json:
        """Return a claim that the pod may use; raises KubeletError."""
        metadata = pod["metadata"]
        try:
            claim = self._api.claim(metadata["namespace"], name)
        except APIError as error:
            raise KubeletError(f"fetch ResourceClaim {name}: {error}") from None
        owners = claim["metadata"].get("ownerReferences") or ()
        if of_pod and not any(owner["uid"] == metadata["uid"] for owner in owners):
            raise KubeletError(f"ResourceClaim {name} was not generated for pod {metadata['name']}")
        status = claim.get("status") or {}
        if not status.get("allocation"):
            raise KubeletError(f"ResourceClaim {name} is not allocated")
        if not any(user["uid"] == metadata["uid"] for user in status.get("reservedFor") or ()):
            raise KubeletError(f"ResourceClaim {name} is not reserved for pod {metadata['name']}")
        return claim

    def _required(self, driver: str) -> None:
        try:
            self._plugins.require(driver)
        except NotRegistered as error:
            raise KubeletError(str(error)) from None

    def _used_by(self, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        """Return the states of a pod's claims, with the pod added as a user; raises KubeletError."""
        states = []
        for claim in claims:
            metadata = claim["metadata"]
            name = metadata["name"]
            state = self._states.get(metadata["namespace"], name)
            if state is None:
                drivers: dict[str, tuple[PreparedDevice, ...]] = dict.fromkeys(_drivers(claim), ())
                state = ClaimState(metadata["namespace"], name, metadata["uid"], drivers)
            elif state.uid != metadata["uid"]:
                raise KubeletError(
                    f"an older ResourceClaim {name} with UID {state.uid} is not unprepared yet"
                )
            elif state.unpreparing:
                raise KubeletError(f"ResourceClaim {name} is being unprepared")
            states.append(state)
        for state in states:
            state.pods.add(pod)
            self._states.add(state)
        self._states.save()
        return states

    def _prepare_by(self, driver: str, batch: Sequence[ClaimState]) -> None:
        try:
            answer = self._plugins.prepare(driver, _references(batch)).claims
        except (CallFailed, NotRegistered) as failed:
            raise KubeletError(f"NodePrepareResources of {driver}: {failed}") from None
        _require_all(driver, batch, answer)
        with self._lock:
            for state in batch:
                state.drivers[driver] = tuple(map(_prepared_device, answer[state.uid].devices))

    # Unpreparing

    def _unprepare(self, pod: str) -> None:
        with self._lock:
            last = []
            for state in self._states.of_pod(pod):
                if len(state.pods) > 1:
                    state.pods.discard(pod)
                else:
                    state.unpreparing = True
                    last.append(state)
            batches: dict[str, list[ClaimState]] = {}
            for state in last:
                for driver in state.drivers:
                    batches.setdefault(driver, []).append(state)
        for driver, batch in batches.items():
            try:
                answer = self._plugins.unprepare(driver, _references(batch)).claims
            except (CallFailed, NotRegistered) as failed:
                raise KubeletError(f"NodeUnprepareResources of {driver}: {failed}") from None
            _require_all(driver, batch, answer)
        with self._lock:
            for state in last:
                self._states.remove(state)
            self._states.save()

    # Observations

    def devices(self, pod: Json) -> Json:
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

    def pod_resources(self) -> tuple[PodResources, ...]:
        """Return the active pods that were prepared, with the claims of their containers."""
        with self._lock:
            pods = [pod for uid, pod in self._pods.items() if uid in self._active]
        return tuple(
            PodResources(
                pod["metadata"]["name"],
                pod["metadata"]["namespace"],
                tuple(
                    ContainerResources(container["name"], dynamic_resources=self.claims(pod, container))
                    for container in _running_containers(pod)
                ),
            )
            for pod in pods
        )

    def claims(self, pod: Json, container: Json) -> tuple[DynamicResource, ...]:
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
        names = {
            entry["name"]: entry.get("resourceClaimName")
            for entry in (
                *(pod["spec"].get("resourceClaims") or ()),
                *((pod.get("status") or {}).get("resourceClaimStatuses") or ()),
            )
        }
        return {
            container["name"]: [
                status
                for used in (container.get("resources") or {}).get("claims") or ()
                if (status := self._health_of(pod, used, names.get(used["name"]) or ""))["resources"]
            ]
            for container in pod["spec"]["containers"]
        }

    def metrics(self) -> list[Json]:
        """Return all metrics."""
        with self._lock:
            prepared = [claim for claim in self._states.all() if claim.prepared]
        drivers = [driver for claim in prepared for driver in claim.drivers]
        in_use = {ANY_DRIVER: len(prepared), **{driver: drivers.count(driver) for driver in drivers}}
        gauges = [sample(CLAIMS_IN_USE, {"driver_name": driver}, count) for driver, count in in_use.items()]
        return [*self._metrics.samples(), *gauges]

    def _used_in(self, pod: Json, container: Json) -> list[tuple[ClaimState, set[str]]]:
        """Return the claims of a container with the requests that it uses; "" means all requests.

        Raises KubeletError for a claim that is not prepared.
        """
        used: dict[str, set[str]] = {}
        entries = {
            entry["name"]: entry.get("resourceClaimName")
            for entry in (
                *(pod["spec"].get("resourceClaims") or ()),
                *((pod.get("status") or {}).get("resourceClaimStatuses") or ()),
            )
        }
        resources = container.get("resources") or {}
        for claim in resources.get("claims") or ():
            if entries.get(claim["name"]):
                used.setdefault(entries[claim["name"]], set()).add(claim.get("request") or "")
        extended = self._extended(pod) or {}
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

    def _health_entry(self, driver: str, device: PreparedDevice) -> Json:
        health, message = (
            self._health.of(driver, device.pool, device.device) if self._health else ("Unknown", "")
        )
        entry = {"resourceID": _resource_id(driver, device), "health": health}
        return {**entry, **({"message": message} if message else {})}


def _drivers(claim: Json) -> list[str]:
    """Return the drivers of an allocation in order."""
    results = claim["status"]["allocation"].get("devices", {}).get("results") or ()
    return list(dict.fromkeys(result["driver"] for result in results))


def _containers(pod: Json) -> Iterator[Json]:
    yield from pod["spec"].get("initContainers") or ()
    yield from pod["spec"]["containers"]


def _running_containers(pod: Json) -> Iterator[Json]:
    """Yield the containers that run while the pod does: sidecars and regular containers."""
    for container in pod["spec"].get("initContainers") or ():
        if container.get("restartPolicy") == "Always":
            yield container
    yield from pod["spec"]["containers"]


def _references(batch: Sequence[ClaimState]) -> tuple[Claim, ...]:
    return tuple(Claim(state.namespace, state.uid, state.name) for state in batch)


def _require_all(
    driver: str, batch: Sequence[ClaimState], answer: Mapping[str, PreparedClaim | UnpreparedClaim]
) -> None:
    """Raise KubeletError unless an answer has exactly one entry without error for each claim."""
    names = {state.uid: state.name for state in batch}
    for uid in answer:
        if uid not in names:
            raise KubeletError(f"{driver} answers for the unknown ResourceClaim UID {uid}")
    for uid, name in names.items():
        if uid not in answer:
            raise KubeletError(f"{driver} does not answer for ResourceClaim {name}")
        if answer[uid].error:
            raise KubeletError(f"{driver} answers for ResourceClaim {name}: {answer[uid].error}")


def _prepared_device(device: Device) -> PreparedDevice:
    return PreparedDevice(device.pool_name, device.device_name, device.request_names, device.cdi_device_ids)


def _is_requested(device: PreparedDevice, requests: set[str]) -> bool:
    return "" in requests or not device.requests or bool(requests & set(device.requests))


def _resource_id(driver: str, device: PreparedDevice) -> str:
    return device.cdi[0] if device.cdi else f"{driver}/{device.pool}/{device.device}"
