"""Faults of a kubelet that were written from the documents alone, without a look at the cases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Claim, HealthReport, UnpreparedClaim, UnprepareResponse
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_kubelet import health, manager, metrics, plugins
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStates
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault


@fault("registration/refuses")
def rejections_are_not_notified() -> None:
    """A driver that is not registered is not told so."""

    @around(plugins, "notify")
    def changed(original: Any, socket: Path, *, registered: bool, error: str = "") -> None:
        if registered:
            original(socket, registered=True)


@fault("registration/deregisters", "registration/falls-back")
def one_removed_socket_deregisters_all_instances() -> None:
    """The removal of one registration socket of a driver deregisters all its instances."""

    @around(plugins.Plugins, "_deregister")
    def changed(original: Any, self: Any, path: Path) -> None:
        instance = self._sockets[path].instance
        original(self, path)
        for other in list(self._instances):
            if instance is not None and other.driver == instance.driver:
                self._remove(other)


@fault("wiping/after-30s")
def slices_of_all_drivers_are_deleted() -> None:
    """If one driver is away, the ResourceSlices of all drivers of the node are deleted."""

    @around(APIClient, "delete_slices")
    def changed(original: Any, self: Any, selector: str) -> None:
        original(self, selector.partition(",")[0])


@fault("prepare/retried")
def prepared_after_the_first_driver() -> None:
    """A claim of two drivers counts as prepared after the first, also if the second fails."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        original(self, driver, batch)
        for state in batch:
            state.prepared = True


@fault("prepare/one-call-per-driver")
def second_driver_of_a_claim_is_not_called() -> None:
    """Of the drivers of a claim only the first is called."""
    around(manager, "_drivers")(lambda original, claim: original(claim)[:1])


@fault("prepare/validates-first")
def reservations_are_compared_by_name() -> None:
    """A claim that is reserved for an older pod of the same name is prepared."""

    @around(manager.Manager, "_fetched")
    def changed(original: Any, self: Any, pod: Json, name: str, of_pod: bool) -> Json:
        claim = self._api.claim(pod["metadata"]["namespace"], name)
        users = (claim.get("status") or {}).get("reservedFor") or ()
        for user in users:
            if user["name"] == pod["metadata"]["name"]:
                renamed = {**pod, "metadata": {**pod["metadata"], "uid": user["uid"]}}
                return original(self, renamed, name, False)
        return original(self, pod, name, of_pod)


@fault("prepare/validates-first")
def pods_that_fail_stay_users() -> None:
    """A pod whose second claim is missing stays a user of its first claim."""

    @around(manager.Manager, "_prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        uid = pod["metadata"]["uid"]
        for name, _ in self._claim_names(pod):
            state = self._states.get(pod["metadata"]["namespace"], name)
            if state is not None:
                state.pods.add(uid)
        original(self, pod)


@fault("prepare/once")
def prepared_claims_are_sent_along() -> None:
    """If one claim of a pod must be prepared, the call has all its claims."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        states: list[ClaimState] = original(self, pod, claims)
        if not all(state.prepared for state in states):
            for state in states:
                state.prepared = False
        return states


@fault("devices/by-request")
def devices_of_the_first_driver_only() -> None:
    """A container gets the devices of the first driver of a claim."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        return [
            (msgspec.structs.replace(state, drivers=dict(list(state.drivers.items())[:1])), requests)
            for state, requests in original(self, pod, container)
        ]


@fault("devices/by-request")
def last_request_of_a_container_only() -> None:
    """A container that names two requests of a claim gets the devices of the last."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        last = {used["name"]: used for used in (container.get("resources") or {}).get("claims") or ()}
        resources = {**(container.get("resources") or {}), "claims": list(last.values())}
        return original(self, pod, {**container, "resources": resources})


@fault("devices/by-request")
def init_containers_get_no_devices() -> None:
    """An init container gets no devices."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        if container in (pod["spec"].get("initContainers") or ()):
            return []
        return original(self, pod, container)


@fault("devices/extended")
def containers_get_all_mapped_requests() -> None:
    """A container of an extended-resource claim gets the devices of all containers."""

    @around(PodDevices, "extended")
    def changed(original: Any, self: Any, pod: Json) -> Json:
        extended = original(self, pod)
        if not extended:
            return extended
        mappings = extended.get("requestMappings") or ()
        return {
            **extended,
            "requestMappings": [
                {**mapping, "containerName": container["containerName"]}
                for mapping in mappings
                for container in mappings
            ],
        }


@fault("restart/checkpoint", "unprepare/last-pod")
def checkpoint_has_one_pod_of_a_claim() -> None:
    """The checkpoint has the first pod of a shared claim only."""

    @around(ClaimStates, "all")
    def changed(original: Any, self: Any) -> list[ClaimState]:
        return list(original(self))

    @around(ClaimStates, "save")
    def saved(original: Any, self: Any) -> None:
        kept = dict(self._claims)
        firsts = self.__dict__.setdefault("_firsts", {})
        for key, state in kept.items():
            first = firsts.setdefault(state.uid, next(iter(state.pods), ""))
            self._claims[key] = msgspec.structs.replace(state, pods={first} if first else set())
        original(self)
        self._claims = kept


@fault("health/status")
def a_report_replaces_all_health_of_a_driver() -> None:
    """Devices that a report leaves out are Unknown at once."""

    @around(health.HealthReports, "add")
    def changed(original: Any, self: Any, driver: str, report: HealthReport) -> None:
        self.forget(driver)
        original(self, driver, report)


@fault("metrics/operations")
def failed_operations_are_not_counted() -> None:
    """Only operations that succeed are counted."""

    @around(metrics.Metrics, "count")
    def changed(original: Any, self: Any, name: str, **labels: str) -> None:
        if labels.get("is_error") != "true":
            original(self, name, **labels)


# Faults of a later round, which no case showed then


@fault("prepare/validates-first")
def reservations_are_compared_by_the_name_of_the_pod() -> None:
    """A claim is prepared for a new pod with the name of the pod for which the claim is reserved."""

    @around(manager.Manager, "_fetched")
    def changed(original: Any, self: Any, pod: Json, name: str, of_pod: bool) -> Json:
        metadata = pod["metadata"]
        try:
            claim = self._api.claim(metadata["namespace"], name)
        except APIError:
            return original(self, pod, name, of_pod)
        status = claim.get("status") or {}
        names = [user.get("name") for user in status.get("reservedFor") or ()]
        if status.get("allocation") and metadata["name"] in names:
            return claim
        return original(self, pod, name, of_pod)


@fault("unprepare/until-success")
def claims_of_an_absent_driver_count_as_unprepared() -> None:
    """A pod is let go if the driver of its claim is not registered."""

    @around(plugins.Plugins, "unprepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> UnprepareResponse:
        try:
            response: UnprepareResponse = original(self, driver, claims)
        except plugins.NotRegistered:
            return UnprepareResponse({claim.uid: UnpreparedClaim() for claim in claims})
        return response


@fault("devices/extended", "devices/by-request")
def extended_resources_replace_the_claims_of_a_container() -> None:
    """A container with a request mapping gets no device of its other claims."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: PodDevices, pod: Json, container: Json) -> Any:
        mappings = (self.extended(pod) or {}).get("requestMappings") or ()
        if any(mapping["containerName"] == container["name"] for mapping in mappings):
            container = {**container, "resources": {}}
        return original(self, pod, container)


@fault("wiping/at-start")
def slices_are_wiped_at_the_start_or_never() -> None:
    """The deletion is not tried again when the API server is available."""

    @around(plugins.Plugins, "_delete_all_slices")
    def changed(_: Any, self: Any) -> None:
        try:
            self._api.delete_slices(f"spec.nodeName={self._node}")
        except APIError:
            return


@fault("health/status")
def health_is_known_by_pool_and_device_only() -> None:
    """The reports of two drivers about devices of the same pool and name are mixed up."""

    @around(health.HealthReports, "add")
    def added(original: Any, self: Any, _: str, report: HealthReport) -> None:
        original(self, "", report)

    @around(health.HealthReports, "of")
    def changed(original: Any, self: Any, _: str, pool: str, device: str) -> Any:
        return original(self, "", pool, device)


@fault("prepare/once", "unprepare/last-pod", "restart/checkpoint")
def claims_are_kept_by_name() -> None:
    """ResourceClaims of one name in two namespaces are taken for the same."""

    @around(ClaimStates, "get")
    def found(_: Any, self: Any, namespace: str, name: str) -> Any:
        return next((state for state in self.all() if state.name == name), None)
