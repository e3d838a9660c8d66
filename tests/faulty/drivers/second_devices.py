"""Faults of a driver that only show with a second device, request or ResourceSlice, or with a share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    Claim,
    Claims,
    PluginDevice,
    PrepareResponse,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.reference_driver import preparing, publishing
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.settings import DRIVER
from tests.faulty.drivers.fault import around, fault

# Preparing


def _prepared_by_this_process() -> set[str]:
    """Return a set that gets the UIDs of the claims that this process prepares."""
    own: set[str] = set()

    @around(PreparedClaims, "add")
    def added(original: Any, self: Any, uid: str, claim: Json) -> None:
        own.add(uid)
        original(self, uid, claim)

    return own


@fault("DRIVER/prepare/same-after-restart")
def one_device_after_a_restart() -> None:
    """A claim that an earlier process prepared has its first device only."""
    own = _prepared_by_this_process()

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Claim) -> tuple[PluginDevice, ...]:
        devices: tuple[PluginDevice, ...] = original(self, claim)
        return devices if claim.uid in own else devices[:1]


@fault("DRIVER/prepare/cdi-after-reboot")
def one_cdi_device_is_written_again() -> None:
    """If a claim is prepared again, its CDI spec has the first device only."""

    @around(PreparedClaims, "write_cdi")
    def changed(original: Any, self: Any, uid: str, claim: Json) -> None:
        again = uid in self.all()
        original(self, uid, {**claim, "devices": claim["devices"][:1]} if again else claim)


@fault("DRIVER/prepare/unknown-pool")
def pools_of_later_results_are_ignored() -> None:
    """Only the first device of a claim must be of a pool that the driver has."""
    checked: list[int] = [0]

    @around(Preparing, "_allocation")
    def begun(original: Any, self: Any, claim: Claim) -> Any:
        checked[0] = 0
        return original(self, claim)

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Mapping[str, Json]) -> None:
        checked[0] += 1
        own = {**result, "pool": self._settings.node}
        original(self, result if checked[0] == 1 else own, claims)


@fault("DRIVER/prepare/requests", "DRIVER/prepare/each-request-its-own")
def later_subrequests_are_named() -> None:
    """Devices after the first have the name of the subrequest."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        device: PluginDevice = original(uid, number, result)
        return msgspec.structs.replace(device, request_names=(result["request"],)) if number else device


@fault("DRIVER/prepare/in-use")
def later_devices_are_never_in_use() -> None:
    """Only the first device of another claim is in use."""

    @around(preparing, "_in_use")
    def changed(original: Any, claims: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for user, device in original(claims):
            if user not in seen:
                yield user, device
            seen.add(user)


@fault("DRIVER/prepare/devices")
def later_devices_have_no_cdi_name() -> None:
    """The CDI spec of a claim has all its devices, and the answer names that of the first only."""

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Claims) -> PrepareResponse:
        answer: PrepareResponse = original(self, request)
        return PrepareResponse(
            {
                uid: msgspec.structs.replace(
                    claim,
                    devices=tuple(
                        msgspec.structs.replace(device, cdi_device_ids=()) if number else device
                        for number, device in enumerate(claim.devices)
                    ),
                )
                for uid, claim in answer.claims.items()
            }
        )


def _unchecked_with(field: str) -> None:
    """Do not check results that have this field."""

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Mapping[str, Json]) -> None:
        if not result.get(field):
            original(self, result, claims)


@fault("DRIVER/prepare/unknown-device")
def devices_with_admin_access_are_not_checked() -> None:
    """A device that the driver does not have is prepared with admin access."""
    _unchecked_with("adminAccess")


@fault("DRIVER/prepare/unknown-device")
def shares_are_not_checked() -> None:
    """A device that the driver does not have is prepared if the allocation is shared."""
    _unchecked_with("shareID")


@fault("DRIVER/prepare/other-drivers")
def results_are_told_apart_by_pool() -> None:
    """Devices of other drivers are prepared if their pool has the name of the driver's pool."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Claim) -> Any:
        allocation = original(self, claim)
        results = [
            {**result, "driver": DRIVER} if result["pool"] == self._settings.node else result
            for result in allocation["results"]
        ]
        return {**allocation, "results": results}


@fault("DRIVER/prepare/error-per-claim")
def an_error_unprepares_the_whole_call() -> None:
    """If one claim of a call is rejected, all claims of the call are unprepared."""

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Claims) -> PrepareResponse:
        answer: PrepareResponse = original(self, request)
        if any(claim.error for claim in answer.claims.values()):
            for claim in request.claims:
                self._unprepare(claim)
        return answer


@fault("DRIVER/prepare/same-after-restart")
def one_device_of_each_request_after_a_restart() -> None:
    """A claim that an earlier process prepared has the first device of each request only."""
    own = _prepared_by_this_process()

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Claim) -> tuple[PluginDevice, ...]:
        devices: tuple[PluginDevice, ...] = original(self, claim)
        first = {device.request_names: device for device in reversed(devices)}
        return devices if claim.uid in own else tuple(first.values())


@fault("KEP-5963/driver-duty/validate-at-prepare")
def groups_of_the_same_call_are_not_compared() -> None:
    """Compatibility groups are compared with those of devices that were prepared before the call."""

    @around(Preparing, "prepare")
    def call(original: Any, self: Any, request: Claims) -> PrepareResponse:
        self._before = self._prepared.all()
        response: PrepareResponse = original(self, request)
        return response

    @around(Preparing, "_check_groups")
    def check(original: Any, self: Any, name: str, _: Mapping[str, Json]) -> None:
        original(self, name, self._before)


# Unpreparing


@fault("DRIVER/unprepare/other-process", "DRIVER/unprepare/claim-gone")
def claims_of_earlier_processes_are_read() -> None:
    """A claim that an earlier process prepared is read from the API server when it is unprepared."""
    own = _prepared_by_this_process()

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Claim) -> UnpreparedClaim:
        if claim.uid not in own and claim.uid in self._prepared.all():
            try:
                self._api.claim(claim.namespace, claim.name)
            except APIError as error:
                return UnpreparedClaim(str(error))
        result: UnpreparedClaim = original(self, claim)
        return result


@fault("DRIVER/unprepare/unknown", "DRIVER/unprepare/undoes", "DRIVER/unprepare/one-entry-each")
def an_unknown_claim_ends_the_call() -> None:
    """The claims of a call after one that is not prepared stay prepared, without an error."""

    @around(Preparing, "unprepare")
    def changed(original: Any, self: Any, request: Claims) -> UnprepareResponse:
        known = self._prepared.all()
        entries = dict.fromkeys((claim.uid for claim in request.claims), UnpreparedClaim())
        todo = tuple(takewhile(lambda claim: claim.uid in known, request.claims))
        answer: UnprepareResponse = original(self, msgspec.structs.replace(request, claims=todo))
        return UnprepareResponse({**entries, **answer.claims})


def _ends_with(concerns: Callable[[str, Json], bool]) -> None:
    """Remove the CDI specs of other claims with the same device, by the unprepared UID and the other claim."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        claims = self.all()
        names = {device["device_name"] for device in claims.pop(uid, {"devices": ()})["devices"]}
        original(self, uid)
        for other, claim in claims.items():
            if names & {device["device_name"] for device in claim["devices"]} and concerns(uid, claim):
                self._cdi_path(other).unlink(missing_ok=True)


@fault("DRIVER/unprepare/one-of-two")
def monitors_end_with_the_user() -> None:
    """The CDI devices of claims with admin access are removed with those of the user of the device."""
    _ends_with(lambda _, claim: any(claim["admin"]))


@fault("DRIVER/unprepare/one-of-two")
def shares_of_earlier_processes_end_together() -> None:
    """Of shared allocations that an earlier process prepared, none has CDI devices after one is unprepared."""
    own = _prepared_by_this_process()
    _ends_with(lambda uid, _: uid not in own)


# Publishing


@fault("DRIVER/slices/after-deletion")
def only_the_first_slice_is_created_again() -> None:
    """Of the deleted ResourceSlices only the first is created again."""
    created: set[str] = set()

    @around(APIClient, "create_slice")
    def changed(original: Any, self: Any, raw: Json) -> None:
        name = raw["metadata"]["name"]
        if name.startswith("00000") or name not in created:
            original(self, raw)
        created.add(name)


@fault("DRIVER/slices/after-edit")
def the_count_is_not_restored() -> None:
    """Another resourceSliceCount is not noticed."""

    @around(publishing, "_same")
    def changed(original: Any, stored: Json, wanted: Json, generation: int) -> bool:
        count = stored["spec"]["pool"]["resourceSliceCount"]
        pool = {**wanted["spec"]["pool"], "resourceSliceCount": count}
        same: bool = original(stored, {**wanted, "spec": {**wanted["spec"], "pool": pool}}, generation)
        return same


@fault("DRIVER/prepare/shares")
def a_third_share_is_rejected() -> None:
    """A device of which two shared allocations are prepared cannot be prepared for a third."""

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Mapping[str, Json]) -> None:
        original(self, result, claims)
        devices = [device for claim in claims.values() for device in claim["devices"]]
        used = [device["device_name"] for device in devices if device.get("share_id")]
        if result.get("shareID") and used.count(result["device"]) > 1:
            raise CannotPrepare(f"two shared allocations of device {result['device']} are prepared")


@fault("DRIVER/slices/complete", "DRIVER/slices/generation")
def new_slices_have_the_first_generation() -> None:
    """A ResourceSlice that is created beside others has generation 1, and no other is then expected."""

    @around(APIClient, "create_slice")
    def created(original: Any, self: Any, raw: Json) -> None:
        raw["spec"]["pool"]["generation"] = 1
        original(self, raw)

    @around(publishing, "_same")
    def changed(original: Any, stored: Json, wanted: Json, _: int) -> bool:
        same: bool = original(stored, wanted, stored["spec"]["pool"]["generation"])
        return same
