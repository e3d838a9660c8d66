"""Faults of what the driver answers to NodePrepareResources, what it remembers for this, and of the device status."""

from __future__ import annotations

import logging
import time
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    PLUGIN_SERVICES,
    Claim,
    Claims,
    PreparedClaim,
    PrepareResponse,
)
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.api_client import APIError
from dra_conform.reference_driver.preparing import Preparing
from tests.faulty.drivers.fault import around, fault


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


@fault("KEP-5075/status/device-entries-owned-by-drivers", "DRIVER/prepare/status-own-entries")
def status_by_pool_and_device() -> None:
    """The driver's entry in `status.devices` replaces one of another driver with an equal device."""

    @around(Preparing, "_prepare")
    def prepare(original: Any, self: Any, claim: Claim) -> PreparedClaim:
        answer: PreparedClaim = original(self, claim)
        path = f"/apis/resource.k8s.io/v1/namespaces/{claim.namespace}/resourceclaims/{claim.name}/status"
        own = {(device.pool_name, device.device_name) for device in answer.devices}
        try:
            raw = self._api.claim(claim.namespace, claim.name)
            entries = raw["status"].get("devices") or ()
            kept = [entry for entry in entries if (entry["pool"], entry["device"]) not in own]
            self._api._request("PUT", path, {**raw, "status": {**raw["status"], "devices": kept}})
        except (APIError, KeyError) as error:
            logging.warning("status of %s: %s", claim.name, error)
        return answer


@fault("DRIVER/prepare/older-service", "DRIVER/prepare/unknown-device")
def older_service_loses_errors() -> None:
    """The answers of the service v1beta1.DRAPlugin have no errors."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = dict(original(*arguments))
        method = PLUGIN_SERVICES["v1beta1.DRAPlugin"]["prepare"]
        answered = handlers[method]

        def prepare(request: Any, context: Any) -> PrepareResponse:
            claims = answered(request, context).claims
            return PrepareResponse({uid: PreparedClaim(claim.devices) for uid, claim in claims.items()})

        handlers[method] = prepare
        return handlers


@fault(
    "DRIVER/registration/older-kubelets",
    "DRIVER/prepare/older-service",
    "DRIVER/registration/services-answer",
)
def older_service_is_registered_only() -> None:
    """GetInfo returns the service v1beta1.DRAPlugin, whose calls are UNIMPLEMENTED."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        older = PLUGIN_SERVICES["v1beta1.DRAPlugin"].values()
        return {method: handler for method, handler in original(*arguments).items() if method not in older}
