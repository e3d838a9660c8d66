"""Faults of which devices are in use: with admin access, after unprepare, and by compatibility group."""

from __future__ import annotations

import threading
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    Claim,
    Claims,
    PreparedClaim,
)
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.preparing import Preparing
from tests.faulty.drivers.fault import around, fault


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


@fault("KEP-5963/driver-duty/validate-at-prepare")
def compares_groups_with_other_claims_only() -> None:
    """Devices of one claim are not compared with each other."""

    @around(preparing, "_check_one_group")
    def check(_: Any, claim: Json) -> None:
        pass
