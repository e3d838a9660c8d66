"""Faults of CDI specs, CDI names and mounted files."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    PluginDevice,
    PreparedClaim,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.settings import DRIVER, DriverSettings
from tests.faulty.drivers.fault import around, fault


@fault("DRIVER/prepare/shares", "DRIVER/prepare/cdi-resolves", "DRIVER/unprepare/undoes")
def shares_of_a_claim_have_one_cdi_name() -> None:
    """Shared allocations of one device in one claim have one CDI name, which the CDI spec has twice."""

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = f"{CDI_KIND}={uid}-{result['device']}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/cdi-names-not-reused")
def cdi_names_are_counted_by_process() -> None:
    """CDI names are numbers that begin at 1 in each process."""
    numbers = iter(range(1, 10**9))

    @around(preparing, "_device")
    def device(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = f"{CDI_KIND}=device-{next(numbers)}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


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


@fault("DRIVER/prepare/cdi-of-others")
def cdi_folder_is_emptied_at_the_start() -> None:
    """A driver that starts removes the CDI files that it does not know."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
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
