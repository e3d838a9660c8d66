"""Faults of NodeUnprepareResources."""

from __future__ import annotations

import logging
import time
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    Claim,
    Claims,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_driver.prepared_claims import PreparedClaims
from dra_conform.reference_driver.preparing import Preparing
from tests.faulty.drivers.fault import around, fault


@fault("DRIVER/unprepare/undoes")
def cdi_spec_stays() -> None:
    """The CDI spec of an unprepared claim stays."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        claims = self.all()
        claims.pop(uid, None)
        self._write(claims)


@fault("DRIVER/unprepare/undoes", "DRIVER/unprepare/frees", "DRIVER/unprepare/frees-for-good")
def unprepare_does_nothing() -> None:
    """Unprepare succeeds and does nothing."""
    around(PreparedClaims, "remove")(lambda *_: None)


@fault("DRIVER/unprepare/unknown", "DRIVER/unprepare/again")
def unknown_claim_is_an_error() -> None:
    """A claim that is not prepared cannot be unprepared."""

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Any) -> UnpreparedClaim:
        known = claim.uid in self._prepared.all()
        return original(self, claim) if known else UnpreparedClaim("the ResourceClaim is not prepared")


@fault("DRIVER/unprepare/again")
def second_unprepare_fails() -> None:
    """A claim that this process has unprepared cannot be unprepared again."""
    seen: set[str] = set()

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Any) -> UnpreparedClaim:
        if claim.uid in seen:
            return UnpreparedClaim("the ResourceClaim is already unprepared")
        seen.add(claim.uid)
        return original(self, claim)


@fault("DRIVER/unprepare/claim-gone", "DRIVER/unprepare/no-api-server", "DRIVER/unprepare/unknown")
def unprepare_reads_the_claim() -> None:
    """Unprepare reads the claim, which can be deleted already."""

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Any) -> UnpreparedClaim:
        try:
            self._api.claim(claim.namespace, claim.name)
        except APIError as error:
            return UnpreparedClaim(str(error))
        return original(self, claim)


@fault("DRIVER/unprepare/no-api-server")
def unprepare_needs_the_api_server() -> None:
    """Unprepare fails if the API server does not answer; a deleted claim is no problem."""

    @around(Preparing, "_unprepare")
    def changed(original: Any, self: Any, claim: Any) -> UnpreparedClaim:
        try:
            self._api.claim(claim.namespace, claim.name)
        except APIError as error:
            if not error.code:
                return UnpreparedClaim(str(error))
        return original(self, claim)


@fault("DRIVER/unprepare/other-process", "DRIVER/unprepare/frees-for-good")
def unprepares_what_this_process_prepared() -> None:
    """A claim that an earlier process has prepared is not unprepared."""
    own: set[str] = set()

    @around(PreparedClaims, "add")
    def added(original: Any, self: Any, uid: str, claim: Json) -> None:
        original(self, uid, claim)
        own.add(uid)

    @around(PreparedClaims, "remove")
    def removed(original: Any, self: Any, uid: str) -> None:
        if uid in own:
            original(self, uid)


@fault("DRIVER/unprepare/frees")
def devices_stay_in_use() -> None:
    """The CDI spec is removed, and the device stays in use."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        self._cdi_path(uid).unlink(missing_ok=True)


@fault("DRIVER/unprepare/frees-for-good")
def devices_are_in_use_again_after_a_restart() -> None:
    """Unprepare frees the device in memory only."""
    freed: set[str] = set()

    @around(PreparedClaims, "remove")
    def removed(original: Any, self: Any, uid: str) -> None:
        self._cdi_path(uid).unlink(missing_ok=True)
        freed.add(uid)

    @around(PreparedClaims, "all")
    def known(original: Any, self: Any) -> dict[str, Json]:
        return {uid: claim for uid, claim in original(self).items() if uid not in freed}

    @around(PreparedClaims, "_write")
    def written(original: Any, self: Any, claims: dict[str, Json]) -> None:
        kept = {uid: claim for uid, claim in _stored(self).items() if uid in freed}
        original(self, {**kept, **claims})


def _stored(claims: Any) -> dict[str, Json]:
    return dict(PreparedClaims.all.__wrapped__(claims))  # type: ignore[attr-defined]


@fault("DRIVER/unprepare/one-of-two")
def all_claims_are_unprepared() -> None:
    """Unprepare of one claim removes all claims."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        for known in (uid, *self.all()):
            original(self, known)


@fault("DRIVER/unprepare/one-of-two")
def cdi_specs_of_all_claims_are_removed() -> None:
    """Unprepare of one claim empties the CDI folder."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        original(self, uid)
        for path in self._cdi.iterdir():
            path.unlink(missing_ok=True)


@fault("DRIVER/unprepare/one-entry-each", "DRIVER/unprepare/undoes")
def empty_answer() -> None:
    """The answer of unprepare has no entries."""

    @around(Preparing, "unprepare")
    def changed(original: Any, self: Any, request: Claims) -> UnprepareResponse:
        original(self, request)
        return UnprepareResponse()


@fault("DRIVER/unprepare/repeatable")
def failed_unprepare_is_forgotten() -> None:
    """After a failed unprepare the claim is unknown, and its CDI spec stays (dra-driver-cpu#178)."""

    @around(PreparedClaims, "remove")
    def changed(original: Any, self: Any, uid: str) -> None:
        claims = self.all()
        if claims.pop(uid, None) is not None:
            self._write(claims)
            self._cdi_path(uid).unlink()


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
