"""Faults of a kubelet that handles only some pods, ResourceClaims, containers or answers as it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Claim, PluginDevice, UnpreparedClaim, UnprepareResponse
from dra_conform.reference_kubelet import manager, plugins
from dra_conform.reference_kubelet.claim_states import ClaimState, ClaimStateDevice, ClaimStates
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.metrics import OPERATIONS
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault

# Preparing


@fault("prepare/one-call-per-driver")
def claims_of_init_containers_are_not_prepared() -> None:
    """A claim that only an init container uses is not prepared."""

    @around(manager.Manager, "_claim_names")
    def changed(original: Any, self: Any, pod: Json) -> Iterator[tuple[str, bool]]:
        main, init = (_used(pod["spec"].get(key) or ()) for key in ("containers", "initContainers"))
        entries = pod["spec"].get("resourceClaims") or ()
        kept = [entry for entry in entries if entry["name"] in main or entry["name"] not in init]
        yield from original(self, {**pod, "spec": {**pod["spec"], "resourceClaims": kept}})


def _used(containers: Sequence[Json]) -> set[str]:
    """Return the entries of a pod that containers use."""
    resources = [container.get("resources") or {} for container in containers]
    return {used["name"] for each in resources for used in each.get("claims") or ()}


@fault("prepare/no-claim-needed")
def entries_without_a_claim_fail() -> None:
    """A pod fails if its status has an entry without the name of a claim."""

    @around(manager.Manager, "_claim_names")
    def changed(original: Any, self: Any, pod: Json) -> Iterator[tuple[str, bool]]:
        for entry in (pod.get("status") or {}).get("resourceClaimStatuses") or ():
            if not entry.get("resourceClaimName"):
                raise KubeletError(f"the ResourceClaim for {entry['name']} is not generated yet")
        yield from original(self, pod)


@fault("prepare/left-out")
def empty_answers_pass() -> None:
    """A call to prepare that is answered without any entry counts as a success."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        if answer or any(state.unpreparing for state in batch):
            original(driver, batch, answer)

    @around(manager.Manager, "_prepare_by")
    def prepared(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        try:
            original(self, driver, batch)
        except KeyError:
            return


@fault("prepare/error-of-claim")
def errors_of_middle_claims_are_ignored() -> None:
    """Of three claims of a call to prepare the second need not succeed."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        middle = {state.uid for state in batch[1:-1]}
        original(
            driver, batch, {uid: type(entry)() if uid in middle else entry for uid, entry in answer.items()}
        )


@fault("prepare/left-out", "prepare/unknown-entry")
def entries_are_only_counted() -> None:
    """An answer is complete if it has as many entries as the call has claims."""

    @around(manager, "_require_all")
    def changed(original: Any, driver: str, batch: Sequence[ClaimState], answer: Mapping[str, Any]) -> None:
        if len(answer) != len(batch):
            raise KubeletError(f"{driver} answers for {len(answer)} claims, expected {len(batch)}")
        known = [state for state in batch if state.uid in answer]
        original(driver, known, {state.uid: answer[state.uid] for state in known})

    @around(manager.Manager, "_prepare_by")
    def prepared(original: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        with suppress(KeyError):
            original(self, driver, batch)


@fault("prepare/shared")
def a_third_pod_prepares_again() -> None:
    """A claim is prepared again for the third pod that uses it."""

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        states: list[ClaimState] = original(self, pod, claims)
        for state in states:
            state.prepared = state.prepared and len(state.pods) < 3
        return states


@fault("metrics/operations")
def operations_are_counted_by_claim() -> None:
    """The preparation of a pod counts as often as the pod has claims."""

    @around(manager.Manager, "prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        error = "true"
        try:
            original(self, pod)
            error = "false"
        finally:
            for _ in (pod["spec"].get("resourceClaims") or ())[1:]:
                self._metrics.count(OPERATIONS, operation_name="PrepareResources", is_error=error)


def _at_a_failed_pod(change: Callable[[ClaimState], None]) -> None:
    """Change the claims of a pod that cannot be prepared."""

    @around(manager.Manager, "_prepare")
    def changed(original: Any, self: Any, pod: Json) -> None:
        try:
            original(self, pod)
        except KubeletError:
            for state in self._states.of_pod(pod["metadata"]["uid"]):
                change(state)
            raise


@fault("prepare/once")
def a_failed_pod_resets_its_claims() -> None:
    """If a pod fails, the claims that it shares with other pods are prepared again."""

    def reset(state: ClaimState) -> None:
        state.prepared = False

    _at_a_failed_pod(reset)


@fault("prepare/once", "unprepare/last-pod")
def unprepared_claims_count_as_prepared() -> None:
    """A claim that was prepared and unprepared is not prepared for a later pod."""
    prepared: dict[str, dict[str, tuple[ClaimStateDevice, ...]]] = {}

    @around(manager.Manager, "_used_by")
    def changed(original: Any, self: Any, pod: str, claims: Sequence[Json]) -> list[ClaimState]:
        states: list[ClaimState] = original(self, pod, claims)
        for state in states:
            if state.uid in prepared and not state.prepared:
                state.prepared, state.drivers = True, prepared[state.uid]
        return states

    @around(manager.Manager, "_prepare")
    def remember(original: Any, self: Any, pod: Json) -> None:
        original(self, pod)
        prepared.update({state.uid: dict(state.drivers) for state in self._states.all()})


# Devices and restarts


@fault("devices/by-request")
def requests_of_the_first_container_of_a_name() -> None:
    """Containers of one name in two pods get the requests of a claim that the first of them names."""
    known: dict[tuple[str, str], set[str]] = {}

    @around(PodDevices, "_used_in")
    def changed(original: Any, self: Any, pod: Json, container: Json) -> Any:
        return [
            (state, known.setdefault((state.uid, container["name"]), requests))
            for state, requests in original(self, pod, container)
        ]


@fault("devices/by-request")
def first_cdi_name_of_a_device() -> None:
    """Of several CDI names of a device a container gets the first."""

    @around(manager, "_prepared_device")
    def changed(original: Any, device: PluginDevice) -> ClaimStateDevice:
        prepared: ClaimStateDevice = original(device)
        return msgspec.structs.replace(prepared, cdi=prepared.cdi[:1])


@fault("restart/checkpoint")
def checkpoint_is_removed_when_it_is_read() -> None:
    """A kubelet that restarts twice knows no devices."""

    @around(ClaimStates, "__init__")
    def changed(original: Any, self: Any, checkpoint: Path) -> None:
        original(self, checkpoint)
        checkpoint.unlink(missing_ok=True)


# Unpreparing and ResourceSlices


@fault("unprepare/until-success")
def errors_of_later_claims_are_ignored() -> None:
    """Of the claims of a call to unprepare only the first must succeed."""

    @around(plugins.Plugins, "unprepare")
    def changed(original: Any, self: Any, driver: str, claims: tuple[Claim, ...]) -> UnprepareResponse:
        entries = original(self, driver, claims).claims
        later = {claim.uid: UnpreparedClaim() for claim in claims[1:]}
        return UnprepareResponse({**entries, **later})


@fault("unprepare/last-pod", "unprepare/idempotent")
def a_user_that_ends_twice_counts_twice() -> None:
    """A pod that is unprepared again takes the place of another user of its claims."""
    users: dict[str, set[str]] = {}

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        for state in self._states.all():
            former = users.setdefault(state.uid, set())
            if pod in state.pods:
                former.add(pod)
            elif pod in former:
                state.pods = {*list(state.pods)[1:], pod}
        original(self, pod)


@fault("unprepare/last-pod")
def a_user_that_is_prepared_twice_counts_twice() -> None:
    """A pod that was prepared several times must be unprepared as often."""
    prepared: Counter[str] = Counter()

    @around(manager.Manager, "_prepare")
    def counted(original: Any, self: Any, pod: Json) -> None:
        original(self, pod)
        prepared[pod["metadata"]["uid"]] += 1

    @around(manager.Manager, "_unprepare")
    def changed(original: Any, self: Any, pod: str) -> None:
        prepared[pod] -= 1
        if prepared[pod] <= 0:
            original(self, pod)


@fault("wiping/after-30s")
def crashed_drivers_are_not_away() -> None:
    """The ResourceSlices of a driver stay while its registration socket is there."""

    @around(plugins.Plugins, "_set_connected")
    def changed(original: Any, self: Any, instance: plugins.Instance, *, connected: bool) -> None:
        if connected or instance not in self._instances:
            original(self, instance, connected=connected)
        else:
            instance.connected = False
