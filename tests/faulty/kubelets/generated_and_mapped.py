"""Faults of a kubelet about generated ResourceClaims, request names, request mappings, and several drivers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import UnpreparedClaim, UnprepareResponse
from dra_conform.reference_kubelet import manager, pod_devices
from dra_conform.reference_kubelet.claim_states import ClaimStateDevice
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault


def _map_with(change: Callable[[Json, Sequence[Json]], list[Json]]) -> None:
    """Change the request mappings of pods."""

    @around(PodDevices, "extended")
    def changed(original: Any, self: Any, pod: Json) -> Json:
        extended = original(self, pod)
        if not extended:
            return extended
        return {**extended, "requestMappings": change(pod, extended.get("requestMappings") or ())}


@fault("devices/all-requests")
def devices_without_requests_belong_to_whole_claims() -> None:
    """A container that names a request gets no device that the driver prepares for all requests."""

    @around(pod_devices, "_is_requested")
    def changed(_: Any, device: ClaimStateDevice, requests: set[str]) -> bool:
        return "" in requests or bool(requests & set(device.requests))


@fault("devices/by-request")
def request_names_match_by_prefix() -> None:
    """A container that names the request `gpu` also gets the devices of `gpu-2`."""

    @around(pod_devices, "_is_requested")
    def changed(original: Any, device: ClaimStateDevice, requests: set[str]) -> bool:
        longer = any(name and full.startswith(name) for name in requests for full in device.requests)
        return longer or original(device, requests)


@fault("devices/by-request")
def first_generated_claim_only() -> None:
    """Of the generated claims of a pod, containers get the devices of the first."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        status = dict(pod.get("status") or {})
        status["resourceClaimStatuses"] = list(status.get("resourceClaimStatuses") or ())[:1]
        return original(self, {**pod, "status": status}, container)


@fault("devices/by-request")
def claims_are_found_by_their_entry() -> None:
    """A container gets the devices of the claim that has the name of its entry, if there is one."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        names = {state.name for state in self._states.all()}
        entries = [
            {**entry, "resourceClaimName": entry["name"]} if entry["name"] in names else entry
            for entry in pod["spec"].get("resourceClaims") or ()
        ]
        return original(self, {**pod, "spec": {**pod["spec"], "resourceClaims": entries}}, container)


@fault("KEP-5004/actuation/devices-follow-the-mapping")
def requests_need_the_names_of_the_scheduler() -> None:
    """A mapping to a request that is not named `container-I-request-J` is ignored."""
    form = re.compile(r"container-\d+-request-\d+")
    _map_with(lambda _, mappings: [each for each in mappings if form.fullmatch(each["requestName"])])


@fault("KEP-5004/actuation/devices-follow-the-mapping")
def last_mapping_of_a_resource_only() -> None:
    """Of two mappings of one resource of a container, the last counts."""
    _map_with(
        lambda _, mappings: list(
            {(each["containerName"], each["resourceName"]): each for each in mappings}.values()
        )
    )


@fault("KEP-5004/actuation/devices-follow-the-mapping")
def mappings_of_sidecars_are_ignored() -> None:
    """A sidecar gets no device of the extended-resource claim."""

    def without_sidecars(pod: Json, mappings: Sequence[Json]) -> list[Json]:
        init_containers = pod["spec"].get("initContainers") or ()
        sidecars = {each["name"] for each in init_containers if each.get("restartPolicy") == "Always"}
        return [each for each in mappings if each["containerName"] not in sidecars]

    _map_with(without_sidecars)


def _fetch_unreserved(applies: Callable[[Any, Json, str, bool], bool]) -> None:
    """Fetch some claims although they are not reserved for the pod."""

    @around(manager.Manager, "_fetched")
    def changed(original: Any, self: Any, pod: Json, name: str, of_pod: bool) -> Json:
        try:
            return original(self, pod, name, of_pod)
        except KubeletError as error:
            if "is not reserved" in str(error) and applies(self, pod, name, of_pod):
                return self._api.claim(pod["metadata"]["namespace"], name)
            raise


@fault("prepare/validates-first")
def reservations_of_generated_claims_are_not_checked() -> None:
    """A generated claim is prepared although it is not reserved for its pod."""
    _fetch_unreserved(lambda self, pod, name, of_pod: of_pod)


@fault("prepare/validates-first")
def reservations_of_prepared_claims_are_not_checked() -> None:
    """A pod gets a claim that is prepared for another pod although it is not reserved for this pod."""

    def is_prepared(self: Any, pod: Json, name: str, _: bool) -> bool:
        state = self._states.get(pod["metadata"]["namespace"], name)
        return state is not None and bool(state.prepared)

    _fetch_unreserved(is_prepared)


@fault("prepare/validates-first")
def reservations_of_extended_resource_claims_are_not_checked() -> None:
    """An extended-resource claim is prepared although it is not reserved for its pod."""

    def is_extended(self: Any, pod: Json, name: str, _: bool) -> bool:
        extended = self.devices.extended(pod) or {}
        return bool(name == extended.get("resourceClaimName"))

    _fetch_unreserved(is_extended)


@fault("prepare/validates-first")
def owners_of_generated_claims_are_not_checked() -> None:
    """A pod is prepared with the generated claim of another pod."""

    @around(manager.Manager, "_fetched")
    def changed(original: Any, self: Any, pod: Json, name: str, _: bool) -> Json:
        return original(self, pod, name, False)


@fault("prepare/validates-first")
def missing_generated_claims_are_skipped() -> None:
    """A pod is prepared without the claims that are not generated yet."""

    @around(manager.Manager, "_claim_names")
    def changed(original: Any, self: Any, pod: Json) -> Any:
        known = {entry["name"] for entry in (pod.get("status") or {}).get("resourceClaimStatuses") or ()}
        entries = [
            entry
            for entry in pod["spec"].get("resourceClaims") or ()
            if entry.get("resourceClaimName") or entry["name"] in known
        ]
        return original(self, {**pod, "spec": {**pod["spec"], "resourceClaims": entries}})


@fault("unprepare/last-pod")
def claims_are_unprepared_by_their_first_driver() -> None:
    """Of the drivers of a claim only the first is called to unprepare it."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        for state in self._states.of_pod(pod):
            state.drivers = dict(list(state.drivers.items())[:1])
        original(self, pod)


@fault("unprepare/until-success")
def failures_after_the_first_driver_are_ignored() -> None:
    """A pod is let go although a further driver of its claim cannot unprepare it."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        called: list[str] = []
        unprepare = self._plugins.unprepare

        def lenient(driver: str, claims: Any) -> Any:
            called.append(driver)
            if len(called) == 1:
                return unprepare(driver, claims)
            return UnprepareResponse({claim.uid: UnpreparedClaim() for claim in claims})

        self._plugins.unprepare = lenient
        try:
            original(self, pod)
        finally:
            self._plugins.unprepare = unprepare


@fault("unprepare/last-pod")
def shared_claims_end_with_own_claims() -> None:
    """A shared claim is unprepared together with a claim that only the ended pod uses."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        states = self._states.of_pod(pod)
        if any(len(state.pods) == 1 for state in states):
            for state in states:
                state.pods &= {pod}
        original(self, pod)
