"""Faults of a kubelet that show with several drivers, instances, answers or folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Claim, PreparedClaim, PrepareResponse, UnpreparedClaim
from dra_conform.reference_kubelet import manager, plugins
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault

# Folders, endpoints and instances


@fault("registration/discovers")
def sockets_in_nested_folders_are_not_found() -> None:
    """Only the registry folder and the folders in it have sockets."""

    @around(plugins, "registration_sockets")
    def changed(original: Any, folder: Path) -> list[Path]:
        return [path for path in original(folder) if len(path.relative_to(folder).parts) <= 2]


@fault("registration/discovers")
def folders_are_those_of_the_start() -> None:
    """Sockets in a folder that is made while the kubelet runs are not found."""
    known: set[Path] = set()

    @around(plugins.Plugins, "start")
    def starts(original: Any, self: Any) -> None:
        known.update((self._registry, *self._registry.rglob("*/")))
        original(self)

    @around(plugins.Plugins, "_present")
    def changed(original: Any, self: Any) -> dict[Path, int]:
        return {path: inode for path, inode in original(self).items() if path.parent in known}


@fault("registration/discovers", "registration/falls-back")
def empty_endpoints_are_those_of_the_first_instance() -> None:
    """An instance with an empty endpoint is called through the socket of the driver's first instance."""
    sockets: dict[str, str] = {}

    @around(plugins, "get_info")
    def changed(original: Any, socket: Path) -> Any:
        info = original(socket)
        endpoint = info.endpoint or sockets.setdefault(info.name, str(socket))
        return msgspec.structs.replace(info, endpoint=endpoint)


@fault("registration/same-endpoint")
def endpoints_are_compared_with_the_newest_instance() -> None:
    """A third instance is registered with the endpoint of the first."""

    @around(plugins.Plugins, "_register")
    def changed(original: Any, self: Any, path: Path) -> Any:
        known, self._instances = self._instances, self._instances[-1:]
        registered = original(self, path)
        self._instances = [*known, *([registered] if registered else [])]
        return registered


@fault("registration/deregisters")
def connected_drivers_stay_registered() -> None:
    """A driver that removes its registration socket is called while it answers."""
    left: dict[str, plugins.Instance] = {}

    @around(plugins.Plugins, "_remove")
    def removed(_: Any, self: Any, instance: plugins.Instance) -> None:
        left[instance.driver] = instance
        self._instances.remove(instance)

    @around(plugins.Plugins, "require")
    def changed(original: Any, self: Any, driver: str) -> plugins.Instance:
        registered = any(instance.driver == driver for instance in self._instances)
        instance: plugins.Instance = left[driver] if driver in left and not registered else None
        return instance if instance and instance.connected else original(self, driver)


@fault("registration/falls-back")
def unprepare_calls_the_newest_instance() -> None:
    """NodeUnprepareResources goes to the newest instance, whether it is connected or not."""

    @around(plugins.Plugins, "unprepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> Any:
        kept = self._instances
        newest = [instance for instance in kept if instance.driver == driver][-1:]
        self._instances = [*(instance for instance in kept if instance.driver != driver), *newest]
        try:
            return original(self, driver, claims)
        finally:
            self._instances = kept


@fault("registration/falls-back")
def oldest_instance_replaces_the_newest() -> None:
    """If the newest instance is not connected, the oldest one is called."""

    @around(plugins.Plugins, "require")
    def changed(original: Any, self: Any, driver: str) -> Any:
        original(self, driver)
        instances = [instance for instance in self._instances if instance.driver == driver]
        return next(
            (instance for instance in (instances[-1], *instances) if instance.connected), instances[-1]
        )


@fault("registration/falls-back")
def a_disconnected_instance_is_the_oldest() -> None:
    """An instance that connects again is not called while another one is connected."""

    @around(plugins.Plugins, "_set_connected")
    def changed(original: Any, self: Any, instance: plugins.Instance, *, connected: bool) -> None:
        if instance.connected and not connected and instance in self._instances:
            self._instances.remove(instance)
            self._instances.insert(0, instance)
        original(self, instance, connected=connected)


# Answers


@fault("prepare/error-of-claim")
def errors_with_devices_are_ignored() -> None:
    """The error of a claim does not count if the answer has devices of the claim."""

    @around(plugins.Plugins, "prepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> PrepareResponse:
        entries = original(self, driver, claims).claims
        return PrepareResponse(
            {
                uid: msgspec.structs.replace(entry, error="" if entry.devices else entry.error)
                for uid, entry in entries.items()
            }
        )


@fault("prepare/error-of-claim")
def errors_of_the_second_driver_are_ignored() -> None:
    """The error of a claim does not count if another driver has prepared the claim."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        first = {state.uid: next(iter(state.drivers)) for state in batch}
        later = {
            uid: PreparedClaim(entry.devices)
            for uid, entry in answer.items()
            if isinstance(entry, PreparedClaim) and first.get(uid, driver) != driver
        }
        original(driver, batch, {**answer, **later})


@fault("prepare/unknown-entry")
def entries_for_claims_of_the_pod_are_ignored() -> None:
    """An answer to prepare may have entries for claims of the pod that were not asked."""
    known: set[str] = set()

    @around(manager.Manager, "_used_by")
    def used(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> Any:
        known.update(claim["metadata"]["uid"] for claim in claims)
        return original(self, pod, claims)

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        others = known - {state.uid for state in batch}
        kept = {
            uid: entry
            for uid, entry in answer.items()
            if isinstance(entry, UnpreparedClaim) or uid not in others
        }
        original(driver, batch, kept)


@fault("prepare/retried", "prepare/shared")
def half_prepared_claims_count_for_other_pods() -> None:
    """A claim that one driver has prepared for a pod counts as prepared for other pods."""
    preparing: dict[str, str] = {}

    @around(manager.Manager, "_used_by")
    def used(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> Any:
        states = original(self, pod, claims)
        for state in states:
            known = any(state.drivers.values()) and preparing.setdefault(state.uid, pod) != pod
            state.prepared = state.prepared or known
        return states


@fault("prepare/no-duplicates")
def devices_of_earlier_answers_stay() -> None:
    """A device of an earlier answer that is not in the newest one is kept."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        earlier = {state.uid: state.drivers[driver] for state in batch}
        original(self, driver, batch)
        for state in batch:
            devices = {device.device: device for device in (*earlier[state.uid], *state.drivers[driver])}
            state.drivers[driver] = tuple(devices.values())


@fault("unprepare/last-pod")
def a_failed_pod_is_rolled_back() -> None:
    """If a driver fails, what other drivers have prepared for the pod is unprepared at once."""
    done: list[tuple[str, tuple[Claim, ...]]] = []

    @around(plugins.Plugins, "prepare")
    def prepared(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> Any:
        answer = original(self, driver, claims)
        done.append((driver, claims))
        return answer

    @around(manager.Manager, "_prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        done.clear()
        try:
            original(self, pod)
        except KubeletError:
            for driver, claims in done:
                self._plugins.unprepare(driver, claims)
            raise


@fault("prepare/not-while-unpreparing")
def claims_of_two_drivers_are_never_being_unprepared() -> None:
    """A pod is prepared with a claim of two drivers while one of them has not unprepared it."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> Any:
        for state in self._states.all():
            state.unpreparing = state.unpreparing and len(state.drivers) == 1
        return original(self, pod, claims)


# Devices and restarts


@fault("devices/by-request")
def init_containers_get_whole_claims() -> None:
    """An init container gets all devices of a claim, whatever request it names."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        used = original(self, pod, container)
        is_init = container in (pod["spec"].get("initContainers") or ())
        return [(state, {""} if is_init else requests) for state, requests in used]


@fault("devices/all-requests")
def devices_without_requests_must_be_alone() -> None:
    """A device without a request belongs to no request if other devices of the claim name theirs."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        return [(_named_only(state), requests) for state, requests in original(self, pod, container)]


def _named_only(state: ClaimState) -> ClaimState:
    devices = [device for prepared in state.drivers.values() for device in prepared]
    if not any(device.requests for device in devices):
        return state
    named = {
        driver: tuple(device for device in prepared if device.requests)
        for driver, prepared in state.drivers.items()
    }
    return msgspec.structs.replace(state, drivers=named)


@fault("restart/prepares-again")
def first_driver_prepares_again_after_a_restart() -> None:
    """After a restart only the first driver of a claim is called to prepare it again."""
    known: set[str] = set()

    @around(ClaimStates, "__init__")
    def read(original: Any, self: Any, checkpoint: Path) -> None:
        original(self, checkpoint)
        known.update(state.uid for state in self.all())

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        called = [state for state in batch if state.uid not in known or driver == next(iter(state.drivers))]
        if called:
            original(self, driver, called)
