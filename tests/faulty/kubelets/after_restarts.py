"""Faults of a kubelet that only show after a restart, with a third pod, or with a second driver or claim."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_kubelet import manager, metrics, plugins
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault

# Restarts


@fault("restart/checkpoint")
def checkpoint_without_request_names() -> None:
    """After a restart the devices of a claim belong to all its requests."""

    @around(ClaimStates, "__init__")
    def changed(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        for state in self.all():
            state.drivers = {
                driver: tuple(msgspec.structs.replace(device, requests=()) for device in devices)
                for driver, devices in state.drivers.items()
            }


@fault("restart/checkpoint")
def checkpoint_with_one_driver() -> None:
    """After a restart only the last driver of a claim is known."""

    @around(ClaimStates, "__init__")
    def changed(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        for state in self.all():
            state.drivers = dict([*state.drivers.items()][-1:])


def _skip_saving_if(count: Callable[[list[ClaimState]], int]) -> None:
    """Write no checkpoint when this count of the claims is smaller than at the last time."""
    last = 0

    @around(ClaimStates, "save")
    def changed(original: Any, self: Any) -> None:
        nonlocal last
        now = count(self.all())
        if now >= last:
            original(self)
        last = now


@fault("unprepare/idempotent")
def unprepared_claims_stay_in_the_checkpoint() -> None:
    """A claim that is unprepared is known again after a restart."""
    _skip_saving_if(len)


@fault("restart/checkpoint", "unprepare/last-pod")
def ended_users_stay_in_the_checkpoint() -> None:
    """After a restart a claim waits for a pod that has ended."""
    _skip_saving_if(lambda claims: sum(len(claim.pods) for claim in claims))


@fault("prepare/replaced-claim")
def replaced_claims_are_not_noticed_after_a_restart() -> None:
    """After a restart a new claim of an old name is taken for the old one."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> Any:
        for claim in claims:
            state = self._states.get(claim["metadata"]["namespace"], claim["metadata"]["name"])
            if state is not None and not state.prepared:
                state.uid = claim["metadata"]["uid"]
        return original(self, pod, claims)


@fault("restart/prepares-again")
def known_devices_hide_errors() -> None:
    """A failed call to a driver whose devices are known is taken for a success."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        try:
            original(self, driver, batch)
        except KubeletError:
            if not all(state.drivers[driver] for state in batch):
                raise


# Several pods, claims, drivers and instances


@fault("unprepare/last-pod")
def the_last_of_three_users_does_not_count() -> None:
    """A claim of three pods is unprepared when two of them have ended."""
    popular: set[str] = set()

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        for state in self._states.of_pod(pod):
            if len(state.pods) == 2 and state.uid in popular:
                state.pods = {pod}
            elif len(state.pods) > 2:
                popular.add(state.uid)
        original(self, pod)


@fault("devices/by-request")
def requests_are_those_of_all_claims() -> None:
    """A request that a container names of one claim counts for its other claims, too."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        used = original(self, pod, container)
        named = {request for _, requests in used for request in requests}
        return [(state, named) for state, _ in used]


@fault("unprepare/gone-pods")
def an_error_delays_all_gone_pods() -> None:
    """After an error for a pod that is gone the kubelet leaves the others for later."""

    @around(manager.Manager, "reconcile")
    def changed(_: Any, self: Any) -> None:
        with self._lock:
            users = {uid: state for state in self._states.all() for uid in state.pods}
        for uid in sorted(users.keys() - self._active, key=lambda uid: users[uid].name):
            try:
                self._unprepare(uid)
            except KubeletError:
                return


@fault("wiping/after-30s")
def each_instance_has_a_timer() -> None:
    """ResourceSlices are deleted after one of two instances is away."""

    @around(plugins.Plugins, "_set_connected")
    def changed(original: Any, self: Any, instance: plugins.Instance, *, connected: bool) -> None:
        original(self, instance, connected=connected)
        if not connected:
            with self._lock:
                self._away_since.setdefault(instance.driver, time.monotonic())


@fault("wiping/after-30s")
def slices_of_other_nodes_are_deleted() -> None:
    """The ResourceSlices of a driver that is away are deleted on all nodes."""

    @around(APIClient, "delete_slices")
    def changed(original: Any, self: Any, selector: str) -> None:
        original(self, selector.partition(",")[2] or selector)


@fault("registration/first-known")
def only_the_first_service_counts() -> None:
    """A driver is rejected if the first service of its list is not one of DRAPlugin."""

    @around(plugins, "service_of")
    def changed(original: Any, info: Any) -> Any:
        return original(msgspec.structs.replace(info, supported_versions=info.supported_versions[:1]))


@fault("pod-resources/claims")
def all_claims_of_a_pod_in_each_container() -> None:
    """The PodResources API lists all claims of a pod for each of its containers."""

    @around(PodDevices, "_claims")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        entries = pod["spec"].get("resourceClaims") or ()
        claims = [{"name": entry["name"]} for entry in entries]
        return original(self, pod, {**container, "resources": {"claims": claims}})


@fault("metrics/operations")
def failed_unprepare_counts_as_success() -> None:
    """Errors of UnprepareResources are counted as successes."""

    @around(metrics.Metrics, "count")
    def changed(original: Any, self: Any, name: str, **labels: str) -> None:
        if labels.get("operation_name") == "UnprepareResources":
            labels["is_error"] = "false"
        original(self, name, **labels)
