"""Faults that were written from the documents alone, without a look at the cases."""

from __future__ import annotations

import copy
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    GET_INFO,
    NOTIFY,
    Claims,
    DeviceIdentifier,
    HealthReport,
    PluginDevice,
    PreparedClaim,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import prepared_claims, preparing, publishing
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.publishing import Publisher
from dra_conform.reference_driver.settings import DRIVER, DriverSettings
from tests.faulty.drivers.fault import around, fault

# Registration


def _change_registration(change: Any) -> None:
    @around(process, "_registration_handlers")
    def changed(original: Any, settings: DriverSettings) -> Any:
        handlers = dict(original(settings))
        change(settings, handlers)
        return handlers


@fault("DRIVER/registration/info", starts=False)
def endpoint_without_folder() -> None:
    """The endpoint is the name of the socket without its folder."""

    @around(process, "PluginInfo")
    def changed(original: Any, kind: str, name: str, endpoint: str, services: Any) -> Any:
        return original(kind, name, Path(endpoint).name, services)


@fault("DRIVER/registration/info", starts=False)
def notification_is_an_error() -> None:
    """NotifyRegistrationStatus fails, so that the kubelet drops the registration."""

    def change(settings: DriverSettings, handlers: Any) -> None:
        def fail(*_: Any) -> Any:
            raise NotImplementedError

        handlers[NOTIFY] = fail

    _change_registration(change)


@fault("DRIVER/registration/info", starts=False)
def notification_takes_ten_seconds() -> None:
    """NotifyRegistrationStatus takes longer than the five seconds that a kubelet waits."""

    def change(settings: DriverSettings, handlers: Any) -> None:
        notified = handlers[NOTIFY]

        def slow(*arguments: Any) -> Any:
            time.sleep(10)
            return notified(*arguments)

        handlers[NOTIFY] = slow

    _change_registration(change)


@fault("DRIVER/registration/refusal")
def socket_is_removed_after_a_rejection() -> None:
    """A rejected driver removes its registration socket."""

    def change(settings: DriverSettings, handlers: Any) -> None:
        notified = handlers[NOTIFY]

        def removing(status: Any, context: Any) -> Any:
            if not status.plugin_registered:
                settings.registration_socket.unlink(missing_ok=True)
            return notified(status, context)

        handlers[NOTIFY] = removing

    _change_registration(change)


@fault("DRIVER/registration/within-a-second", "DRIVER/registration/again")
def second_info_is_slow() -> None:
    """GetInfo is slow from the second call on."""

    def change(settings: DriverSettings, handlers: Any) -> None:
        info, calls = handlers[GET_INFO], iter(range(10**9))

        def slow(*arguments: Any) -> Any:
            if next(calls):
                time.sleep(3)
            return info(*arguments)

        handlers[GET_INFO] = slow

    _change_registration(change)


@fault("DRIVER/registration/again")
def endpoint_in_the_first_info_only() -> None:
    """Later answers of GetInfo have no endpoint."""

    def change(settings: DriverSettings, handlers: Any) -> None:
        info, calls = handlers[GET_INFO], iter(range(10**9))

        def later(*arguments: Any) -> Any:
            answer = info(*arguments)
            return msgspec.structs.replace(answer, endpoint="") if next(calls) else answer

        handlers[GET_INFO] = later

    _change_registration(change)


@fault("DRIVER/registration/cleanup")
def service_socket_stays() -> None:
    """Only the registration socket is removed at the end."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        original(settings)
        left = socket.socket(socket.AF_UNIX)
        left.bind(str(settings.service_socket))


@fault("DRIVER/registration/stale-socket")
def other_name_for_a_stale_socket() -> None:
    """A driver that finds a registration socket uses another name and leaves the old socket."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        path = settings.registration_socket
        if path.exists():
            other = path.with_name(f"{DRIVER}-2-reg.sock")
            DriverSettings.registration_socket = property(lambda _: other)  # type: ignore[assignment]
        original(settings)


# ResourceSlices


def _change_specs(change: Any) -> None:
    """Change the ResourceSlices to publish."""

    @around(Publisher, "_slices")
    def changed(original: Any, self: Any, *arguments: Any) -> dict[str, Json]:
        slices = original(self, *arguments)
        change(self, slices)
        return slices


@fault("DRIVER/slices/after-edit", "DRIVER/slices/complete")
def generation_of_the_changed_slice_only() -> None:
    """Only the ResourceSlice that is written gets the new generation."""

    @around(publishing, "_same")
    def same(original: Any, stored: Json, wanted: Json, generation: int) -> bool:
        return original(stored, wanted, stored["spec"]["pool"]["generation"])

    @around(APIClient, "update_slice")
    def changed(original: Any, self: Any, raw: Json) -> None:
        stored = self._request("GET", f"/apis/resource.k8s.io/v1/resourceslices/{raw['metadata']['name']}")
        if not publishing._same(stored, raw, 0):
            original(self, raw)


@fault("DRIVER/slices/complete")
def slice_count_of_the_past() -> None:
    """A pool with fewer ResourceSlices than before keeps its resourceSliceCount."""

    @around(Publisher, "_wanted")
    def changed(original: Any, self: Any, uid: str) -> dict[str, Json]:
        slices, _ = self._api.slices(self._selector)
        past = max((raw["spec"]["pool"]["resourceSliceCount"] for raw in slices), default=0)
        wanted = original(self, uid)
        for raw in wanted.values():
            raw["spec"]["pool"]["resourceSliceCount"] = max(past, len(wanted))
        return wanted


@fault("DRIVER/slices/complete")
def device_in_two_slices() -> None:
    """Each ResourceSlice begins with the last device of the one before."""

    def change(self: Any, slices: dict[str, Json]) -> None:
        last: list[Json] = []
        for raw in slices.values():
            devices = raw["spec"].get("devices") or []
            raw["spec"]["devices"] = [*last, *devices]
            last = devices[-1:]

    _change_specs(change)


@fault("DRIVER/slices/after-deletion")
def an_outage_ends_the_publisher() -> None:
    """After an error of the API server no ResourceSlice is repaired any more."""

    @around(Publisher, "_repair")
    def changed(original: Any, self: Any) -> str:
        try:
            return original(self)
        except APIError:
            if self._started:
                self.stop()
            raise
        finally:
            self._started = True

    Publisher._started = False  # type: ignore[attr-defined]


@fault("DRIVER/unprepare/no-api-server", "DRIVER/slices/after-deletion")
def an_outage_ends_the_driver() -> None:
    """The driver ends if the API server cannot be reached."""

    @around(Publisher, "_repair")
    def changed(original: Any, self: Any) -> str:
        try:
            return original(self)
        except APIError as error:
            if not error.code:
                os._exit(1)
            raise


@fault("DRIVER/slices/empty-pool", "DRIVER/slices/complete")
def no_devices_leave_the_old_slices() -> None:
    """A driver without devices does not touch the ResourceSlices of its earlier run."""

    @around(Publisher, "_repair")
    def changed(original: Any, self: Any) -> str:
        slices, version = self._api.slices(self._selector)
        if slices and not self._settings.device_names():
            return version
        return original(self)


# Prepare


def _first_checked_only() -> None:
    """Check the first device of each claim only."""

    @around(Preparing, "_allocation")
    def allocation(original: Any, self: Any, claim: Any) -> Json:
        self._checked = False
        return original(self, claim)

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Any) -> None:
        if not self._checked:
            original(self, result, claims)
        self._checked = True


@fault("DRIVER/prepare/unknown-device")
def first_device_is_checked_only() -> None:
    """Of several devices only the first must exist."""
    _first_checked_only()


@fault("DRIVER/prepare/in-use")
def second_device_can_be_in_use() -> None:
    """Of several devices only the first must be free."""

    @around(Preparing, "_allocation")
    def allocation(original: Any, self: Any, claim: Any) -> Json:
        self._checked = False
        return original(self, claim)

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Any) -> None:
        original(self, result, {} if self._checked else claims)
        self._checked = True


def _change_cdi(change: Any) -> None:
    """Change the CDI specs that are written."""

    @around(prepared_claims, "_write_atomically")
    def changed(original: Any, path: Path, value: Json) -> None:
        if "cdiVersion" in value:
            change(value)
        original(path, value)


@fault("DRIVER/prepare/cdi-resolves")
def cdi_spec_without_version() -> None:
    """The CDI spec has no cdiVersion, so runtimes reject it."""
    _change_cdi(lambda spec: spec.pop("cdiVersion"))


@fault("DRIVER/prepare/cdi-resolves")
def cdi_version_of_the_future() -> None:
    """The cdiVersion is none that exists, so runtimes reject the spec."""
    _change_cdi(lambda spec: spec.update(cdiVersion="9.9.9"))


@fault("DRIVER/prepare/cdi-resolves")
def cdi_version_that_was_never_released() -> None:
    """The cdiVersion is between two versions that exist, so runtimes reject the spec."""
    _change_cdi(lambda spec: spec.update(cdiVersion="0.9.0"))


@fault("DRIVER/prepare/cdi-resolves")
def cdi_version_older_than_annotations() -> None:
    """The CDI spec has annotations, and a cdiVersion before they were added."""
    _change_cdi(lambda spec: spec.update(cdiVersion="0.5.0"))


@fault("DRIVER/prepare/cdi-resolves", "DRIVER/metadata/file", "DRIVER/metadata/removed")
def cdi_edits_with_an_unknown_field() -> None:
    """The name of a field of containerEdits is wrong, so runtimes reject the spec."""
    edits = {"deviceNode": [{"path": "/dev/null"}]}
    _change_cdi(lambda spec: [device.update(containerEdits=edits) for device in spec["devices"]])


@fault("DRIVER/prepare/cdi-resolves", "DRIVER/metadata/file", "DRIVER/metadata/removed")
def cdi_devices_with_common_edits_only() -> None:
    """The edits of all devices are common edits of the spec, so runtimes reject the spec."""

    def change(spec: Json) -> None:
        for device in spec["devices"]:
            spec["containerEdits"] = device.pop("containerEdits")

    _change_cdi(change)


@fault("DRIVER/prepare/cdi-resolves")
def cdi_spec_with_a_spare_device() -> None:
    """A device that no ResourceClaim uses has no edits, so runtimes reject the spec with all its devices."""
    _change_cdi(lambda spec: spec["devices"].append({"name": "spare", "containerEdits": {}}))


@fault("DRIVER/prepare/cdi-resolves")
def cdi_devices_without_edits() -> None:
    """The containerEdits are empty, which runtimes reject."""
    _change_cdi(lambda spec: [device.update(containerEdits={}) for device in spec["devices"]])


@fault("DRIVER/prepare/cdi-resolves")
def cdi_spec_without_extension() -> None:
    """The CDI spec is a file that does not end in .json or .yaml."""
    around(PreparedClaims, "_cdi_path")(lambda original, self, uid: original(self, uid).with_suffix(".spec"))


@fault("DRIVER/prepare/cdi-qualified")
def cdi_names_with_slashes() -> None:
    """The CDI name of a device has a slash."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = f"{CDI_KIND}={uid}/{number}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/cdi-resolves", "DRIVER/prepare/devices", "DRIVER/unprepare/undoes")
def one_cdi_name_for_two_devices() -> None:
    """Devices of one request have one CDI name, which the spec defines twice."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = f"{CDI_KIND}={uid}-{result['request'].replace('/', '-')}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/cdi-resolves", "DRIVER/unprepare/undoes")
def temporary_cdi_file_stays() -> None:
    """The temporary file of the CDI spec stays and defines the same devices."""

    @around(prepared_claims, "_write_atomically")
    def changed(original: Any, path: Path, value: Json) -> None:
        if "cdiVersion" in value:
            path.with_name(f"tmp-{path.name}").write_text(json.dumps(value))
        original(path, value)


@fault("DRIVER/prepare/shares")
def share_ids_of_the_first_claim() -> None:
    """All claims that share a device get the share ID of the first."""
    first: dict[str, str] = {}

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        device = original(uid, number, result)
        share = first.setdefault(result["device"], result.get("shareID"))
        return msgspec.structs.replace(device, share_id=share)


@fault("DRIVER/prepare/same-after-restart", "DRIVER/prepare/shares")
def share_ids_are_lost_at_a_restart() -> None:
    """The checkpoint has no share IDs."""
    shares: dict[str, list[Any]] = {}

    @around(PreparedClaims, "_write")
    def written(original: Any, self: Any, claims: Any) -> None:
        kept = copy.deepcopy(dict(claims))
        for uid, claim in kept.items():
            for number, device in enumerate(claim["devices"]):
                if device.get("share_id"):
                    shares.setdefault(f"{uid}/{number}", device["share_id"])
                device["share_id"] = None
        original(self, kept)

    @around(PreparedClaims, "all")
    def read(original: Any, self: Any) -> dict[str, Json]:
        claims = original(self)
        for uid, claim in claims.items():
            for number, device in enumerate(claim["devices"]):
                device["share_id"] = shares.get(f"{uid}/{number}")
        return claims


@fault("DRIVER/prepare/error-per-claim", "DRIVER/prepare/unallocated")
def errors_have_no_text() -> None:
    """The entry of a claim that cannot be prepared has no error and no devices."""

    @around(Preparing, "_prepare")
    def changed(original: Any, self: Any, claim: Any) -> PreparedClaim:
        return msgspec.structs.replace(original(self, claim), error="")


@fault("DRIVER/prepare/atomic", "DRIVER/prepare/unknown-device")
def first_device_of_a_failed_claim_stays() -> None:
    """Devices are taken one by one, and those before the failing one stay in use."""

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Any) -> None:
        original(self, result, claims)
        self._taken.append(result["device"])

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        self._taken = []
        try:
            return original(self, claim)
        except CannotPrepare:
            if self._taken:
                devices = [
                    msgspec.to_builtins(PluginDevice(("x",), self._settings.node, name))
                    for name in self._taken
                ]
                count = len(devices)
                failed = {"admin": [False] * count, "groups": [""] * count, "devices": devices}
                self._prepared._write({**self._prepared.all(), f"failed-{claim.uid}": failed})
            raise


# Unprepare


@fault("DRIVER/unprepare/one-of-two", "DRIVER/prepare/admin")
def unprepare_of_admin_access_frees_the_user() -> None:
    """Unprepare of a claim with admin access also unprepares the claim that uses the device."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        claims = self.all()
        own = claims.get(uid)
        if own and any(own["admin"]):
            names = {device["device_name"] for device in own["devices"]}
            for other, claim in claims.items():
                if names & {device["device_name"] for device in claim["devices"]}:
                    original(self, other)
        original(self, uid)


@fault("DRIVER/unprepare/one-of-two", "DRIVER/prepare/shares")
def unprepare_of_one_share_frees_all() -> None:
    """Unprepare of one share of a device unprepares all shares."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        claims = self.all()
        shares = {
            device["device_name"]
            for device in (claims.get(uid) or {"devices": ()})["devices"]
            if device.get("share_id")
        }
        for other, claim in claims.items():
            if shares & {device["device_name"] for device in claim["devices"]}:
                original(self, other)
        original(self, uid)


@fault("DRIVER/unprepare/one-entry-each", "DRIVER/unprepare/undoes")
def first_claim_is_unprepared_only() -> None:
    """Of the claims of a call the first is unprepared; the answer names all."""

    @around(Preparing, "unprepare")
    def changed(original: Any, self: Any, request: Claims) -> UnprepareResponse:
        original(self, Claims(request.claims[:1]))
        return UnprepareResponse({claim.uid: UnpreparedClaim() for claim in request.claims})


@fault("DRIVER/unprepare/other-process", "DRIVER/unprepare/frees")
def lost_cdi_spec_fails_unprepare() -> None:
    """A claim whose CDI spec was lost cannot be unprepared."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        if uid in self.all() and not self._cdi_path(uid).exists():
            raise FileNotFoundError(self._cdi_path(uid))
        original(self, uid)


@fault("DRIVER/unprepare/claim-gone")
def replaced_claim_is_not_unprepared() -> None:
    """A claim whose name belongs to a new claim cannot be unprepared."""

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Any) -> UnpreparedClaim:
        try:
            raw = self._api.claim(claim.namespace, claim.name)
        except APIError:
            return original(self, claim)
        if raw["metadata"]["uid"] != claim.uid:
            return UnpreparedClaim("the ResourceClaim was replaced")
        return original(self, claim)


@fault("DRIVER/metadata/file", "DRIVER/unprepare/one-of-two")
def metadata_of_all_claims_is_removed() -> None:
    """Unprepare of one claim removes the metadata files of all."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        original(self, uid)
        if self._metadata and self._metadata.exists():
            for path in self._metadata.iterdir():
                path.unlink()


# Restart and update


@fault("DRIVER/upgrade/old-goes", "DRIVER/upgrade/either-serves")
def one_service_socket_for_two_instances() -> None:
    """The registration sockets of two instances differ, their service sockets do not."""
    DriverSettings.service_socket = property(lambda self: self.data / "dra.sock")  # type: ignore[assignment]


@fault("DRIVER/upgrade/either-serves")
def state_is_locked_for_life() -> None:
    """The first instance locks the state until its end."""

    @around(PreparedClaims, "locked")
    def changed(original: Any, self: Any) -> Any:
        lock = original(self)
        if not hasattr(self, "_held"):
            self._held = lock
            self._own = threading.RLock()
            lock.__enter__()
        return self._own

    @around(Publisher, "_groups")
    def groups(original: Any, self: Any) -> dict[str, str]:
        return {name: self._settings.group(name) for name in self._settings.device_names()}


@fault("DRIVER/upgrade/either-serves")
def checkpoint_is_read_once() -> None:
    """An instance reads the checkpoint at its start and later only writes it."""

    @around(Preparing, "__init__")
    def changed(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        claims = self._prepared.all()
        write = self._prepared._write

        def written(new: Any) -> None:
            claims.clear()
            claims.update(new)
            write(new)

        self._prepared._write = written
        self._prepared.all = lambda: copy.deepcopy(claims)


# Health


def _change_reports(change: Any) -> None:
    @around(process, "_reports")
    def changed(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        return change(original(*arguments))


@fault("DRIVER/health/all-devices")
def health_of_another_pool() -> None:
    """Health reports have the name of the driver as pool."""

    def change(reports: Iterator[HealthReport]) -> Iterator[HealthReport]:
        for report in reports:
            yield HealthReport(
                tuple(
                    msgspec.structs.replace(
                        health, device=DeviceIdentifier(DRIVER, health.device.device_name)
                    )
                    for health in report.devices
                )
            )

    _change_reports(change)


@fault("DRIVER/health/all-devices")
def health_for_the_first_watcher_only() -> None:
    """A second watch, as that of a restarted kubelet, gets no reports."""
    watched: list[bool] = []

    @around(process, "_reports")
    def changed(original: Any, settings: DriverSettings, context: Any, ended: Any) -> Iterator[HealthReport]:
        if watched:
            while context.is_active() and not ended.wait(1.0):
                continue
            return
        watched.append(True)
        yield from original(settings, context, ended)


# compatibilityGroups


@fault("KEP-5963/driver-duty/validate-at-prepare")
def groups_are_lost_at_a_restart() -> None:
    """After a restart the driver does not know the groups of prepared devices."""

    @around(Preparing, "__init__")
    def changed(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        self._old = set(self._prepared.all())

    @around(Preparing, "_check_groups")
    def check(original: Any, self: Any, name: str, claims: Any) -> None:
        original(self, name, {uid: claim for uid, claim in claims.items() if uid not in self._old})
