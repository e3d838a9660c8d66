"""Faults of a third round, written from the documents alone, that no case showed then."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import grpc
import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    PLUGIN_SERVICES,
    Claim,
    Claims,
    Empty,
    HealthReport,
    Method,
    PreparedClaim,
    RegistrationStatus,
)
from dra_conform.kube.plugin_server import Handler
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing, publishing
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.preparing import Preparing
from dra_conform.reference_driver.publishing import Publisher
from dra_conform.reference_driver.settings import Settings
from tests.faulty.drivers.fault import around, fault

# Registration and publication


@fault("DRIVER/registration/cleanup")
def ends_only_when_all_streams_have_ended() -> None:
    """The end waits for streams, and a kubelet that watches health does not end its stream."""
    streams: list[grpc.ServicerContext] = []

    @around(process, "_reports")
    def reports(
        original: Any, settings: Settings, context: grpc.ServicerContext, _: threading.Event
    ) -> Iterator[Any]:
        streams.append(context)
        try:
            yield from original(settings, context, threading.Event())
        finally:
            streams.remove(context)

    @around(process, "serve")
    def serve(original: Callable[..., grpc.Server], *arguments: Any) -> grpc.Server:
        server: Any = original(*arguments)
        stop = server.stop

        def graceful(grace: float) -> threading.Event:
            while streams:
                time.sleep(0.1)
            stopped: threading.Event = stop(grace)
            return stopped

        server.stop = graceful
        return server


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


# Prepare and unprepare


@fault("DRIVER/prepare/unknown-pool")
def accepts_pools_that_begin_with_the_name_of_the_node() -> None:
    """A device of another pool is prepared if the name of the pool begins with that of the node."""

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Mapping[str, Json]) -> None:
        node = self._settings.node
        pool = node if result["pool"].startswith(node) else result["pool"]
        original(self, {**result, "pool": pool}, claims)


@fault("DRIVER/prepare/in-use")
def unpreparing_an_admin_frees_the_device_of_its_user() -> None:
    """All users of the devices of an unprepared claim are forgotten."""

    @around(PreparedClaims, "remove")
    def remove(original: Any, self: Any, uid: str) -> None:
        freed = {device["device_name"] for device in (self.all().get(uid) or {"devices": ()})["devices"]}
        original(self, uid)
        if freed:
            self._write(_without_users(self.all(), freed))


@fault("DRIVER/prepare/in-use")
def unpreparing_frees_what_the_claim_is_allocated() -> None:
    """The devices in the allocation of an unprepared claim are free, even if another claim uses them."""

    @around(Preparing, "_unprepare")
    def unprepare(original: Any, self: Any, claim: Claim) -> Any:
        answer = original(self, claim)
        try:
            results = self._api.claim(claim.namespace, claim.name)["status"]["allocation"]["devices"][
                "results"
            ]
        except (APIError, KeyError):
            return answer
        with self._prepared.locked():
            freed = {result["device"] for result in results}
            self._prepared._write(_without_users(self._prepared.all(), freed))
        return answer


def _without_users(claims: dict[str, Json], freed: set[str]) -> dict[str, Json]:
    """Return the prepared claims so that they do not use some devices, as if they were admins."""
    for claim in claims.values():
        pairs = zip(claim["admin"], claim["devices"], strict=True)
        claim["admin"] = [admin or device["device_name"] in freed for admin, device in pairs]
    return claims


@fault("DRIVER/prepare/older-service")
def the_older_service_has_a_checkpoint_of_its_own() -> None:
    """Each service knows only the claims that it has prepared."""

    @around(process, "_service_handlers")
    def handlers(
        original: Callable[..., dict[Method, Handler]], settings: Settings, prepares: Any, *rest: Any
    ) -> dict[Method, Handler]:
        older: Any = Preparing(settings, prepares._api)
        older._prepared._checkpoint = settings.data / "checkpoint-v1beta1.json"
        methods = original(settings, prepares, *rest)
        services = PLUGIN_SERVICES["v1beta1.DRAPlugin"]
        methods[services["prepare"]] = lambda request, _: older.prepare(request)
        methods[services["unprepare"]] = lambda request, _: older.unprepare(request)
        return methods


def _with_checkpoint_before(call: str) -> dict[str, Json]:
    """Return a dictionary that gets the checkpoint before each call; calls are made one after the other."""
    before: dict[str, Json] = {}
    calls = threading.RLock()

    @around(Preparing, call)
    def counted(original: Any, self: Any, request: Claims) -> Any:
        with calls:
            before.clear()
            before.update(self._prepared.all())
            return original(self, request)

    return before


@fault("DRIVER/prepare/in-use", "DRIVER/prepare/in-use-after-restart")
def the_checkpoint_has_only_the_last_claim_of_a_call() -> None:
    """Each claim of a call is added to the checkpoint as it was before the call."""
    before = _with_checkpoint_before("prepare")

    @around(PreparedClaims, "add")
    def add(_: Any, self: Any, uid: str, claim: Json) -> None:
        self.write_cdi(uid, claim)
        self._write({**before, uid: claim})


@fault("DRIVER/unprepare/frees", "DRIVER/unprepare/frees-for-good")
def the_checkpoint_loses_only_the_last_claim_of_a_call() -> None:
    """Each claim of a call is removed from the checkpoint as it was before the call."""
    before = _with_checkpoint_before("unprepare")

    @around(PreparedClaims, "remove")
    def remove(original: Any, self: Any, uid: str) -> None:
        original(self, uid)
        self._write({other: claim for other, claim in before.items() if other != uid})


@fault("DRIVER/metadata/removed")
def removes_the_metadata_of_the_first_device_only() -> None:
    """The files of all other devices of the claim stay."""
    removing = threading.local()

    @around(PreparedClaims, "_metadata_paths")
    def paths_of(original: Any, self: PreparedClaims, uid: str, count: int) -> list[Path]:
        paths: list[Path] = original(self, uid, count)
        return paths[:1] if getattr(removing, "now", False) else paths

    @around(PreparedClaims, "remove")
    def remove(original: Any, self: PreparedClaims, uid: str) -> None:
        removing.now = True
        try:
            original(self, uid)
        finally:
            removing.now = False


# Health, status and groups


@fault("DRIVER/health/time")
def health_times_in_milliseconds() -> None:
    """The time of a report is a thousand times too large."""

    @around(process, "_reports")
    def reports(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        for report in original(*arguments):
            yield HealthReport(
                tuple(
                    msgspec.structs.replace(device, last_updated_time=device.last_updated_time * 1000)
                    for device in report.devices
                )
            )


@fault("KEP-5075/status/device-entries-owned-by-drivers")
def writes_status_for_the_devices_of_all_drivers() -> None:
    """Each result of an allocation gets an entry in `status.devices`, whatever its driver is."""

    @around(Preparing, "_prepare")
    def prepare(original: Any, self: Any, claim: Claim) -> PreparedClaim:
        answer: PreparedClaim = original(self, claim)
        if answer.error:
            return answer
        path = f"/apis/resource.k8s.io/v1/namespaces/{claim.namespace}/resourceclaims/{claim.name}/status"
        try:
            raw = self._api.claim(claim.namespace, claim.name)
            entries = raw["status"].setdefault("devices", [])
            known = [_identity(entry) for entry in entries]
            results = map(_identity, raw["status"]["allocation"]["devices"]["results"])
            entries += [
                {**identity, "data": {"ready": True}} for identity in results if identity not in known
            ]
            self._api._request("PUT", path, raw)
        except (APIError, KeyError) as error:
            logging.warning("status of %s: %s", claim.name, error)
        return answer


def _identity(raw: Json) -> dict[str, str]:
    return {name: raw[name] for name in ("driver", "pool", "device", "shareID") if name in raw}


@fault("KEP-5963/driver-duty/validate-at-prepare")
def compares_groups_with_other_claims_only() -> None:
    """Devices of one claim are not compared with each other."""

    @around(preparing, "_check_one_group")
    def check(_: Any, claim: Json) -> None:
        pass
