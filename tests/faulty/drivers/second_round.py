"""Faults of a second round, each from a sentence of the documents about drivers."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    NOTIFY,
    Claims,
    Device,
    HealthReport,
    PreparedClaim,
    PrepareResponse,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.publishing import Publisher
from dra_conform.reference_driver.settings import DRIVER, Settings
from tests.faulty.drivers.fault import around, fault

# Prepare


@fault("DRIVER/prepare/devices")
def allocation_of_the_first_call() -> None:
    """The allocation of a claim is remembered, so later ones of the same claim are not seen."""
    known: dict[str, Json] = {}

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        if claim.uid not in known:
            known[claim.uid] = original(self, claim)
        return known[claim.uid]


@fault("DRIVER/prepare/cdi-resolves", "DRIVER/prepare/idempotent")
def unprepared_claims_are_prepared_from_memory() -> None:
    """A claim that was prepared, unprepared and is prepared again gets the answer of the first call."""
    answers: dict[str, Any] = {}

    @around(Preparing, "_prepared_devices")
    def changed(original: Any, self: Any, claim: Any) -> Any:
        if claim.uid not in answers:
            answers[claim.uid] = original(self, claim)
        elif claim.uid in self._prepared.all():
            return original(self, claim)
        return answers[claim.uid]


@fault("DRIVER/prepare/devices")
def at_most_four_devices_of_a_claim() -> None:
    """The answer has no more than four devices."""
    around(preparing, "_devices")(lambda original, claim: original(claim)[:4])


@fault("DRIVER/prepare/shares", "DRIVER/prepare/cdi-resolves", "DRIVER/unprepare/undoes")
def shares_of_a_claim_have_one_cdi_name() -> None:
    """Shared allocations of one device in one claim have one CDI name, which the CDI spec has twice."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> Device:
        name = f"{CDI_KIND}={uid}-{result['device']}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/parallel")
def parallel_calls_share_one_claim() -> None:
    """Calls at the same time prepare the claim of the newest call."""
    newest: list[Any] = []

    @around(Preparing, "prepare")
    def changed(original: Any, self: Any, request: Claims) -> PrepareResponse:
        newest[:] = [request]
        time.sleep(0.05)
        response: PrepareResponse = original(self, newest[0])
        return response


@fault("DRIVER/prepare/admin")
def admin_claims_get_no_devices() -> None:
    """A claim with adminAccess is prepared without devices."""

    @around(Preparing, "_allocation")
    def changed(original: Any, self: Any, claim: Any) -> Json:
        allocation = original(self, claim)
        results = [result for result in allocation["results"] if not result.get("adminAccess")]
        return {**allocation, "results": results}


@fault("DRIVER/prepare/admin")
def admin_claims_are_users_after_a_restart() -> None:
    """After a restart of the driver a claim with adminAccess counts as the user of its devices."""
    own: set[str] = set()

    @around(PreparedClaims, "add")
    def add(original: Any, self: Any, uid: str, claim: Json) -> None:
        own.add(uid)
        original(self, uid, claim)

    @around(PreparedClaims, "all")
    def changed(original: Any, self: Any) -> dict[str, Json]:
        claims: dict[str, Json] = original(self)
        for uid, claim in claims.items():
            if uid not in own:
                claim["admin"] = [False] * len(claim["devices"])
        return claims


@fault("DRIVER/prepare/error-per-claim", "DRIVER/prepare/class-configs")
def first_configuration_is_checked_only() -> None:
    """Of several configurations only the first is checked."""

    @around(Preparing, "_check_configuration")
    def changed(original: Any, self: Any, allocation: Json) -> None:
        original(self, {**allocation, "config": (allocation.get("config") or [])[:1]})


@fault("DRIVER/unprepare/undoes")
def failed_claims_leave_a_cdi_spec() -> None:
    """The CDI spec of a claim is written before its devices are checked, and stays if the check fails."""

    @around(Preparing, "_check")
    def changed(original: Any, self: Any, result: Json, claims: Any) -> None:
        try:
            original(self, result, claims)
        except CannotPrepare:
            device = {"name": result["device"], "containerEdits": {"env": ["FAILED=1"]}}
            spec = {"cdiVersion": "0.6.0", "kind": f"{DRIVER}/failed", "devices": [device]}
            path = self._settings.cdi / f"{DRIVER}-failed-{self._uid}.json"
            path.write_text(
                json.dumps({**spec, "kind": CDI_KIND, "devices": [{**device, "name": self._uid}]})
            )
            raise

    @around(Preparing, "_prepare")
    def remember(original: Any, self: Any, claim: Any) -> PreparedClaim:
        self._uid = claim.uid
        answer: PreparedClaim = original(self, claim)
        return answer


# Files of others


@fault("DRIVER/prepare/cdi-of-others")
def cdi_folder_is_emptied_at_the_start() -> None:
    """A driver that starts removes the CDI files that it does not know."""

    @around(process, "main")
    def changed(original: Any, settings: Settings) -> None:
        for path in settings.cdi.glob("*.json"):
            if not path.name.startswith(DRIVER):
                path.unlink()
        original(settings)


@fault("DRIVER/prepare/cdi-of-others", "DRIVER/unprepare/one-of-two")
def cdi_folder_is_emptied_after_the_last_claim() -> None:
    """When the last claim is unprepared, all CDI files are removed."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        original(self, uid)
        if not self.all():
            for path in self._cdi.glob("*.json"):
                path.unlink()


# Unprepare


@fault("DRIVER/unprepare/unknown", "DRIVER/unprepare/one-of-two")
def unknown_claims_empty_the_checkpoint() -> None:
    """Unpreparing a claim that is not prepared forgets all claims."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        if uid in self.all():
            original(self, uid)
        else:
            self._write({})


@fault("DRIVER/unprepare/one-entry-each")
def unprepare_ends_at_an_unknown_claim() -> None:
    """The answer ends at the first claim that is not prepared."""

    @around(Preparing, "unprepare")
    def changed(original: Any, self: Any, request: Claims) -> UnprepareResponse:
        answers: dict[str, UnpreparedClaim] = {}
        for claim in request.claims:
            if claim.uid not in self._prepared.all():
                break
            answers[claim.uid] = self._unprepare(claim)
        return UnprepareResponse(answers)


@fault("DRIVER/unprepare/device-gone")
def unprepare_needs_the_device() -> None:
    """A claim cannot be unprepared when its device no longer exists."""

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Any) -> UnpreparedClaim:
        devices = (self._prepared.all().get(claim.uid) or {"devices": ()})["devices"]
        missing = {device["device_name"] for device in devices} - {*self._settings.device_names()}
        if missing:
            return UnpreparedClaim(f"device {min(missing)} does not exist")
        answer: UnpreparedClaim = original(self, claim)
        return answer


@fault("DRIVER/metadata/removed")
def metadata_files_stay() -> None:
    """The files that CDI devices mount stay when the claim is unprepared."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        kept, self._metadata = self._metadata, None
        try:
            original(self, uid)
        finally:
            self._metadata = kept


# Registration, updates and health


@fault("DRIVER/registration/again")
def second_notification_ends_the_driver() -> None:
    """The driver ends when it is told a second time that it is registered."""
    seen: list[bool] = []

    @around(process, "_registration_handlers")
    def changed(original: Any, settings: Settings) -> Any:
        handlers = dict(original(settings))
        notified = handlers[NOTIFY]

        def once(status: Any, context: Any) -> Any:
            seen.append(status.plugin_registered)
            if len(seen) > 1:
                os._exit(1)
            return notified(status, context)

        handlers[NOTIFY] = once
        return handlers


@fault("DRIVER/upgrade/unique-sockets", "DRIVER/upgrade/old-goes")
def sockets_of_the_older_instance_are_removed() -> None:
    """A new instance takes the sockets of the older one for left-over files and removes them."""

    @around(process, "main")
    def changed(original: Any, settings: Settings) -> None:
        if settings.pod_uid:
            for path in settings.registry.glob(f"{DRIVER}*"):
                path.unlink()
        original(settings)


@fault("DRIVER/slices/restart-writes-nothing")
def attribute_with_the_time_of_the_start() -> None:
    """Each device has an attribute with the time at which the driver started."""
    started = str(time.time_ns())

    @around(Publisher, "_device")
    def changed(original: Any, self: Any, *arguments: Any) -> Json:
        device = original(self, *arguments)
        device["attributes"]["started"] = {"string": started}
        return device


def _change_reports(change: Any) -> None:
    """Change the health reports; `change` gets the number of the watch and of the report."""
    watches = iter(range(10**9))

    @around(process, "_reports")
    def changed(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        watch = next(watches)
        for number, report in enumerate(original(*arguments)):
            yield change(watch, number, report)


@fault("DRIVER/health/first-report")
def first_health_report_of_one_device() -> None:
    """The first report has only one device, the later ones have all."""
    _change_reports(
        lambda _, number, report: (
            report if number else msgspec.structs.replace(report, devices=report.devices[:1])
        )
    )


@fault("DRIVER/health/all-devices")
def second_watch_has_no_reports() -> None:
    """A kubelet that watches health a second time gets empty reports."""
    _change_reports(lambda watch, _, report: msgspec.structs.replace(report, devices=()) if watch else report)
