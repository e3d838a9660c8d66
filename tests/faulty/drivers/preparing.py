"""Faults of NodePrepareResources."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import random
import threading
import time
from collections import Counter
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    PLUGIN_SERVICES,
    Claims,
    PluginDevice,
    PreparedClaim,
    PrepareResponse,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import prepared_claims, preparing
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.publishing import Publisher
from dra_conform.reference_driver.settings import DRIVER
from tests.faulty.drivers.fault import around, fault


def _change_answer(change: Any) -> None:
    """Change the answer of NodePrepareResources; `change` gets request and answer."""

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Claims) -> PrepareResponse:
        response: PrepareResponse = change(request, original(self, request))
        return response


def _change_devices(change: Any) -> None:
    """Change the devices in each answer, but not in the checkpoint."""

    @around(preparing, "_devices")
    def changed(original: Any, claim: Json) -> tuple[PluginDevice, ...]:
        return tuple(change(list(original(claim))))


# One entry for each claim


@fault("DRIVER/prepare/one-entry-each", "DRIVER/prepare/error-per-claim", "DRIVER/prepare/parallel")
def first_claim_only() -> None:
    """The answer has the first claim of the call only."""
    _change_answer(
        lambda request, answer: PrepareResponse(
            {claim.uid: answer.claims[claim.uid] for claim in request.claims[:1]}
        )
    )


@fault("DRIVER/prepare/one-entry-each")
def entries_by_name() -> None:
    """The answer has the names of claims for their UIDs."""
    _change_answer(
        lambda request, answer: PrepareResponse(
            {claim.name: answer.claims[claim.uid] for claim in request.claims}
        )
    )


@fault("DRIVER/prepare/one-entry-each")
def entry_that_nobody_asked_for() -> None:
    """The answer has an entry for a UID that is not in the call."""
    _change_answer(
        lambda request, answer: PrepareResponse(
            {**answer.claims, "11111111-1111-4111-8111-111111111111": PreparedClaim()}
        )
    )


@fault("DRIVER/prepare/empty", "DRIVER/registration/services-answer")
def call_without_claims_fails() -> None:
    """A call without claims is an error."""

    def change(request: Claims, answer: PrepareResponse) -> PrepareResponse:
        if not request.claims:
            raise ValueError("no claims")
        return answer

    _change_answer(change)


# The devices of the answer


@fault("DRIVER/prepare/devices")
def first_device_of_the_node() -> None:
    """The answer has the first device of the node for each result."""
    _change_devices(
        lambda devices: [msgspec.structs.replace(device, device_name="gpu-0") for device in devices]
    )


@fault("DRIVER/prepare/devices")
def pool_of_the_driver_name() -> None:
    """The answer has the name of the driver as pool."""
    _change_devices(lambda devices: [msgspec.structs.replace(device, pool_name=DRIVER) for device in devices])


@fault("DRIVER/prepare/devices")
def first_result_only() -> None:
    """Of several allocated devices the answer has the first."""
    _change_devices(lambda devices: devices[:1])


@fault("DRIVER/prepare/requests")
def subrequest_in_the_request_name() -> None:
    """The device names request and subrequest, so the kubelet finds no device for the container."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        return msgspec.structs.replace(original(uid, number, result), request_names=(result["request"],))


@fault("DRIVER/prepare/requests")
def subrequest_for_the_request() -> None:
    """The device names the subrequest alone."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = result["request"].rpartition("/")[2]
        return msgspec.structs.replace(original(uid, number, result), request_names=(name,))


@fault("DRIVER/prepare/each-request-its-own")
def all_devices_for_all_requests() -> None:
    """Devices name no request, so each container gets all devices of the claim."""
    _change_devices(lambda devices: [msgspec.structs.replace(device, request_names=()) for device in devices])


@fault("DRIVER/prepare/each-request-its-own")
def first_request_for_all_devices() -> None:
    """All devices name the first request."""
    _change_devices(
        lambda devices: [
            msgspec.structs.replace(device, request_names=devices[0].request_names) for device in devices
        ]
    )


@fault("DRIVER/prepare/other-drivers")
def results_of_other_drivers() -> None:
    """Results of other drivers are prepared too."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        allocation = original(self, claim)
        return {**allocation, "results": [{**result, "driver": DRIVER} for result in allocation["results"]]}


@fault("DRIVER/prepare/other-configs")
def configuration_of_other_drivers() -> None:
    """Configuration of other drivers is checked as if it were the driver's own."""

    @around(Preparing, "_check_configuration")
    def changed(original: Any, self: Any, allocation: Json) -> None:
        entries = [
            {**entry, "opaque": {**(entry.get("opaque") or {}), "driver": DRIVER}}
            for entry in allocation.get("config") or ()
        ]
        original(self, {**allocation, "config": entries})


@fault("DRIVER/prepare/error-per-claim")
def invalid_configuration_is_accepted() -> None:
    """Configuration that the driver does not know is ignored."""
    around(Preparing, "_check_configuration")(lambda *_: None)


@fault("DRIVER/prepare/unknown-device")
def unknown_devices_are_prepared() -> None:
    """Any device in any pool is prepared."""

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Any) -> None:
        if result["device"] in self._settings.device_names() and result["pool"] == self._settings.node:
            original(self, result, claims)


@fault("DRIVER/prepare/unknown-device")
def unknown_devices_are_left_out() -> None:
    """A device that does not exist is left out of the answer without an error."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        allocation, names = original(self, claim), self._settings.device_names()
        known = [result for result in allocation["results"] if result["device"] in names]
        return {**allocation, "results": known}


@fault("DRIVER/prepare/unknown-pool")
def unknown_pools_are_prepared() -> None:
    """A device is found by its name, whatever its pool is."""

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Any) -> None:
        original(self, {**result, "pool": self._settings.node}, claims)


@fault("DRIVER/prepare/in-use", "DRIVER/prepare/in-use-after-restart")
def devices_are_prepared_twice() -> None:
    """A device that another claim has prepared is prepared again."""
    around(preparing, "_in_use")(lambda *_: ())


@fault("DRIVER/prepare/admin")
def admin_access_is_not_known() -> None:
    """A claim with admin access is not prepared if another claim has the device."""

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Any) -> None:
        original(self, {**result, "adminAccess": False}, claims)


@fault("DRIVER/prepare/admin", "DRIVER/prepare/in-use")
def admin_access_uses_up_the_device() -> None:
    """A device that a claim with admin access has cannot be prepared for another claim."""

    @around(PreparedClaims, "all")
    def changed(original: Any, self: Any) -> dict[str, Json]:
        return {
            uid: {**claim, "admin": [False for _ in claim["admin"]]} for uid, claim in original(self).items()
        }


@fault("DRIVER/prepare/shares")
def no_share_ids() -> None:
    """The answer has no share IDs."""
    _change_devices(lambda devices: [msgspec.structs.replace(device, share_id=None) for device in devices])


@fault("DRIVER/prepare/shares")
def one_claim_for_each_shared_device() -> None:
    """A device of which one share is prepared cannot be prepared for another share."""

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Any) -> None:
        exclusive = Preparing.__new__(Preparing)
        exclusive._settings = dataclasses.replace(self._settings, shared=False)
        original(exclusive, result, claims)


@fault("DRIVER/prepare/older-service")
def older_service_prepares_nothing() -> None:
    """The v1beta1 service answers without devices."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = dict(original(*arguments))
        method = PLUGIN_SERVICES["v1beta1.DRAPlugin"]["prepare"]
        handlers[method] = lambda request, _: PrepareResponse(
            {claim.uid: PreparedClaim() for claim in request.claims}
        )
        return handlers


# The claim in the API server


@fault("DRIVER/prepare/replaced-claim")
def replaced_claim_is_prepared() -> None:
    """The UID of the claim in the API server is not compared."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        raw = self._api.claim(claim.namespace, claim.name)
        return original(self, msgspec.structs.replace(claim, uid=raw["metadata"]["uid"]))


@fault("DRIVER/prepare/unallocated")
def unallocated_claim_is_prepared() -> None:
    """A claim without allocation is prepared without devices."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        try:
            return original(self, claim)
        except CannotPrepare:
            return {"results": []}


@fault("DRIVER/prepare/unallocated")
def unallocated_claim_ends_the_driver() -> None:
    """A claim without allocation is a nil pointer."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        try:
            return original(self, claim)
        except CannotPrepare:
            os._exit(2)


@fault("DRIVER/prepare/status-own-entries")
def device_status_of_others_is_lost() -> None:
    """The driver writes status.devices with its own devices only."""

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        devices = original(self, claim)
        raw = self._api.claim(claim.namespace, claim.name)
        raw["status"]["devices"] = [
            {"driver": DRIVER, "pool": device.pool_name, "device": device.device_name} for device in devices
        ]
        path = f"/apis/resource.k8s.io/v1/namespaces/{claim.namespace}/resourceclaims/{claim.name}/status"
        self._api._request("PUT", path, raw)
        return devices


@fault("DRIVER/prepare/not-after-publishing")
def prepares_after_publishing_only() -> None:
    """No claim is prepared before the driver has published, which takes seconds (dra-driver-cpu#168)."""
    published: list[bool] = []

    @around(Publisher, "_repair_on_changes")
    def delayed(original: Any, self: Any) -> None:
        time.sleep(3)
        original(self)

    @around(Publisher, "_repair")
    def changed(original: Any, self: Any) -> str:
        version: str = original(self)
        published.append(True)
        return version

    @around(Preparing, "_prepared_devices")
    def prepared(original: Any, self: Any, claim: Any) -> Any:
        if not published:
            raise CannotPrepare("the devices are not published yet")
        return original(self, claim)


# CDI


@fault("DRIVER/prepare/cdi-qualified", "DRIVER/prepare/cdi-resolves")
def names_without_vendor() -> None:
    """The CDI names lack vendor and class."""
    _change_devices(
        lambda devices: [
            msgspec.structs.replace(
                device, cdi_device_ids=tuple(name.partition("=")[2] for name in device.cdi_device_ids)
            )
            for device in devices
        ]
    )


@fault("DRIVER/prepare/cdi-resolves")
def no_cdi_spec() -> None:
    """No CDI spec is written."""
    around(PreparedClaims, "write_cdi")(lambda *_: None)


@fault("DRIVER/prepare/cdi-resolves")
def cdi_spec_comes_later() -> None:
    """The CDI spec is written a second after the answer."""

    @around(PreparedClaims, "write_cdi")
    def changed(original: Any, self: Any, uid: str, claim: Json) -> None:
        threading.Timer(1.0, original, (self, uid, claim)).start()


@fault("DRIVER/prepare/cdi-resolves")
def cdi_spec_with_other_names() -> None:
    """The CDI spec has the devices of the node, the answer the names of the claim."""

    @around(PreparedClaims, "write_cdi")
    def changed(original: Any, self: Any, uid: str, claim: Json) -> None:
        devices = [
            {**device, "cdi_device_ids": [f"{CDI_KIND}={device['device_name']}"]}
            for device in claim["devices"]
        ]
        original(self, uid, {**claim, "devices": devices})


@fault("DRIVER/prepare/cdi-names-not-reused", "DRIVER/unprepare/undoes", "DRIVER/unprepare/one-of-two")
def cdi_names_of_the_number() -> None:
    """The CDI name is the number of the device in its claim, so it stands for many devices."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = f"{CDI_KIND}=device-{number}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/idempotent", "DRIVER/prepare/third-time")
def new_cdi_names_in_each_call() -> None:
    """Each call makes new CDI names."""

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        known = self._prepared.all()
        for device in (known.get(claim.uid) or {"devices": ()})["devices"]:
            device["cdi_device_ids"] = [f"{CDI_KIND}={claim.uid}-{random.randrange(10**6)}"]
        self._prepared._write(known)
        return original(self, claim)


@fault("DRIVER/prepare/idempotent", "DRIVER/prepare/third-time")
def second_call_fails() -> None:
    """A claim that is prepared cannot be prepared again."""

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        if claim.uid in self._prepared.all():
            raise CannotPrepare("the ResourceClaim is already prepared")
        return original(self, claim)


@fault("DRIVER/prepare/idempotent", "DRIVER/prepare/third-time")
def second_call_doubles_the_devices() -> None:
    """The answer for a claim that is prepared has each device twice."""

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        known = claim.uid in self._prepared.all()
        devices = original(self, claim)
        return (*devices, *devices) if known else devices


@fault("DRIVER/prepare/third-time")
def third_call_fails() -> None:
    """The second call succeeds and the third fails (dra-driver-nvidia-gpu#729)."""
    calls: Counter[str] = Counter()

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        calls[claim.uid] += 1
        if calls[claim.uid] == 3:
            raise CannotPrepare("the ResourceClaim is in an unknown state")
        return original(self, claim)


@fault("DRIVER/prepare/idempotent")
def each_call_rewrites_the_cdi_spec() -> None:
    """The contents of the CDI spec change with each call."""

    @around(prepared_claims, "_write_atomically")
    def changed(original: Any, path: Any, value: Json) -> None:
        for device in value.get("devices", ()):
            device["containerEdits"]["env"].append(f"PREPARED_AT={time.time_ns()}")
        original(path, value)


@fault("DRIVER/prepare/cdi-after-reboot", "DRIVER/prepare/cdi-lost-while-running")
def answers_from_the_checkpoint_alone() -> None:
    """The CDI spec of a claim that is prepared is not written again (kubernetes#141433)."""

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        known = self._prepared.all().get(claim.uid)
        return preparing._devices(known) if known else original(self, claim)


@fault("DRIVER/prepare/cdi-lost-while-running")
def one_cdi_spec_for_each_start() -> None:
    """A process writes the CDI spec of a claim once."""
    written: set[str] = set()

    @around(PreparedClaims, "write_cdi")
    def changed(original: Any, self: Any, uid: str, claim: Json) -> None:
        if uid not in written:
            original(self, uid, claim)
            written.add(uid)


@fault("DRIVER/prepare/cdi-shared-lost", "DRIVER/prepare/cdi-lost-while-running")
def common_cdi_spec_of_the_start() -> None:
    """Each claim uses a common CDI device, whose spec is written at the start of the driver only."""
    common = f"{DRIVER}/common=all"
    around(PreparedClaims, "__init__")(_with_common_spec)
    _change_devices(
        lambda devices: [
            msgspec.structs.replace(device, cdi_device_ids=(*device.cdi_device_ids, common))
            for device in devices
        ]
    )


def _with_common_spec(original: Any, self: Any, checkpoint: Any, cdi: Any, *more: Any) -> None:
    original(self, checkpoint, cdi, *more)
    device = {"name": "all", "containerEdits": {"env": ["COMMON=1"]}}
    spec = {"cdiVersion": "0.6.0", "kind": f"{DRIVER}/common", "devices": [device]}
    (cdi / "common.json").write_text(json.dumps(spec))


# Failures, and calls at the same time


@fault("DRIVER/prepare/atomic", "DRIVER/prepare/in-use")
def failed_claim_keeps_its_devices() -> None:
    """The checkpoint is written before the CDI spec, so a claim that failed has devices (dra-driver-cpu#169)."""

    @around(PreparedClaims, "add")
    def changed(original: Any, self: Any, uid: str, claim: Json) -> None:
        self._write({**self.all(), uid: claim})
        self.write_cdi(uid, claim)


@fault("DRIVER/prepare/atomic")
def failed_claim_stays_failed() -> None:
    """A claim that failed once fails until the driver starts again."""
    failed: set[str] = set()

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        if claim.uid in failed:
            raise CannotPrepare("the ResourceClaim has failed before")
        try:
            return original(self, claim)
        except Exception:
            failed.add(claim.uid)
            raise


@fault("DRIVER/prepare/parallel")
def one_cdi_spec_without_lock() -> None:
    """All claims are in one CDI spec, which is read and written without a lock."""
    around(PreparedClaims, "locked")(lambda *_: contextlib.nullcontext())
    around(PreparedClaims, "_cdi_path")(lambda _, self, __: self._cdi / f"{DRIVER}.json")

    @around(prepared_claims, "_write_atomically")
    def changed(original: Any, path: Any, value: Json) -> None:
        if "devices" in value:
            old = json.loads(path.read_text())["devices"] if path.exists() else []
            names = {device["name"] for device in value["devices"]}
            value["devices"] += [device for device in old if device["name"] not in names]
            time.sleep(0.1)
        path.with_name(f"{path.name}.{random.random()}").write_text(json.dumps(value))
        path.write_text(json.dumps(value))


@fault("DRIVER/prepare/parallel")
def one_temporary_file_for_all() -> None:
    """Calls at the same time use one temporary file, so one of them fails."""
    around(PreparedClaims, "locked")(lambda *_: contextlib.nullcontext())

    @around(prepared_claims, "_write_atomically")
    def changed(original: Any, path: Any, value: Json) -> None:
        temporary = path.with_name(".temporary")
        temporary.write_text(json.dumps(value))
        time.sleep(0.05)
        temporary.replace(path)


@fault("DRIVER/prepare/in-time")
def prepare_takes_a_minute() -> None:
    """Prepare takes longer than a kubelet waits."""

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        time.sleep(60)
        return original(self, claim)


@fault("DRIVER/metadata/file")
def metadata_comes_later() -> None:
    """The files that CDI devices mount are written some seconds after the answer."""

    @around(prepared_claims, "_write_atomically")
    def changed(original: Any, path: Any, value: Json) -> None:
        if path.parent.name == "metadata":
            threading.Timer(3.0, original, (path, value)).start()
        else:
            original(path, value)


@fault("KEP-5963/driver-duty/validate-at-prepare")
def groups_are_not_compared() -> None:
    """Devices of different compatibility groups are prepared at the same time."""
    around(Preparing, "_check_groups")(lambda *_: None)
