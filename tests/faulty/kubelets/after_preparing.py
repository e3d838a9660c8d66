"""Faults of a kubelet after pods are prepared: devices, unpreparing, health and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Claim, HealthReport, UnprepareResponse
from dra_conform.kube.pod_resources_api import DynamicResource
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_kubelet import health, manager, metrics, pod_devices
from dra_conform.reference_kubelet.claim_states import ClaimState
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault

# Devices


@fault("devices/extended")
def first_mapping_of_a_container_only() -> None:
    """Of the request mappings of a container, the first counts."""

    @around(PodDevices, "extended")
    def changed(original: Any, self: Any, pod: Json) -> Json:
        extended = original(self, pod)
        first: dict[str, Json] = {}
        for mapping in (extended or {}).get("requestMappings") or ():
            first.setdefault(mapping["containerName"], mapping)
        return {**extended, "requestMappings": list(first.values())} if extended else extended


@fault("devices/none", "devices/by-request")
def devices_are_collected_for_the_pod() -> None:
    """A container also gets the devices of the containers before it."""

    @around(PodDevices, "cdi_names")
    def changed(original: Any, self: Any, pod: Json) -> Json:
        result, names = original(self, pod), []
        for container in pod_devices._containers(pod):
            entry = result[container["name"]]
            names += [name for name in entry["cdi"] if name not in names]
            entry["cdi"] = list(names)
        return result


@fault("pod-resources/claims")
def devices_have_the_first_driver_of_their_claim() -> None:
    """The PodResources API shows all devices of a claim with the same driver."""

    @around(PodDevices, "_claims")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> tuple[DynamicResource, ...]:
        return tuple(map(_of_one_driver, original(self, pod, container)))


def _of_one_driver(claim: DynamicResource) -> DynamicResource:
    first = claim.claim_resources[0].driver_name if claim.claim_resources else ""
    devices = tuple(msgspec.structs.replace(device, driver_name=first) for device in claim.claim_resources)
    return msgspec.structs.replace(claim, claim_resources=devices)


@fault("prepare/errors-name-the-cause")
def errors_name_the_uid_of_the_claim() -> None:
    """The error for a claim has its UID, not its name."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        for state in batch:
            if state.uid in answer and answer[state.uid].error:
                raise KubeletError(f"{driver} answers for the UID {state.uid}: {answer[state.uid].error}")
        original(driver, batch, answer)


# Unpreparing


@fault("unprepare/last-pod", "restart/no-api-server")
def claims_are_read_to_unprepare_them() -> None:
    """A claim is not unprepared if the API server is away or the claim is deleted."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        for state in self._states.of_pod(pod):
            try:
                self._api.claim(state.namespace, state.name)
            except APIError as error:
                raise KubeletError(f"fetch ResourceClaim {state.name}: {error}") from None
        original(self, pod)


@fault("unprepare/until-success")
def claims_are_forgotten_after_their_first_driver() -> None:
    """A claim is forgotten when its first driver has unprepared it, also if the second fails."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        states = [state for state in self._states.of_pod(pod) if len(state.pods) == 1]
        unprepared: set[str] = set()
        unprepare = self._plugins.unprepare

        def remembered(driver: str, claims: tuple[Claim, ...]) -> UnprepareResponse:
            answer: UnprepareResponse = unprepare(driver, claims)
            if not any(entry.error for entry in answer.claims.values()):
                unprepared.add(driver)
            return answer

        self._plugins.unprepare = remembered
        try:
            original(self, pod)
        except KubeletError:
            for state in states:
                if unprepared & state.drivers.keys():
                    self._states.remove(state)
            self._states.save()
            raise
        finally:
            self._plugins.unprepare = unprepare


@fault("unprepare/gone-pods")
def gone_pods_are_unprepared_once() -> None:
    """If a driver fails to unprepare the claims of a pod that is gone, they are forgotten."""

    @around(manager.Manager, "reconcile")
    def changed(_: Any, self: Any) -> None:
        with self._lock:
            gone = {uid for claim in self._states.all() for uid in claim.pods} - self._active
        for uid in gone:
            states = self._states.of_pod(uid)
            try:
                self._unprepare(uid)
            except KubeletError:
                for state in states:
                    state.pods.discard(uid)
                    if not state.pods:
                        self._states.remove(state)


# Health and metrics


@fault("health/stale")
def timeouts_of_drivers_are_ignored() -> None:
    """Each health report is valid for 30 seconds."""

    @around(health.HealthReports, "add")
    def changed(original: Any, self: Any, driver: str, report: HealthReport) -> None:
        devices = tuple(
            msgspec.structs.replace(device, health_check_timeout_seconds=0) for device in report.devices
        )
        original(self, driver, msgspec.structs.replace(report, devices=devices))


@fault("metrics/grpc-operations")
def failed_calls_have_one_status_code() -> None:
    """All calls that fail are counted as Unknown."""

    @around(metrics.Metrics, "count")
    def changed(original: Any, self: Any, name: str, **labels: str) -> None:
        if labels.get("grpc_status_code", "OK") != "OK":
            labels["grpc_status_code"] = "Unknown"
        original(self, name, **labels)


@fault("metrics/in-use")
def prepared_devices_are_in_use() -> None:
    """A claim counts for a driver as often as it has devices of the driver."""

    @around(manager.Manager, "metrics")
    def changed(original: Any, self: Any) -> Any:
        prepared = [state for state in self._states.all() if state.prepared]
        samples = original(self)
        for sample in samples:
            driver = sample["labels"].get("driver_name")
            if sample["name"] == metrics.CLAIMS_IN_USE and driver != metrics.ANY_DRIVER:
                sample["value"] = sum(len(state.drivers.get(driver, ())) for state in prepared)
        return samples
