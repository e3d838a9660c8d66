"""Faults that show when the driver starts again, when it is updated, or when its files are damaged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import Claim
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.settings import DriverSettings
from tests.faulty.drivers.fault import around, fault


@fault("DRIVER/prepare/in-use-after-restart")
def forgets_prepared_claims() -> None:
    """What is prepared is known in memory only."""
    memory: dict[str, Json] = {}
    around(PreparedClaims, "all")(lambda *_: dict(memory))

    @around(PreparedClaims, "_write")
    def written(original: Any, self: Any, claims: dict[str, Json]) -> None:
        memory.clear()
        memory.update(claims)

    around(PreparedClaims, "_readable")(lambda *_: True)


@fault("DRIVER/prepare/same-after-restart", "DRIVER/prepare/cdi-after-reboot")
def other_cdi_names_after_a_restart() -> None:
    """The CDI names have the process ID of the driver."""

    @around(PreparedClaims, "all")
    def changed(original: Any, self: Any) -> dict[str, Json]:
        claims = original(self)
        for uid, claim in claims.items():
            for number, device in enumerate(claim["devices"]):
                device["cdi_device_ids"] = [f"{CDI_KIND}={uid}-{number}-{os.getpid()}"]
        return claims

    @around(preparing, "_device")
    def device(original: Any, uid: str, number: int, result: Json) -> Any:
        name = f"{CDI_KIND}={uid}-{number}-{os.getpid()}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault(
    "DRIVER/restart/serves-running-pods", "DRIVER/prepare/same-after-restart", "DRIVER/prepare/cdi-of-others"
)
def empties_the_cdi_folder_at_its_start() -> None:
    """The driver removes all CDI specs when it starts."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        for path in settings.cdi.glob("*.json"):
            path.unlink()
        original(settings)


@fault("DRIVER/restart/serves-running-pods", "DRIVER/prepare/same-after-restart")
def unprepares_all_claims_at_its_end() -> None:
    """At SIGTERM the driver unprepares all claims."""

    @around(process, "main")
    def changed(original: Any, settings: DriverSettings) -> None:
        original(settings)
        claims = PreparedClaims(settings.data / "checkpoint.json", settings.cdi)
        for uid in claims.all():
            claims.remove(uid)


@fault("DRIVER/restart/corrupt-state")
def damaged_checkpoint_ends_it() -> None:
    """A call that cannot read the checkpoint ends the driver (dra-example-driver#248)."""
    around(PreparedClaims, "_of_cdi")(lambda *_: os._exit(2))


@fault("DRIVER/upgrade/either-serves")
def checkpoint_of_each_instance() -> None:
    """The two instances of an update do not know of each other's claims."""

    @around(process, "Preparing")
    def changed(original: Any, settings: DriverSettings, api: Any) -> Any:
        made = original(settings, api)
        made._prepared = PreparedClaims(settings.data / f"{settings.pod_uid}.json", settings.cdi)
        around(PreparedClaims, "remove")(
            lambda remove, self, uid: remove(self, uid) if uid in self.all() else None
        )
        return made


def _ends_by(damage: Callable[[bytes], bool]) -> None:
    """End the driver when it reads a checkpoint with some damage."""

    @around(PreparedClaims, "all")
    def changed(original: Any, self: Any) -> dict[str, Json]:
        if self._checkpoint.exists() and damage(self._checkpoint.read_bytes()):
            os._exit(1)
        claims: dict[str, Json] = original(self)
        return claims


@fault("DRIVER/restart/corrupt-state")
def empty_checkpoint_ends_the_driver() -> None:
    """An empty checkpoint ends the driver."""
    _ends_by(lambda content: not content)


@fault("DRIVER/restart/corrupt-state")
def checkpoint_of_another_format_ends_the_driver() -> None:
    """A checkpoint without the list of claims ends the driver."""
    _ends_by(lambda content: content == b"{}")


@fault("DRIVER/prepare/devices")
def unprepared_claims_are_rejected_after_a_restart() -> None:
    """A claim that an earlier process has unprepared cannot be prepared."""
    own: set[str] = set()

    def ended(prepared: PreparedClaims) -> Path:
        return prepared._checkpoint.with_suffix(".ended")

    @around(PreparedClaims, "remove")
    def remove(original: Any, self: Any, uid: str) -> None:
        original(self, uid)
        own.add(uid)
        with ended(self).open("a", encoding="utf-8") as file:
            file.write(f"{uid}\n")

    @around(Preparing, "_allocation")
    def allocation(original: Any, self: Any, claim: Claim) -> Json:
        file = ended(self._prepared)
        if file.exists() and claim.uid in {*file.read_text(encoding="utf-8").split()} - own:
            raise CannotPrepare("the ResourceClaim is unprepared")
        return original(self, claim)


@fault("DRIVER/prepare/in-use")
def instances_overwrite_each_other() -> None:
    """An instance writes the claims that it read at its start or prepared, not those of the other instance."""
    known: dict[str, Json] = {}

    @around(Preparing, "__init__")
    def begun(original: Any, self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        known.update(self._prepared.all())

    @around(PreparedClaims, "add")
    def added(original: Any, self: Any, uid: str, claim: Json) -> None:
        known[uid] = claim
        original(self, uid, claim)

    @around(PreparedClaims, "remove")
    def removed(original: Any, self: Any, uid: str) -> None:
        known.pop(uid, None)
        original(self, uid)

    @around(PreparedClaims, "_write")
    def changed(original: Any, self: Any, _: Any) -> None:
        original(self, known)
