"""Faults of what identifies a ResourceClaim, of its configuration, and of its call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    PLUGIN_SERVICES,
    Claim,
    Claims,
    Method,
    PluginDevice,
    PrepareResponse,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.kube.plugin_server import Handler
from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver import preparing
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims
from dra_conform.reference_driver.preparing import CannotPrepare, Preparing
from dra_conform.reference_driver.settings import DriverSettings
from tests.faulty.drivers.fault import around, fault


def _prepared_by(key: Callable[[Any], str]) -> None:
    """Know prepared claims by another key than their UID."""
    for method in ("_prepare", "_unprepare"):

        @around(Preparing, method)
        def changed(original: Any, self: Any, claim: Any) -> Any:
            return original(self, msgspec.structs.replace(claim, uid=key(claim)))

    @around(Preparing, "_allocation")
    def allocation(original: Any, self: Any, claim: Any) -> Json:
        raw = self._api.claim(claim.namespace, claim.name)
        return original(self, msgspec.structs.replace(claim, uid=raw["metadata"]["uid"]))


@fault("DRIVER/prepare/by-uid", "DRIVER/prepare/replaced-claim", "DRIVER/prepare/cdi-names-not-reused")
def prepared_claims_by_name() -> None:
    """Prepared claims are known by their name."""
    _prepared_by(lambda claim: claim.name)


@fault("DRIVER/prepare/by-uid", "DRIVER/prepare/replaced-claim", "DRIVER/prepare/cdi-names-not-reused")
def prepared_claims_by_namespace_and_name() -> None:
    """Prepared claims are known by their namespace and name."""
    _prepared_by(lambda claim: f"{claim.namespace}.{claim.name}")


@fault("DRIVER/prepare/cdi-names-not-reused")
def cdi_names_of_the_claim_name() -> None:
    """The CDI names have the name of the claim, so another claim of this name has the same."""
    names: dict[str, str] = {}

    @around(Preparing, "_prepared_devices")
    def remember(original: Any, self: Any, claim: Any) -> Any:
        names[claim.uid] = f"{claim.namespace}-{claim.name}"
        return original(self, claim)

    @around(preparing, "_device")
    def changed(original: Any, uid: str, number: int, result: Json) -> PluginDevice:
        name = f"{CDI_KIND}={names[uid]}-{number}"
        return msgspec.structs.replace(original(uid, number, result), cdi_device_ids=(name,))


@fault("DRIVER/prepare/class-configs")
def configuration_of_the_claim_only() -> None:
    """The configuration of DeviceClasses is ignored."""

    @around(Preparing, "_check_configuration")
    def changed(original: Any, self: Any, allocation: Json) -> None:
        config = [entry for entry in allocation.get("config") or () if entry["source"] == "FromClaim"]
        original(self, {**allocation, "config": config})


@fault("DRIVER/prepare/class-configs")
def no_configuration_of_a_class_is_known() -> None:
    """Any configuration of a DeviceClass is an error."""

    @around(Preparing, "_check_configuration")
    def changed(original: Any, self: Any, allocation: Json) -> None:
        if any(entry["source"] == "FromClass" for entry in allocation.get("config") or ()):
            raise CannotPrepare("a DeviceClass has a configuration")
        original(self, allocation)


@fault("DRIVER/prepare/in-use")
def devices_in_use_at_the_begin_of_a_call() -> None:
    """A device must be free when the call begins, so two claims of the call get it."""

    @around(Preparing, "prepare")
    def call(original: Any, self: Any, request: Claims) -> PrepareResponse:
        self._before = self._prepared.all()
        response: PrepareResponse = original(self, request)
        return response

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Any) -> None:
        original(self, result, self._before)


@fault("DRIVER/prepare/older-service")
def older_service_only_prepares() -> None:
    """The service v1beta1.DRAPlugin unprepares nothing."""

    @around(process, "_service_handlers")
    def changed(original: Any, *arguments: Any) -> Any:
        handlers = dict(original(*arguments))

        def unprepare(request: Claims, _: Any) -> UnprepareResponse:
            return UnprepareResponse({claim.uid: UnpreparedClaim() for claim in request.claims})

        handlers[PLUGIN_SERVICES["v1beta1.DRAPlugin"]["unprepare"]] = unprepare
        return handlers


@fault("DRIVER/prepare/error-per-claim", "DRIVER/prepare/class-configs")
def first_configuration_is_checked_only() -> None:
    """Of several configurations only the first is checked."""

    @around(Preparing, "_check_configuration")
    def changed(original: Any, self: Any, allocation: Json) -> None:
        original(self, {**allocation, "config": (allocation.get("config") or [])[:1]})


@fault("DRIVER/prepare/class-configs")
def configuration_for_requests_is_ignored() -> None:
    """Configuration of a DeviceClass that names requests is ignored."""

    @around(Preparing, "_check_configuration")
    def check(original: Any, self: Any, allocation: Json) -> None:
        config = [entry for entry in allocation.get("config") or () if not entry.get("requests")]
        original(self, {**allocation, "config": config})


@fault("DRIVER/prepare/unknown-pool")
def accepts_pools_that_begin_with_the_name_of_the_node() -> None:
    """A device of another pool is prepared if the name of the pool begins with that of the node."""

    @around(Preparing, "_check")
    def check(original: Any, self: Any, result: Json, claims: Mapping[str, Json]) -> None:
        node = self._settings.node
        pool = node if result["pool"].startswith(node) else result["pool"]
        original(self, {**result, "pool": pool}, claims)


@fault("DRIVER/prepare/older-service")
def the_older_service_has_a_checkpoint_of_its_own() -> None:
    """Each service knows only the claims that it has prepared."""

    @around(process, "_service_handlers")
    def handlers(
        original: Callable[..., dict[Method, Handler]], settings: DriverSettings, prepares: Any, *rest: Any
    ) -> dict[Method, Handler]:
        older: Any = Preparing(settings, prepares._api)
        older._prepared._checkpoint = settings.data / "checkpoint-v1beta1.json"
        methods = original(settings, prepares, *rest)
        services = PLUGIN_SERVICES["v1beta1.DRAPlugin"]
        methods[services["prepare"]] = lambda request, _: older.prepare(request)
        methods[services["unprepare"]] = lambda request, _: older.unprepare(request)
        return methods


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


@fault("DRIVER/prepare/shares")
def the_older_service_stores_no_share_ids() -> None:
    """A claim that v1beta1 has prepared has no share IDs in v1."""
    of_call = threading.local()

    @around(process, "_service_handlers")
    def handlers(original: Any, *arguments: Any) -> Mapping[Method, Handler]:
        changed = dict(original(*arguments))
        for service, methods in PLUGIN_SERVICES.items():
            prepare = changed[methods["prepare"]]

            def remember(request: Any, context: Any, service: str = service, prepare: Any = prepare) -> Any:
                of_call.older = "v1beta1" in service
                return prepare(request, context)

            changed[methods["prepare"]] = remember
        return changed

    @around(PreparedClaims, "add")
    def add(original: Any, self: Any, uid: str, claim: Json) -> None:
        if of_call.older:
            devices = [{**device, "share_id": None} for device in claim["devices"]]
            claim = {**claim, "devices": devices}
        original(self, uid, claim)


@fault("DRIVER/prepare/request-configs")
def configuration_of_subrequests_is_exact() -> None:
    """Configuration that names a request is not applied to devices of its subrequests."""

    @around(Preparing, "_check_configuration")
    def check(original: Any, self: Any, allocation: Json) -> None:
        names = {result["request"] for result in allocation["results"]}
        entries = allocation.get("config") or ()
        config = [
            entry for entry in entries if not entry.get("requests") or names.intersection(entry["requests"])
        ]
        original(self, {**allocation, "config": config})


@fault("DRIVER/unprepare/one-of-two")
def claims_with_the_prefix_are_unprepared() -> None:
    """Unpreparing a claim removes the CDI specs of claims whose names are longer and begin with its name."""
    names: dict[str, str] = {}

    @around(Preparing, "_prepare")
    def prepare(original: Any, self: Any, claim: Claim) -> Any:
        names[claim.uid] = claim.name
        return original(self, claim)

    @around(Preparing, "_unprepare")
    def unprepare(original: Any, self: Any, claim: Claim) -> Any:
        for uid, name in names.items():
            if name != claim.name and name.startswith(claim.name):
                self._prepared._cdi_path(uid).unlink(missing_ok=True)
        return original(self, claim)


@fault("DRIVER/metadata/file")
def metadata_by_the_name_of_the_claim() -> None:
    """The metadata files of a claim are named by the name of the claim, not by its UID."""
    names: dict[str, str] = {}

    @around(Preparing, "_prepare")
    def prepare(original: Any, self: Any, claim: Claim) -> Any:
        names[claim.uid] = claim.name
        return original(self, claim)

    @around(PreparedClaims, "_metadata_paths")
    def changed(original: Any, self: Any, uid: str, count: int) -> Any:
        return original(self, names.get(uid, uid), count)
