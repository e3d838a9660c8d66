"""Correct kubelets that differ from the reference kubelet where the statements leave a choice.

`python -m tests.right.kubelets NAME` runs one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.kube.json_values import Json
from dra_conform.reference_kubelet import __main__ as process
from dra_conform.reference_kubelet import manager
from dra_conform.reference_kubelet.claim_states import ClaimState
from dra_conform.reference_kubelet.errors import KubeletError
from dra_conform.reference_kubelet.plugins import NotRegistered
from dra_conform.reference_kubelet.pod_devices import PodDevices
from tests.faulty.drivers.fault import around


def own_words() -> None:
    """Errors name neither ResourceClaims nor drivers."""
    for call in ("prepare", "unprepare"):

        @around(manager.Manager, call)
        def changed(original: Any, self: Any, pod: Json) -> None:
            try:
                original(self, pod)
            except KubeletError:
                raise KubeletError("dynamic resources are not ready, look into the log of the node") from None


def other_order() -> None:
    """Drivers are called, and ResourceClaims and CDI devices are listed, in the reverse order."""

    @around(manager, "_references")
    def references(original: Any, batch: Sequence[ClaimState]) -> Any:
        return original(batch[::-1])

    @around(manager, "_drivers")
    def drivers(original: Any, claim: Json) -> Any:
        return original(claim)[::-1]

    @around(PodDevices, "cdi_names")
    def cdi_names(original: Any, self: Any, pod: Json) -> Json:
        containers = original(self, pod)
        return {name: {**found, "cdi": found["cdi"][::-1]} for name, found in containers.items()}


def all_drivers_are_called() -> None:
    """An error of one driver does not keep the kubelet from calling the other drivers of a pod."""

    @around(manager.Manager, "_prepare")
    def prepare(original: Any, self: Any, pod: Json) -> None:
        errors: list[KubeletError] = []
        asked: list[ClaimState] = []
        one_driver = self._prepare_by

        def prepare_by(driver: str, batch: Sequence[ClaimState]) -> None:
            asked.extend(batch)
            try:
                one_driver(driver, batch)
            except KubeletError as error:
                errors.append(error)

        self._prepare_by = prepare_by
        try:
            original(self, pod)
        finally:
            del self._prepare_by
        if errors:
            for state in asked:
                state.prepared = False
            raise errors[0]

    @around(manager.Manager, "_unprepare")
    def unprepare(original: Any, self: Any, pod: str) -> None:
        with self._lock:
            for state in self._states.of_pod(pod):
                if len(state.pods) > 1:
                    state.pods.discard(pod)
            last = self._states.of_pod(pod)
        error = None
        for driver in {driver for state in last for driver in state.drivers}:
            batch = [state for state in last if driver in state.drivers]
            for state in batch:
                state.unpreparing = True
            try:
                answer = self._plugins.unprepare(driver, manager._references(batch)).claims
                manager._require_all(driver, batch, answer)
            except (CallFailed, NotRegistered, KubeletError) as failed:
                error = KubeletError(str(failed))
                continue
            for state in batch:
                state.drivers.pop(driver)
        if error is not None:
            raise error
        original(self, pod)


def each_claim_is_prepared() -> None:
    """A ResourceClaim is prepared when all its drivers have prepared it, also if its pod fails."""
    prepared: dict[int, tuple[ClaimState, set[str]]] = {}

    @around(manager.Manager, "_prepare_by")
    def prepare_by(_: Any, self: Any, driver: str, batch: Sequence[ClaimState]) -> None:
        for state in batch:
            prepared.setdefault(id(state), (state, set()))[1].discard(driver)
        try:
            answer = self._plugins.prepare(driver, manager._references(batch)).claims
        except (CallFailed, NotRegistered) as failed:
            raise KubeletError(str(failed)) from None
        for state in batch:
            entries = {uid: entry for uid, entry in answer.items() if uid == state.uid}
            with suppress(KubeletError):
                manager._require_all(driver, [state], entries)
                state.drivers[driver] = tuple(map(manager._prepared_device, entries[state.uid].devices))
                prepared[id(state)][1].add(driver)
                state.prepared = prepared[id(state)][1] == {*state.drivers}
        manager._require_all(driver, batch, answer)


RIGHT: Mapping[str, Callable[[], None]] = {
    change.__name__.replace("_", "-"): change
    for change in (own_words, other_order, all_drivers_are_called, each_claim_is_prepared)
}
"""All correct kubelets by name."""

if __name__ == "__main__":
    RIGHT[sys.argv[1]]()
    process.main()
