"""Preparation of the ResourceClaims of pods by the reference kubelet."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Claim, PluginDevice, PreparedClaim, UnpreparedClaim
from dra_conform.kube.pod_resources_api import PodResources
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStateDevice, ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.health import HealthReports
from dra_conform.reference_kubelet.metrics import ANY_DRIVER, CLAIMS_IN_USE, OPERATIONS, Metrics, sample
from dra_conform.reference_kubelet.plugins import NotRegistered, Plugins
from dra_conform.reference_kubelet.pod_devices import PodDevices

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"
"""The operations that skipNodeOperations can list."""


class Manager:
    """Prepares and unprepares the ResourceClaims of a node's pods. `devices` says what pods get.

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
        optional_operations: bool,
    ) -> None:
        self._api = api
        self._plugins = plugins
        self._states = states
        self._metrics = metrics
        self._optional_operations = optional_operations
        self._active: frozenset[str] = frozenset()
        self._pods: dict[str, Json] = {}
        self._lock = threading.RLock()
        self.devices = PodDevices(states, self._lock, health, extended_resources=extended_resources)

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
            skipped = self._skipped(claim).get(PREPARE, ())
            for driver in _drivers(claim):
                if driver not in skipped:
                    self._required(driver)
        with self._lock:
            states = self._used_by(pod["metadata"]["uid"], claims)
            batches: dict[str, list[ClaimState]] = {}
            for state in states:
                for driver in () if state.prepared else state.called(PREPARE):
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
        extended = self.devices.extended(pod)
        if extended:
            yield extended["resourceClaimName"], False

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

    def _skipped(self, claim: Json) -> dict[str, tuple[str, ...]]:
        """Return the drivers that are not called, by operation."""
        if not self._optional_operations:
            return {}
        return {operation: tuple(_skipping(claim, operation)) for operation in (PREPARE, UNPREPARE)}

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
                drivers: dict[str, tuple[ClaimStateDevice, ...]] = dict.fromkeys(_drivers(claim), ())
                skipped = self._skipped(claim)
                state = ClaimState(metadata["namespace"], name, metadata["uid"], drivers, skipped=skipped)
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
                for driver in state.called(UNPREPARE):
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

    def pod_resources(self) -> tuple[PodResources, ...]:
        """Return the active pods that were prepared, with the claims of their containers."""
        with self._lock:
            pods = [pod for uid, pod in self._pods.items() if uid in self._active]
        return self.devices.resources(pods)

    def metrics(self) -> list[Json]:
        """Return all metrics."""
        with self._lock:
            prepared = [claim for claim in self._states.all() if claim.prepared]
        drivers = [driver for claim in prepared for driver in claim.drivers]
        in_use = {ANY_DRIVER: len(prepared), **{driver: drivers.count(driver) for driver in drivers}}
        gauges = [sample(CLAIMS_IN_USE, {"driver_name": driver}, count) for driver, count in in_use.items()]
        return [*self._metrics.samples(), *gauges]


def _drivers(claim: Json) -> list[str]:
    """Return the drivers of an allocation in order."""
    return list(dict.fromkeys(result["driver"] for result in _results(claim)))


def _results(claim: Json) -> Sequence[Json]:
    return claim["status"]["allocation"].get("devices", {}).get("results") or ()


def _skipping(claim: Json, operation: str) -> Iterator[str]:
    """Yield the drivers of an allocation whose results all skip an operation."""
    for driver in _drivers(claim):
        listed = [
            result.get("skipNodeOperations") or () for result in _results(claim) if result["driver"] == driver
        ]
        if all(operation in operations or "*" in operations for operations in listed):
            yield driver


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


def _prepared_device(device: PluginDevice) -> ClaimStateDevice:
    return ClaimStateDevice(device.pool_name, device.device_name, device.request_names, device.cdi_device_ids)
