"""Faults of a fourth round, written from the documents alone: later calls, second objects and restarts."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    Claim,
    Claims,
    Device,
    HealthReport,
    PreparedClaim,
    PrepareResponse,
    UnpreparedClaim,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing, publishing
from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import Preparing
from tests.faulty.drivers.fault import around, fault


@fault("DRIVER/prepare/by-uid")
def unprepare_finds_the_claim_by_its_name() -> None:
    """Unprepare removes the newest prepared claim of the namespace and name, whatever its UID is."""
    newest: dict[tuple[str, str], str] = {}

    @around(Preparing, "_prepared_devices")
    def prepared(original: Any, self: Any, claim: Claim) -> Any:
        devices = original(self, claim)
        newest[claim.namespace, claim.name] = claim.uid
        return devices

    @around(Preparing, "_unprepare")
    def unprepare(original: Any, self: Any, claim: Claim) -> Any:
        uid = newest.get((claim.namespace, claim.name), claim.uid)
        return original(self, msgspec.structs.replace(claim, uid=uid))


def _count_preparations() -> dict[str, int]:
    """Return a dictionary that gets how often each claim was prepared since it was last unprepared."""
    counts: dict[str, int] = {}

    @around(Preparing, "_prepare")
    def prepare(original: Any, self: Any, claim: Claim) -> PreparedClaim:
        answer: PreparedClaim = original(self, claim)
        if not answer.error:
            counts[claim.uid] = counts.get(claim.uid, 0) + 1
        return answer

    return counts


@fault("DRIVER/unprepare/frees")
def devices_are_freed_as_often_as_they_were_prepared() -> None:
    """A claim that was prepared twice keeps its devices until it is unprepared twice; its CDI spec goes."""
    counts = _count_preparations()

    @around(PreparedClaims, "remove")
    def remove(original: Any, self: Any, uid: str) -> None:
        if counts.get(uid, 0) > 1:
            counts[uid] -= 1
            self._cdi_path(uid).unlink(missing_ok=True)
        else:
            counts.pop(uid, None)
            original(self, uid)


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


@fault("DRIVER/prepare/class-configs")
def configuration_for_requests_is_ignored() -> None:
    """Configuration of a DeviceClass that names requests is ignored."""

    @around(Preparing, "_check_configuration")
    def check(original: Any, self: Any, allocation: Json) -> None:
        config = [entry for entry in allocation.get("config") or () if not entry.get("requests")]
        original(self, {**allocation, "config": config})


@fault("DRIVER/prepare/cdi-names-not-reused")
def cdi_names_are_counted_by_process() -> None:
    """CDI names are numbers that begin at 1 in each process."""
    numbers = iter(range(1, 10**9))

    @around(preparing, "_device")
    def device(original: Any, uid: str, number: int, result: Json) -> Device:
        name = f"{CDI_KIND}=device-{next(numbers)}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/parallel")
def parallel_unprepare_calls_forget_removals() -> None:
    """Unprepare reads the checkpoint, waits, and writes it without a lock."""

    @around(Preparing, "_unprepare")
    def unprepare(_: Any, self: Any, claim: Claim) -> UnpreparedClaim:
        claims = self._prepared.all()
        time.sleep(0.1)
        self._prepared._cdi_path(claim.uid).unlink(missing_ok=True)
        claims.pop(claim.uid, None)
        with self._prepared.locked():
            self._prepared._write(claims)
        return UnpreparedClaim()


@fault("DRIVER/unprepare/repeatable")
def unprepare_without_the_cdi_folder_succeeds() -> None:
    """An error of the CDI folder is logged, and unprepare succeeds; the claim stays in the checkpoint."""

    @around(Preparing, "_unprepare")
    def unprepare(original: Any, self: Any, claim: Claim) -> UnpreparedClaim:
        answer: UnpreparedClaim = original(self, claim)
        if answer.error:
            logging.warning("%s", answer.error)
        return UnpreparedClaim()


@fault("DRIVER/health/kept-fresh")
def five_health_reports() -> None:
    """No report follows the fifth; the timeout of a report is two seconds."""

    @around(process, "_reports")
    def reports(original: Any, *arguments: Any) -> Iterator[HealthReport]:
        for number, report in enumerate(original(*arguments)):
            if number < 5:
                yield HealthReport(
                    tuple(
                        msgspec.structs.replace(device, health_check_timeout_seconds=2)
                        for device in report.devices
                    )
                )


@fault("DRIVER/prepare/error-per-claim")
def an_error_unprepares_the_new_claims_of_the_call() -> None:
    """If one claim of a call is rejected, those that the call has prepared are unprepared, and answered."""

    @around(Preparing, "prepare")
    def prepare(original: Any, self: Any, request: Claims) -> PrepareResponse:
        known = set(self._prepared.all())
        answer: PrepareResponse = original(self, request)
        if any(result.error for result in answer.claims.values()):
            with self._prepared.locked():
                for uid in {claim.uid for claim in request.claims} - known:
                    self._prepared.remove(uid)
        return answer
