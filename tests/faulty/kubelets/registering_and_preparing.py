"""Faults of a kubelet in registrations and in the preparation of pods, written before any case was read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dra_conform.adapters.driver import plugin_client
from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    HEALTH_SERVICES,
    PLUGIN_SERVICES,
    Claim,
    PluginDevice,
    PluginInfo,
    PreparedClaim,
    PrepareResponse,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_kubelet import manager, plugins
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStates
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault

# Registration and ResourceSlices


@fault("registration/refuses")
def health_services_are_enough() -> None:
    """A driver that only offers a service for health is registered."""
    newest = next(iter(PLUGIN_SERVICES))

    @around(plugins, "service_of")
    def changed(original: Any, info: PluginInfo) -> Any:
        offers_health = any(version in HEALTH_SERVICES for version in info.supported_versions)
        return original(info) or (newest if offers_health else "")


@fault("registration/plugin-type")
def unknown_types_are_not_notified() -> None:
    """A plugin of an unknown type is not told that it is not registered."""

    @around(plugins, "notify")
    def changed(original: Any, socket: Path, *, registered: bool, error: str = "") -> None:
        if not error.startswith("unknown plugin type"):
            original(socket, registered=registered, error=error)


@fault("wiping/at-start")
def slices_of_drivers_in_the_checkpoint_are_deleted() -> None:
    """At its start the kubelet only deletes the ResourceSlices of drivers that its checkpoint names."""
    known: set[str] = set()

    @around(ClaimStates, "__init__")
    def read(original: Any, self: Any, checkpoint: Path) -> None:
        original(self, checkpoint)
        known.update(driver for state in self.all() for driver in state.drivers)

    @around(plugins.Plugins, "_delete_all_slices")
    def changed(_: Any, self: Any) -> None:
        for driver in known:
            with suppress(APIError):
                self._api.delete_slices(f"spec.nodeName={self._node},spec.driver={driver}")


@fault("wiping/cancelled")
def each_endpoint_has_a_timer() -> None:
    """The ResourceSlices of a driver that comes back at another endpoint are deleted."""

    @around(plugins.Plugins, "_set_connected")
    def changed(_: Any, self: Any, instance: plugins.Instance, *, connected: bool) -> None:
        with self._lock:
            timers: dict[tuple[str, str], float] = self.__dict__.setdefault("_timers", {})
            instance.connected, driver = connected, instance.driver
            if connected:
                timers.pop((driver, instance.endpoint), None)
            elif not any(other.connected for other in self._instances if other.driver == driver):
                timers.setdefault((driver, instance.endpoint), time.monotonic())
            self._away_since.pop(driver, None)
            since = [began for (name, _), began in timers.items() if name == driver]
            if since:
                self._away_since[driver] = min(since)


# Preparing


@fault("prepare/one-call-per-driver")
def one_call_to_unprepare_each_claim() -> None:
    """Each claim is unprepared in a call of its own."""

    @around(plugins.Plugins, "unprepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> UnprepareResponse:
        entries = {}
        for claim in claims:
            entries.update(original(self, driver, (claim,)).claims)
        return UnprepareResponse(entries)


@fault("prepare/once")
def prepared_by_the_last_driver_only() -> None:
    """The other drivers of a claim are called again whenever its pod is prepared."""

    @around(manager.Manager, "_prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        known = [state for state in self._states.of_pod(pod["metadata"]["uid"]) if state.prepared]
        original(self, pod)
        for state in known:
            for driver in list(state.drivers)[:-1]:
                self._prepare_by(driver, [state])


@fault("prepare/error-of-call")
def unimplemented_calls_are_not_needed() -> None:
    """A driver that answers UNIMPLEMENTED has nothing to prepare."""

    @around(plugins.Plugins, "prepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> Any:
        try:
            return original(self, driver, claims)
        except CallFailed as failed:
            if failed.code != "UNIMPLEMENTED":
                raise
            return PrepareResponse({claim.uid: PreparedClaim() for claim in claims})


@fault("prepare/left-out")
def one_entry_is_enough() -> None:
    """An answer to prepare with an entry counts for all claims of the call."""

    @around(plugins.Plugins, "prepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> PrepareResponse:
        entries = original(self, driver, claims).claims
        missing = {claim.uid: PreparedClaim() for claim in claims} if entries else {}
        return PrepareResponse({**missing, **entries})


@fault("prepare/unknown-entry")
def entries_for_known_claims_are_ignored() -> None:
    """An answer to prepare may have entries for claims of other pods."""
    managers: list[Any] = []

    @around(manager.Manager, "__init__")
    def begun(original: Any, self: Any, *arguments: Any, **named: Any) -> None:
        original(self, *arguments, **named)
        managers.append(self)

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        others = {state.uid for state in managers[-1]._states.all()} - {state.uid for state in batch}
        kept = {
            uid: entry
            for uid, entry in answer.items()
            if isinstance(entry, UnpreparedClaim) or uid not in others
        }
        original(driver, batch, kept)


@fault("prepare/retried")
def answered_claims_count_as_prepared() -> None:
    """All claims of an answered call count as prepared, also those with an error."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        if any(isinstance(entry, PreparedClaim) for entry in answer.values()):
            for state in batch:
                state.prepared = True
        original(driver, batch, answer)


@fault("devices/by-request", "prepare/no-duplicates")
def devices_of_other_drivers_are_replaced() -> None:
    """The devices of an answer replace those of all drivers of the claim."""

    @around(manager.Manager, "_prepare_by")
    def changed(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        original(self, driver, batch)
        for state in batch:
            state.drivers = {**dict.fromkeys(state.drivers, ()), driver: state.drivers[driver]}


@fault("prepare/timeout")
def drivers_of_a_pod_share_the_time_limit() -> None:
    """All drivers of a pod together have 45 seconds."""
    limit = plugin_client.CALL_SECONDS
    begun = 0.0

    @around(manager.Manager, "_prepare")
    def begins(original: Any, self: Any, pod: Json) -> None:
        nonlocal begun
        begun = time.monotonic()
        try:
            original(self, pod)
        finally:
            plugin_client.CALL_SECONDS = limit

    @around(plugins.Plugins, "prepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> Any:
        plugin_client.CALL_SECONDS = max(0.1, limit - (time.monotonic() - begun))
        return original(self, driver, claims)


@fault("prepare/replaced-claim")
def replaced_claims_are_unprepared_at_once() -> None:
    """The old claim of a name is unprepared for the pod with the new one, although its own pod runs."""

    @around(manager.Manager, "_prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        for name, of_pod in self._claim_names(pod):
            claim = self._fetched(pod, name, of_pod)
            state = self._states.get(claim["metadata"]["namespace"], name)
            if state is not None and state.uid != claim["metadata"]["uid"]:
                for driver in state.drivers:
                    with suppress(CallFailed, plugins.NotRegistered):
                        self._plugins.unprepare(driver, (Claim(state.namespace, state.uid, state.name),))
                self._states.remove(state)
        original(self, pod)


@fault("prepare/no-claim-needed")
def an_entry_without_a_claim_is_the_last() -> None:
    """The entries of a pod after one that needs no claim are not prepared."""

    @around(manager.Manager, "_claim_names")
    def changed(original: Any, self: Any, pod: Json) -> Iterator[tuple[str, bool]]:
        statuses = (pod.get("status") or {}).get("resourceClaimStatuses") or ()
        unneeded = {entry["name"] for entry in statuses if not entry.get("resourceClaimName")}
        kept = []
        for entry in pod["spec"].get("resourceClaims") or ():
            if entry["name"] in unneeded:
                break
            kept.append(entry)
        yield from original(self, {**pod, "spec": {**pod["spec"], "resourceClaims": kept}})


@fault("prepare/devices-with-error")
def devices_of_an_error_are_added() -> None:
    """The devices of an entry with an error are added to those of the next response."""
    failed: dict[str, tuple[PluginDevice, ...]] = {}

    @around(plugins.Plugins, "prepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> PrepareResponse:
        answered = {}
        for uid, claim in original(self, driver, claims).claims.items():
            answered[uid] = PreparedClaim((*failed.get(uid, ()), *claim.devices), claim.error)
            if claim.error:
                failed[uid] = claim.devices
        return PrepareResponse(answered)


@fault("prepare/skips")
def one_device_skips_an_operation() -> None:
    """A driver is not called for an operation that any of its devices skips."""

    @around(manager, "_skipping")
    def changed(_: Any, claim: Json, operation: str) -> Iterator[str]:
        for result in claim["status"]["allocation"]["devices"]["results"]:
            if {operation, "*"}.intersection(result.get("skipNodeOperations") or ()):
                yield result["driver"]
