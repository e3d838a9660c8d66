"""Faults of a kubelet that were written from its documents and bug reports by somebody who knew no case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import HealthReport
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_kubelet import __main__ as process
from dra_conform.reference_kubelet import health, manager, plugins, pod_devices
from dra_conform.reference_kubelet.claim_states import ClaimStates
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault


@fault("prepare/validates-first")
def generated_claims_need_no_owner() -> None:
    """A ResourceClaim without owners counts as generated for the pod whose status names it."""

    @around(manager.Manager, "_fetched")
    def changed(original: Any, self: Any, pod: Json, name: str, of_pod: bool) -> Json:
        claim = original(self, pod, name, False)
        has_owners = bool(claim["metadata"].get("ownerReferences"))
        return original(self, pod, name, of_pod) if has_owners else claim


def _save_no_new_claims() -> None:
    """Leave out the save of the checkpoint before a driver is called to prepare."""

    @around(manager.Manager, "_used_by")
    def used(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> Any:
        self._states.save = lambda: None
        try:
            return original(self, pod, claims)
        finally:
            del self._states.save


@fault("restart/checkpoint", "unprepare/last-pod")
def claims_are_saved_after_the_answer() -> None:
    """The checkpoint has a ResourceClaim only after its driver has answered."""
    saves = ClaimStates.save

    _save_no_new_claims()

    @around(manager.Manager, "_prepare_by")
    def prepared(original: Any, self: Any, driver: str, batch: Any) -> None:
        original(self, driver, batch)
        saves(self._states)


@fault("unprepare/last-pod", "restart/no-api-server")
def pods_are_gone_until_the_api_server_answers() -> None:
    """A restarted kubelet unprepares the claims of all pods until the API server has answered once."""

    @around(manager.Manager, "reconcile")
    def changed(original: Any, self: Any) -> None:
        active = self._active
        try:
            self._api.node("any")
        except APIError as error:
            if error.code != 404 and not getattr(self, "answered", False):
                self._active = set()
        else:
            self.answered = True
        try:
            original(self)
        finally:
            self._active = active


@fault("prepare/not-while-unpreparing")
def pods_join_claims_during_a_call_to_unprepare() -> None:
    """A pod is prepared with a ResourceClaim while a driver has not answered a call to unprepare it."""
    under_way: set[str] = set()

    @around(plugins.Plugins, "unprepare")
    def unprepares(original: Any, self: Any, driver: str, claims: Sequence[Any]) -> Any:
        uids = {claim.uid for claim in claims}
        under_way.update(uids)
        try:
            return original(self, driver, claims)
        finally:
            under_way.difference_update(uids)

    @around(manager.Manager, "_used_by")
    def used(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> Any:
        joined = [state for state in self._states.all() if state.unpreparing and state.uid in under_way]
        for state in joined:
            state.unpreparing = False
        try:
            return original(self, pod, claims)
        finally:
            for state in joined:
                state.unpreparing = True


@fault("health/stale")
def timeouts_are_those_of_the_last_device() -> None:
    """All devices of a message of the health stream get the timeout of the last one."""

    @around(health.HealthReports, "add")
    def changed(original: Any, self: Any, driver: str, report: HealthReport) -> None:
        seconds = [each.health_check_timeout_seconds for each in report.devices][-1:]
        devices = tuple(
            msgspec.structs.replace(each, health_check_timeout_seconds=seconds[0]) for each in report.devices
        )
        original(self, driver, HealthReport(devices))


@fault("health/status")
def only_the_first_device_of_a_message_counts() -> None:
    """Further devices of a message of the health stream are not read."""

    @around(health.HealthReports, "add")
    def changed(original: Any, self: Any, driver: str, report: HealthReport) -> None:
        original(self, driver, HealthReport(report.devices[:1]))


@fault("pod-resources/claims")
def one_unknown_claim_empties_the_list() -> None:
    """The PodResources API lists no pod while one pod has a ResourceClaim that is not known."""

    @around(PodDevices, "resources")
    def changed(original: Any, self: Any, pods: Sequence[Json]) -> Any:
        for pod in pods:
            for entry in pod["spec"].get("resourceClaims") or ():
                name = entry.get("resourceClaimName")
                if name and self._states.get(pod["metadata"]["namespace"], name) is None:
                    return ()
        return original(self, pods)


@fault("metrics/in-use")
def claims_are_in_use_until_they_are_being_unprepared() -> None:
    """A ResourceClaim whose driver fails to unprepare it does not count as in use."""

    @around(manager.Manager, "metrics")
    def changed(original: Any, self: Any) -> Any:
        hidden = [state for state in self._states.all() if state.prepared and state.unpreparing]
        for state in hidden:
            state.prepared = False
        try:
            return original(self)
        finally:
            for state in hidden:
                state.prepared = True


@fault("restart/checkpoint", "unprepare/last-pod", "unprepare/gone-pods")
def claims_are_saved_when_a_call_has_ended() -> None:
    """The checkpoint has a ResourceClaim once a call to prepare it has ended, also with an error."""

    _save_no_new_claims()

    @around(manager.Manager, "_prepare_by")
    def prepared(original: Any, self: Any, driver: str, batch: Any) -> None:
        try:
            original(self, driver, batch)
        finally:
            self._states.save()


@fault("restart/checkpoint", "unprepare/until-success")
def claims_are_forgotten_before_a_call_to_unprepare() -> None:
    """The checkpoint has no ResourceClaim that a driver is called to unprepare, until the call fails."""

    @around(plugins.Plugins, "unprepare")
    def unprepares(original: Any, self: Any, driver: str, claims: Sequence[Any]) -> Any:
        states = stores[0]
        known = states.all()
        gone = [state for state in known if state.uid in {claim.uid for claim in claims}]
        for state in gone:
            states.remove(state)
        states.save()
        for state in gone:
            states.add(state)
        try:
            return original(self, driver, claims)
        except Exception:
            states.save()
            raise

    stores: list[ClaimStates] = []

    @around(ClaimStates, "__init__")
    def new(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        stores.append(self)


@fault("pod-resources/claims")
def cdi_devices_of_earlier_devices_are_listed() -> None:
    """The PodResources API lists a device with its CDI devices and those of the devices before it."""

    @around(PodDevices, "_claims")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        return tuple(
            msgspec.structs.replace(
                claim,
                claim_resources=tuple(
                    msgspec.structs.replace(
                        device,
                        cdi_devices=tuple(
                            cdi
                            for earlier in claim.claim_resources[: number + 1]
                            if earlier.driver_name == device.driver_name
                            for cdi in earlier.cdi_devices
                        ),
                    )
                    for number, device in enumerate(claim.claim_resources)
                ),
            )
            for claim in original(self, pod, container)
        )


@fault("pod-resources/one-pod")
def sidecars_are_only_in_the_list() -> None:
    """The PodResources API shows a sidecar in the list of all pods, but not if it is asked for its pod."""

    @around(process.ReferenceKubelet, "_got")
    def changed(original: Any, self: Any, request: Any, context: Any) -> Any:
        shown = pod_devices._running_containers
        setattr(pod_devices, "_running_containers", lambda pod: pod["spec"]["containers"])  # noqa: B010
        try:
            return original(self, request, context)
        finally:
            setattr(pod_devices, "_running_containers", shown)  # noqa: B010


@fault("unprepare/last-pod")
def generated_claims_are_unprepared_by_the_pod_status() -> None:
    """A ResourceClaim is only unprepared if spec or status of its pod names it."""

    @around(manager.Manager, "unprepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        states = self._states
        of_pod = states.of_pod
        status = pod.get("status") or {}
        entries = (*(pod["spec"].get("resourceClaims") or ()), *(status.get("resourceClaimStatuses") or ()))
        extended = status.get("extendedResourceClaimStatus") or {}
        names = {entry.get("resourceClaimName") for entry in (*entries, extended)}
        states.of_pod = lambda uid: [state for state in of_pod(uid) if state.name in names]
        try:
            original(self, pod)
        finally:
            del states.of_pod
