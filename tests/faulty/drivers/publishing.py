"""Faults of ResourceSlices."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.reference_driver import publishing
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.publishing import Publisher
from dra_conform.reference_driver.settings import DRIVER, DriverSettings
from tests.faulty.drivers.fault import around, fault


def _change_wanted(change: Any) -> None:
    """Change what the driver wants to publish."""

    @around(Publisher, "_wanted")
    def changed(original: Any, self: Any, *arguments: Any) -> Json:
        wanted = original(self, *arguments)
        for raw in wanted.values():
            change(raw)
        return wanted


@fault("DRIVER/slices/published", starts=False)
def publishes_nothing() -> None:
    """The driver publishes no ResourceSlice."""
    around(Publisher, "_repair")(lambda *_: "0")


@fault("DRIVER/slices/published", starts=False)
def publishes_invalid_names() -> None:
    """The names of the devices are not valid, so the API server rejects the ResourceSlice."""
    around(DriverSettings, "device_names")(lambda original, self: [f"GPU_{name}" for name in original(self)])


@fault("DRIVER/slices/complete", starts=False)
def incomplete_pool() -> None:
    """The pool says that it has more ResourceSlices than it has."""
    _change_wanted(lambda wanted: wanted["spec"]["pool"].update(resourceSliceCount=9))
    around(publishing, "_same")(lambda *_: True)


@fault("DRIVER/slices/owner")
def slices_without_owner() -> None:
    """The ResourceSlices have no owner and outlive their node."""
    _change_wanted(lambda wanted: wanted["metadata"].pop("ownerReferences"))

    @around(publishing, "_same")
    def changed(original: Any, stored: Json, wanted: Json, *_: Any) -> bool:
        return bool(stored["spec"]["devices"] == wanted["spec"]["devices"])


@fault("DRIVER/slices/no-idle-writes", "DRIVER/slices/restart-writes-nothing")
def writes_while_nothing_changes() -> None:
    """Each comparison writes the ResourceSlice."""
    around(publishing, "_same")(lambda *_: False)

    @around(DriverSettings, "of")
    def changed(original: Any, environment: Any) -> DriverSettings:
        settings: DriverSettings = original({**environment, "RESYNC_SECONDS": "1"})
        return settings

    _slow_down()


def _slow_down() -> None:
    """Let the loop that follows changes write once a second, not as fast as it can."""

    @around(Publisher, "_repair_on_changes")
    def changed(original: Any, self: Any) -> None:
        while not self._stopped.wait(1.0):
            try:
                self._repair()
            except APIError:
                continue


@fault("DRIVER/slices/restart-writes-nothing")
def other_order_after_each_start() -> None:
    """The order of the devices differs from start to start, as that of a Go map."""
    order: list[str] = []

    @around(DriverSettings, "device_names")
    def changed(original: Any, self: DriverSettings) -> list[str]:
        names = original(self)
        order.extend(random.sample(names, len(names) if not order else 0))
        return list(order)


@fault("DRIVER/slices/restart-writes-nothing")
def deletes_slices_at_its_end() -> None:
    """The ResourceSlices are deleted at SIGTERM, so pods cannot be scheduled during an update."""

    @around(Publisher, "stop")
    def changed(original: Any, self: Any) -> None:
        original(self)
        for raw in self._api.slices(self._selector)[0]:
            self._api.delete_slice(raw)


@fault("DRIVER/slices/restart-writes-nothing")
def replaces_slices_at_its_start() -> None:
    """The driver deletes its ResourceSlices when it starts, and creates new ones."""

    @around(Publisher, "start")
    def changed(original: Any, self: Any) -> None:
        for raw in self._api.slices(self._selector)[0]:
            self._api.delete_slice(raw)
        original(self)


@fault("DRIVER/slices/after-wiping", "DRIVER/slices/after-deletion", "DRIVER/slices/after-edit")
def publishes_once_in_a_lifetime() -> None:
    """After its first start the driver believes its ResourceSlices exist."""

    @around(Publisher, "_repair")
    def changed(original: Any, self: Any) -> str:
        marker = self._settings.data / "published"
        if marker.exists():
            version: str = self._api.slices(self._selector)[1]
            return version
        version = original(self)
        marker.touch()
        return version


@fault("DRIVER/slices/after-deletion", "DRIVER/slices/after-edit", "DRIVER/slices/foreign")
def publishes_at_its_start_only() -> None:
    """Nothing is repaired after the first publication."""
    around(Publisher, "_repair_regularly")(lambda *_: None)
    around(Publisher, "_repair_on_changes")(lambda _, self: _repair_once(self))


def _repair_once(publisher: Any) -> None:
    while True:
        try:
            publisher._repair()
            return
        except APIError:
            threading.Event().wait(0.5)


@fault("DRIVER/slices/after-edit")
def accepts_edits_by_others() -> None:
    """A ResourceSlice that another client edits stays as it is."""
    around(publishing, "_same")(lambda *_: True)


@fault("DRIVER/slices/foreign")
def keeps_slices_of_others() -> None:
    """A ResourceSlice that another client adds to the pool stays."""
    around(APIClient, "delete_slice")(lambda *_: None)


@fault("DRIVER/slices/generation")
def generation_stays() -> None:
    """Several ResourceSlices change, and the generation of the pool stays as it is."""

    @around(APIClient, "update_slice")
    def updated(original: Any, self: Any, raw: Json) -> None:
        original(self, _with_first_generation(raw))

    @around(APIClient, "create_slice")
    def created(original: Any, self: Any, raw: Json) -> None:
        original(self, _with_first_generation(raw))


def _with_first_generation(raw: Json) -> Json:
    pool = {**raw["spec"]["pool"], "generation": 1}
    return {**raw, "spec": {**raw["spec"], "pool": pool}}


@fault("DRIVER/slices/complete", "DRIVER/slices/generation")
def old_slices_stay() -> None:
    """ResourceSlices with devices that no longer exist stay as they are."""
    around(APIClient, "update_slice")(lambda *_: None)
    around(APIClient, "delete_slice")(lambda *_: None)


@fault("DRIVER/slices/empty-pool")
def no_slice_without_devices() -> None:
    """A driver without devices publishes no ResourceSlice."""

    @around(Publisher, "_wanted")
    def changed(original: Any, self: Any, *arguments: Any) -> Json:
        return original(self, *arguments) if self._settings.devices else {}


@fault("DRIVER/slices/after-deletion")
def never_repairs_deletions() -> None:
    """The driver publishes a ResourceSlice again only if its contents change (kubernetes#140011)."""
    created: set[str] = set()

    @around(APIClient, "create_slice")
    def changed(original: Any, self: Any, raw: Json) -> None:
        if raw["metadata"]["name"] not in created:
            original(self, raw)
            created.add(raw["metadata"]["name"])


@fault("KEP-5963/driver-duty/omit-when-gate-off", "DRIVER/slices/dropped-fields")
def groups_without_the_gate() -> None:
    """The driver writes compatibilityGroups, which the API server drops, again and again."""
    around(APIClient, "keeps_groups")(lambda *_: True)
    _slow_down()


@fault("KEP-5963/driver-duty/republish-on-gate-change")
def gate_of_the_start() -> None:
    """The driver asks at its start only whether the API server keeps compatibilityGroups."""
    known: list[bool] = []

    @around(APIClient, "keeps_groups")
    def changed(original: Any, self: Any, raw: Json) -> bool:
        if not known:
            known.append(original(self, raw))
        return known[0]


@fault("KEP-5963/driver-duty/keep-groups-of-used-devices")
def groups_of_used_devices_change() -> None:
    """A restart with other groups changes those of devices in use."""

    @around(Publisher, "_groups")
    def changed(original: Any, self: Any) -> dict[str, str]:
        return {name: self._settings.group(name) for name in original(self)}


def _delete_at_the_start(selector: Callable[[DriverSettings], str]) -> None:
    """Delete the ResourceSlices that a field selector selects when the driver starts to publish."""

    @around(Publisher, "start")
    def changed(original: Any, self: Any) -> None:
        self._api.delete_slices(selector(self._settings))
        original(self)


@fault(
    "DRIVER/slices/others-unchanged", "DRIVER/slices/no-idle-writes", "DRIVER/slices/restart-writes-nothing"
)
def deletes_all_slices_of_the_driver() -> None:
    """A driver that starts deletes its ResourceSlices of all nodes."""
    _delete_at_the_start(lambda _: f"spec.driver={DRIVER}")


@fault(
    "DRIVER/slices/others-unchanged", "DRIVER/slices/no-idle-writes", "DRIVER/slices/restart-writes-nothing"
)
def deletes_all_slices_of_the_node() -> None:
    """A driver that starts deletes the ResourceSlices of all drivers of its node."""
    _delete_at_the_start(lambda settings: f"spec.nodeName={settings.node}")


@fault("DRIVER/slices/others-unchanged")
def selects_slices_without_the_node() -> None:
    """The driver takes its ResourceSlices of other nodes for foreign ones, and deletes them."""
    Publisher._selector = property(lambda _: f"spec.driver={DRIVER}")  # type: ignore[assignment]


@fault("DRIVER/slices/others-unchanged")
def selects_slices_without_the_driver() -> None:
    """The driver takes ResourceSlices of other drivers in a pool of the same name for foreign ones."""
    Publisher._selector = property(  # type: ignore[assignment]
        lambda self: f"spec.nodeName={self._settings.node}"
    )


@fault("DRIVER/slices/others-unchanged")
def slices_of_the_node_are_deleted_at_the_end() -> None:
    """A driver that ends deletes the ResourceSlices of its node."""

    @around(Publisher, "stop")
    def changed(original: Any, self: Any) -> None:
        original(self)
        self._api.delete_slices(f"spec.nodeName={self._settings.node}")


@fault("KEP-5963/driver-duty/validate-at-prepare", starts=False)
def groups_of_the_first_device_only() -> None:
    """Only the first device has compatibilityGroups."""

    @around(Publisher, "_groups")
    def changed(original: Any, self: Any) -> dict[str, str]:
        return dict(list(original(self).items())[:1])


@fault("KEP-5963/driver-duty/republish-on-gate-change")
def groups_of_the_first_device_after_a_gate_change() -> None:
    """When the API server keeps compatibilityGroups again, only the first device gets them."""
    dropped = threading.Event()

    @around(Publisher, "_wanted")
    def changed(original: Any, self: Any, uid: str) -> Json:
        wanted = original(self, uid)
        devices = [device for raw in wanted.values() for device in raw["spec"].get("devices", ())]
        consumed = [entry for device in devices for entry in device.get("consumesCounters", ())]
        if consumed and not any("compatibilityGroups" in entry for entry in consumed):
            dropped.set()
        elif dropped.is_set():
            for entry in consumed[1:]:
                entry.pop("compatibilityGroups", None)
        return wanted
