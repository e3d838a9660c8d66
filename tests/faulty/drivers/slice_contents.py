"""Faults of the contents of ResourceSlices, and of what the driver compares to repair them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    Claims,
    Empty,
    RegistrationStatus,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import publishing
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.preparing import Preparing
from dra_conform.reference_driver.publishing import Publisher
from tests.faulty.drivers.fault import around, fault


@fault("DRIVER/slices/restart-writes-nothing")
def attribute_with_the_time_of_the_start() -> None:
    """Each device has an attribute with the time at which the driver started."""
    started = str(time.time_ns())

    @around(Publisher, "_device")
    def changed(original: Any, self: Any, *arguments: Any) -> Json:
        device = original(self, *arguments)
        device["attributes"]["started"] = {"string": started}
        return device


def _publishers() -> list[Any]:
    """Return a list that gets the publisher of the driver when it starts."""
    publishers: list[Any] = []

    @around(Publisher, "start")
    def start(original: Any, self: Publisher) -> None:
        publishers.append(self)
        original(self)

    return publishers


@fault("DRIVER/slices/published")
def publishes_only_free_devices() -> None:
    """Devices of prepared claims are left out of the ResourceSlices."""
    publishers = _publishers()

    @around(Publisher, "_slices")
    def free(original: Any, self: Any, node_uid: str, groups: Mapping[str, str]) -> dict[str, Json]:
        prepared = PreparedClaims(self._settings.checkpoint, self._settings.cdi)
        with prepared.locked():
            claims = prepared.all().values()
        used = {device["device_name"] for claim in claims for device in claim["devices"]}
        slices: dict[str, Json] = original(self, node_uid, groups)
        for raw in slices.values():
            if "devices" in raw["spec"]:
                raw["spec"]["devices"] = [each for each in raw["spec"]["devices"] if each["name"] not in used]
        return slices

    def republished(original: Any, self: Preparing, request: Claims) -> Any:
        answer = original(self, request)
        for publisher in publishers:
            try:
                publisher._repair()
            except APIError as error:
                logging.warning("ResourceSlices: %s", error)
        return answer

    around(Preparing, "prepare")(republished)
    around(Preparing, "unprepare")(republished)


@fault("DRIVER/slices/no-idle-writes")
def publishes_again_at_each_registration() -> None:
    """Each registration raises the generation of the pool."""
    publishers = _publishers()

    @around(process, "_notified")
    def notified(original: Any, status: RegistrationStatus) -> Empty:
        for publisher in publishers if status.plugin_registered else ():
            try:
                slices, _ = publisher._api.slices(publisher._selector)
                for raw in slices:
                    raw["spec"]["pool"]["generation"] += 1
                    publisher._api.update_slice(raw)
            except APIError as error:
                logging.warning("ResourceSlices: %s", error)
        empty: Empty = original(status)
        return empty


@fault("DRIVER/slices/complete")
def counts_only_slices_with_devices() -> None:
    """`resourceSliceCount` leaves out the ResourceSlice with the counters."""

    @around(Publisher, "_slice")
    def counted(original: Any, self: Any, *arguments: Any) -> tuple[str, Json]:
        name, raw = original(self, *arguments)
        if self._settings.groups:
            raw["spec"]["pool"]["resourceSliceCount"] -= 1
        return name, raw


@fault("DRIVER/slices/after-edit")
def compares_only_the_names_of_devices() -> None:
    """Changes of attributes are not seen."""

    @around(publishing, "_same")
    def same(_: Any, stored: Json, wanted: Json, generation: int) -> bool:
        names = [[device["name"] for device in raw["spec"].get("devices") or ()] for raw in (stored, wanted)]
        return names[0] == names[1] and stored["spec"]["pool"]["generation"] == generation


@fault("DRIVER/slices/foreign")
def foreign_slices_of_a_higher_generation_stay() -> None:
    """ResourceSlices with a higher generation than the driver's are not listed."""

    @around(APIClient, "slices")
    def slices(original: Any, self: Any, selector: str) -> tuple[list[Json], str]:
        items, version = original(self, selector)
        own = [raw for raw in items if raw["metadata"]["name"][:5].isdigit()]
        newest = max((raw["spec"]["pool"]["generation"] for raw in own), default=10**9)
        return [raw for raw in items if raw["spec"]["pool"]["generation"] <= newest], version


@fault("DRIVER/slices/after-edit")
def only_the_first_slice_is_compared() -> None:
    """Changes of ResourceSlices after the first are not seen."""

    @around(publishing, "_same")
    def same(original: Any, stored: Json, wanted: Json, generation: int) -> bool:
        later = not wanted["metadata"]["name"].startswith("00000-")
        return later or bool(original(stored, wanted, generation))
