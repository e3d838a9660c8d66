"""Faults of a kubelet: the requirement that each violates, and the change of the reference kubelet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.adapters.driver import plugin_client
from dra_conform.footprint.amounts import added
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import DRA_PLUGIN, PLUGIN_SERVICES, PluginInfo
from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_kubelet import cgroups, health, manager, metrics, plugins, pod_devices
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import Fault, around

FAULTS: dict[str, Fault] = {}
"""All faults by name."""


def fault(requirement: str, *also: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Return a decorator that adds a function to `FAULTS`, with dashes in its name.

    A requirement without a document is one of KUBELET.
    """

    def add(apply: Callable[[], None]) -> Callable[[], None]:
        violated, *more = (
            name if name.startswith("KEP-") else f"KUBELET/{name}" for name in (requirement, *also)
        )
        FAULTS[apply.__name__.replace("_", "-")] = Fault(violated, apply, tuple(more))
        return apply

    return add


# Registration


@fault("registration/refuses")
def unknown_services_are_registered() -> None:
    """A driver without a known service is registered, and called by the newest service."""
    newest = next(iter(PLUGIN_SERVICES))
    around(plugins, "service_of")(lambda original, info: original(info) or newest)


@fault("registration/plugin-type")
def plugin_types_are_ignored() -> None:
    """A plugin of any type is registered as a DRA driver."""

    @around(plugins, "get_info")
    def changed(original: Any, socket: Path) -> Any:
        return msgspec.structs.replace(original(socket), type=DRA_PLUGIN)


@fault("registration/first-known")
def newest_service_is_called() -> None:
    """The newest service of a driver is called, not the first known one."""

    @around(plugins, "service_of")
    def changed(original: Any, info: Any) -> str:
        return next((service for service in PLUGIN_SERVICES if service in info.supported_versions), "")


@fault("registration/retries")
def failed_registration_is_final() -> None:
    """A registration that fails is not tried again."""

    @around(plugins.Plugins, "_try_to_register")
    def changed(original: Any, self: Any, path: Path, socket: Any) -> None:
        original(self, path, socket)
        socket.due = float("inf")


@fault("registration/deregisters")
def removed_sockets_are_ignored() -> None:
    """A driver stays registered when its registration socket is removed."""
    around(plugins.Plugins, "_deregister")(lambda original, self, path: self._sockets.pop(path))
    around(plugin_client.PluginClient, "watch_connection")(lambda original, self, changed: changed(True))


@fault("registration/same-endpoint")
def endpoints_are_shared() -> None:
    """A second instance is registered with the endpoint of the first."""

    @around(plugins, "get_info")
    def changed(original: Any, socket: Path) -> Any:
        info = original(socket)
        first = Path(info.endpoint)
        endpoint = f"{first.parent}/./{first.name}" if "-2-" in socket.name else info.endpoint
        return PluginInfo(info.type, info.name, endpoint, info.supported_versions)


@fault("registration/falls-back")
def oldest_instance_is_called() -> None:
    """The oldest instance of a driver is called."""

    @around(plugins.Plugins, "require")
    def changed(original: Any, self: Any, driver: str) -> Any:
        original(self, driver)
        return next(instance for instance in self._instances if instance.driver == driver)


@fault("registration/falls-back")
def crashed_instances_are_called() -> None:
    """The newest instance of a driver is called, whether it is connected or not."""

    @around(plugins.Plugins, "require")
    def changed(original: Any, self: Any, driver: str) -> Any:
        original(self, driver)
        return [instance for instance in self._instances if instance.driver == driver][-1]


# ResourceSlices


@fault("wiping/at-start")
def slices_stay_at_start() -> None:
    """A kubelet that starts leaves the ResourceSlices of its node."""
    around(plugins.Plugins, "_delete_all_slices")(lambda *_: None)


@fault("wiping/at-start")
def slices_of_all_nodes_are_deleted_at_start() -> None:
    """A kubelet that starts deletes the ResourceSlices of all nodes."""
    around(plugins.Plugins, "_delete_all_slices")(lambda _, self: self._api.delete_slices(""))


@fault("wiping/after-30s")
def slices_of_absent_drivers_stay() -> None:
    """The ResourceSlices of a driver that is away stay."""
    around(plugins.Plugins, "_delete_slices_of_absent_drivers")(lambda *_: None)


@fault("wiping/after-30s")
def slices_are_deleted_at_once() -> None:
    """The ResourceSlices of a driver that is away are deleted after five seconds."""
    plugins.WIPE_SECONDS = 5.0


@fault("wiping/cancelled")
def deletion_of_slices_is_not_cancelled() -> None:
    """The ResourceSlices of a driver that was away are deleted although it has come back."""

    class Sticky(dict[str, float]):
        """Times since which drivers are away, which are never removed."""

        def pop(self, key: str, *default: Any) -> Any:
            return None

    @around(plugins.Plugins, "__init__")
    def changed(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        self._away_since = Sticky()


# Preparing


@fault("prepare/one-call-per-driver")
def one_call_per_claim() -> None:
    """Each claim is prepared in a call of its own."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        for state in batch:
            original(self, driver, [state])


@fault("prepare/once")
def prepared_again() -> None:
    """A prepared claim is prepared again for each pod and each retry."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        states: list[ClaimState] = original(self, pod, claims)
        for state in states:
            state.prepared = False
        return states


@fault("prepare/shared")
def prepared_for_each_pod() -> None:
    """A claim that two pods share is prepared for each of them."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        known = {state.uid for state in self._states.of_pod(pod)}
        states: list[ClaimState] = original(self, pod, claims)
        for state in states:
            state.prepared = state.prepared and state.uid in known
        return states


@fault("prepare/validates-first")
def reservations_are_ignored() -> None:
    """A claim is prepared for a pod for which it is not reserved."""

    @around(APIClient, "claim")
    def changed(original: Any, self: Any, namespace: str, name: str) -> Json:
        claim = original(self, namespace, name)
        everyone = [{"uid": _Any()}]
        return {**claim, "status": {**claim.get("status", {}), "reservedFor": everyone}}


class _Any(str):
    """A string that equals all others."""

    def __eq__(self, _: object) -> bool:
        return True

    __hash__ = str.__hash__


@fault("prepare/validates-first")
def claims_are_checked_one_by_one() -> None:
    """Each claim of a pod is prepared before the next one is looked at."""

    @around(manager.Manager, "_prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        for entry in pod["spec"].get("resourceClaims") or ():
            original(self, {**pod, "spec": {**pod["spec"], "resourceClaims": [entry]}, "status": {}})
        original(self, pod)


@fault("prepare/validates-first")
def drivers_are_looked_up_late() -> None:
    """Whether a driver is registered is known only when it is called."""
    around(manager.Manager, "_required")(lambda *_: None)


def _without_problem(words: str) -> None:
    """Let answers pass that `_require_all` would reject with these words."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        try:
            original(driver, batch, answer)
        except KubeletError as error:
            if words not in str(error):
                raise


@fault("prepare/unknown-entry")
def unknown_entries_are_ignored() -> None:
    """An entry for a claim that was not asked is ignored."""
    _without_problem("unknown ResourceClaim UID")


@fault("prepare/left-out")
def missing_entries_are_ignored() -> None:
    """A claim without an entry in the answer counts as prepared."""
    _without_problem("does not answer for")
    around(manager.Manager, "_prepare_by")(_with_all_entries)


def _with_all_entries(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
    try:
        original(self, driver, batch)
    except KeyError:
        return


@fault("prepare/error-of-claim")
def errors_of_claims_are_ignored() -> None:
    """An error for a claim is ignored."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        without = {uid: type(entry)() for uid, entry in answer.items()}
        original(driver, batch, without)


@fault("prepare/errors-name-the-cause")
def errors_do_not_name_the_claim() -> None:
    """An error for a claim does not say which claim it is."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        try:
            original(driver, batch, answer)
        except KubeletError:
            raise KubeletError("INTERNAL ERROR") from None


@fault("prepare/retried")
def failed_claims_count_as_prepared() -> None:
    """A claim whose preparation failed is not prepared again."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        try:
            original(self, driver, batch)
        finally:
            for state in batch:
                state.prepared = True


@fault("prepare/no-duplicates")
def devices_are_appended() -> None:
    """The devices of an answer are added to those of the answers before."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        before = {state.uid: state.drivers.get(driver, ()) for state in batch}
        original(self, driver, batch)
        for state in batch:
            state.drivers[driver] = before[state.uid] + state.drivers[driver]


@fault("prepare/timeout")
def calls_wait_longer() -> None:
    """A call to a driver ends after 70 seconds."""
    plugin_client.CALL_SECONDS = 70.0


@fault("prepare/replaced-claim")
def claims_are_known_by_name() -> None:
    """A new claim of an old name counts as the old one."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        for claim in claims:
            state = self._states.get(claim["metadata"]["namespace"], claim["metadata"]["name"])
            if state is not None:
                state.uid = claim["metadata"]["uid"]
        states: list[ClaimState] = original(self, pod, claims)
        return states


@fault("prepare/not-while-unpreparing")
def prepared_while_unpreparing() -> None:
    """A pod is prepared with a claim that is being unprepared."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        for state in self._states.all():
            state.unpreparing = False
        states: list[ClaimState] = original(self, pod, claims)
        return states


# Devices


@fault("devices/by-request")
def requests_are_ignored() -> None:
    """A container gets all devices of each claim that it uses."""
    around(pod_devices, "_is_requested")(lambda *_: True)


@fault("devices/none")
def all_containers_get_devices() -> None:
    """A container that uses no claim gets the devices of the claims of its pod."""

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        entries = [{"name": entry["name"]} for entry in pod["spec"].get("resourceClaims") or ()]
        resources = container.get("resources") or {"claims": entries}
        return original(self, pod, {**container, "resources": resources})


@fault("devices/not-prepared")
def containers_start_without_their_claims() -> None:
    """A container whose ResourceClaim is not prepared starts without its devices."""

    @around(PodDevices, "cdi_names")
    def changed(original: Any, self: Any, pod: Json) -> Json:
        return {name: {"cdi": found["cdi"]} for name, found in original(self, pod).items()}


@fault("devices/extended")
def mappings_are_ignored() -> None:
    """A container gets no devices of an extended-resource claim."""

    @around(PodDevices, "extended")
    def changed(original: Any, self: Any, pod: Json) -> Json:
        extended = original(self, pod)
        return {**extended, "requestMappings": []} if extended else extended


@fault("pod-resources/claims")
def pools_are_not_shown() -> None:
    """The PodResources API shows devices without their pools."""

    @around(pod_devices, "ClaimResource")
    def changed(original: Any, names: Any, driver: str, pool: str, device: str) -> Any:
        return original(names, driver, "", device)


@fault("KEP-5517/kubelet/cgroups-from-spec-only")
def cgroups_have_the_resources_of_claims() -> None:
    """The cgroup of a pod has the CPUs of its ResourceClaims, too (Kubernetes 1.37)."""

    @around(cgroups, "footprint")
    def changed(original: Any, pod: Any, claims: Any) -> Any:
        requested = original(pod, claims)
        for status in pod.status.node_allocatable_resource_claim_statuses if pod.status else ():
            requested = added(requested, status.resources)
        return requested


# Restart


@fault("restart/checkpoint")
def nothing_is_saved() -> None:
    """There is no checkpoint."""
    around(ClaimStates, "save")(lambda *_: None)


@fault("restart/checkpoint")
def only_prepared_claims_are_saved() -> None:
    """The checkpoint has no claims whose preparation failed."""

    @around(ClaimStates, "save")
    def changed(original: Any, self: Any) -> None:
        everything = self._claims
        self._claims = {key: state for key, state in everything.items() if state.prepared}
        original(self)
        self._claims = everything


@fault("restart/prepares-again")
def prepared_claims_stay_prepared() -> None:
    """After a restart a prepared claim is not prepared again."""

    @around(ClaimStates, "__init__")
    def changed(original: Any, self: Any, checkpoint: Path) -> None:
        original(self, checkpoint)
        for state in self.all():
            state.prepared = True


# Unpreparing


@fault("unprepare/last-pod")
def unprepared_with_the_first_pod() -> None:
    """A shared claim is unprepared when the first of its pods ends."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        for state in self._states.of_pod(pod):
            state.pods = {pod}
        original(self, pod)


@fault("unprepare/only-users")
def any_pod_unprepares() -> None:
    """A pod that was never prepared unprepares the claims in its spec."""

    @around(manager.Manager, "unprepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        for entry in pod["spec"].get("resourceClaims") or ():
            name = entry.get("resourceClaimName") or ""
            state = self._states.get(pod["metadata"]["namespace"], name)
            if state is not None and len(state.pods) == 1:
                state.pods = {pod["metadata"]["uid"]}
        original(self, pod)


@fault("unprepare/until-success")
def forgotten_before_the_answer() -> None:
    """A claim is forgotten when the driver is called, whatever it answers."""

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        try:
            original(self, pod)
        finally:
            for state in self._states.of_pod(pod):
                self._states.remove(state)


@fault("unprepare/gone-pods")
def gone_pods_are_forgotten() -> None:
    """The claims of pods that the kubelet no longer has are not unprepared."""
    around(manager.Manager, "reconcile")(lambda *_: None)


@fault("unprepare/idempotent")
def unprepared_claims_are_unprepared_again() -> None:
    """A driver is called again for a claim that is unprepared."""
    seen: dict[str, list[ClaimState]] = {}

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        for state in seen.get(pod, ()):
            if self._states.get(state.namespace, state.name) is None:
                self._states.add(state)
        seen[pod] = self._states.of_pod(pod)
        original(self, pod)


# Health and metrics


@fault("health/status")
def every_device_is_healthy() -> None:
    """Every reported device is Healthy."""
    around(health.HealthReports, "of")(
        lambda original, *key: ("Healthy", "") if original(*key)[0] == "Unhealthy" else original(*key)
    )


@fault("health/status")
def health_of_devices_by_name() -> None:
    """The health of a device is known by driver and name, without the pool."""
    around(health.HealthReports, "of")(
        lambda original, self, driver, _, device: original(self, driver, "", device)
    )

    @around(health.HealthReports, "add")
    def changed(original: Any, self: Any, driver: str, report: Any) -> None:
        unpooled = [
            msgspec.structs.replace(one, device=msgspec.structs.replace(one.device, pool_name=""))
            for one in report.devices
        ]
        original(self, driver, msgspec.structs.replace(report, devices=tuple(unpooled)))


@fault("health/stale")
def reports_never_expire() -> None:
    """A health report is valid for ever."""

    @around(health.HealthReports, "add")
    def changed(original: Any, self: Any, driver: str, report: Any) -> None:
        original(self, driver, report)
        self._reports = {key: health._Report(float("inf"), one.health) for key, one in self._reports.items()}


@fault("metrics/operations")
def errors_are_not_told_apart() -> None:
    """Each operation counts as a success."""

    @around(metrics.Metrics, "count")
    def changed(original: Any, self: Any, name: str, **labels: str) -> None:
        original(self, name, **{**labels, **({"is_error": "false"} if "is_error" in labels else {})})


@fault("metrics/grpc-operations")
def all_calls_are_counted_as_ok() -> None:
    """Each call counts with the status OK."""

    @around(metrics.Metrics, "count")
    def changed(original: Any, self: Any, name: str, **labels: str) -> None:
        ok = {"grpc_status_code": "OK"} if "grpc_status_code" in labels else {}
        original(self, name, **{**labels, **ok})


def _count_in_use(count: Callable[[ClaimState], int]) -> None:
    """Count each known claim so often for each of its drivers, and for all drivers together."""

    @around(manager.Manager, "metrics")
    def changed(original: Any, self: Any) -> Any:
        in_use: Counter[str] = Counter()
        for claim in self._states.all():
            for driver in (metrics.ANY_DRIVER, *claim.drivers):
                in_use[driver] += count(claim)
        gauges = [
            metrics.sample(metrics.CLAIMS_IN_USE, {"driver_name": driver}, number)
            for driver, number in in_use.items()
        ]
        return [*(one for one in original(self) if one["name"] != metrics.CLAIMS_IN_USE), *gauges]


@fault("metrics/in-use")
def known_claims_are_in_use() -> None:
    """A claim that failed to prepare counts as in use."""
    _count_in_use(lambda _: 1)


@fault("metrics/in-use")
def users_of_claims_are_in_use() -> None:
    """A claim counts as often as it has pods."""
    _count_in_use(lambda claim: len(claim.pods) if claim.prepared else 0)


@fault("metrics/in-use")
def total_in_use_counts_drivers() -> None:
    """The total is the sum over all drivers, so a claim of two drivers counts twice."""

    @around(manager.Manager, "metrics")
    def changed(original: Any, self: Any) -> Any:
        samples = original(self)
        gauges = [one for one in samples if one["name"] == metrics.CLAIMS_IN_USE]
        total = sum(one["value"] for one in gauges if one["labels"]["driver_name"] != metrics.ANY_DRIVER)
        for one in gauges:
            if one["labels"]["driver_name"] == metrics.ANY_DRIVER:
                one["value"] = total
        return samples


@fault("metrics/in-use")
def no_claim_is_in_use() -> None:
    """No claim counts as in use."""
    around(manager.Manager, "metrics")(
        lambda original, self: [one for one in original(self) if one["name"] != metrics.CLAIMS_IN_USE]
    )
