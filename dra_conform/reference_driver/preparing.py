"""Preparation of ResourceClaims, and its reversal."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import (
    Claim,
    Claims,
    PluginDevice,
    PreparedClaim,
    PrepareResponse,
    UnpreparedClaim,
    UnprepareResponse,
)
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.prepared_claims import CDI_KIND, PreparedClaims, groups_in_use
from dra_conform.reference_driver.settings import DRIVER, DriverSettings


class CannotPrepare(Exception):  # noqa: N818 - it reads as what happened
    """The reason why a claim cannot be prepared."""


class Preparing:
    """The answers to `NodePrepareResources` and `NodeUnprepareResources`."""

    def __init__(self, settings: DriverSettings, api: APIClient) -> None:
        self._settings = settings
        self._api = api
        metadata = settings.data / "metadata" if settings.metadata else None
        self._prepared = PreparedClaims(settings.checkpoint, settings.cdi, metadata)

    def prepare(self, request: Claims) -> PrepareResponse:
        """Prepare each ResourceClaim; an error of one does not affect the others."""
        return PrepareResponse({claim.uid: self._prepare(claim) for claim in request.claims})

    def unprepare(self, request: Claims) -> UnprepareResponse:
        """Unprepare each ResourceClaim without the API server, even one that was never prepared."""
        return UnprepareResponse({claim.uid: self._unprepare(claim) for claim in request.claims})

    def _prepare(self, claim: Claim) -> PreparedClaim:
        with self._prepared.locked():
            try:
                devices = self._prepared_devices(claim)
            except (CannotPrepare, APIError, OSError) as error:
                logging.warning("%s/%s: %s", claim.namespace, claim.name, error)
                return PreparedClaim(error=str(error))
        return PreparedClaim(devices)

    def _unprepare(self, claim: Claim) -> UnpreparedClaim:
        with self._prepared.locked():
            try:
                self._prepared.remove(claim.uid)
            except OSError as error:
                return UnpreparedClaim(str(error))
        return UnpreparedClaim()

    def _prepared_devices(self, claim: Claim) -> tuple[PluginDevice, ...]:
        claims = self._prepared.all()
        known = claims.get(claim.uid)
        if known is not None:
            self._prepared.write_cdi(claim.uid, known)  # A reboot may have removed it.
            return _devices(known)
        allocation = self._allocation(claim)
        results = [result for result in allocation["results"] if result["driver"] == DRIVER]
        self._check_configuration(allocation)
        for result in results:
            self._check(result, claims)
        prepared = {
            "admin": [bool(result.get("adminAccess")) for result in results],
            "groups": [self._group(result["device"], claims) for result in results],
            "devices": [
                msgspec.to_builtins(_device(claim.uid, number, result))
                for number, result in enumerate(results)
            ],
        }
        _check_one_group(prepared)
        self._prepared.add(claim.uid, prepared)
        return _devices(prepared)

    def _allocation(self, claim: Claim) -> Json:
        raw = self._api.claim(claim.namespace, claim.name)
        if raw["metadata"]["uid"] != claim.uid:
            raise CannotPrepare(f"the ResourceClaim has the UID {raw['metadata']['uid']}, not {claim.uid}")
        allocation = (raw.get("status") or {}).get("allocation")
        if not allocation:
            raise CannotPrepare("the ResourceClaim is not allocated")
        return allocation.get("devices") or {"results": []}

    def _check_configuration(self, allocation: Json) -> None:
        """Accept only `{"mode": TEXT}` as configuration."""
        for entry in allocation.get("config") or ():
            opaque = entry.get("opaque") or {}
            if opaque.get("driver") != DRIVER:
                continue
            parameters = opaque.get("parameters")
            if not isinstance(parameters, Mapping) or parameters.keys() != {"mode"}:
                raise CannotPrepare(f"unknown configuration {parameters}, expected a mode")

    def _check(self, result: Json, claims: Mapping[str, Json]) -> None:
        """Check that a result names a device of this node that no other claim uses exclusively."""
        pool, name = result["pool"], result["device"]
        if pool != self._settings.node or name not in self._settings.device_names():
            raise CannotPrepare(f"device {pool}/{name} does not exist on this node")
        if result.get("adminAccess"):
            return
        self._check_groups(name, claims)
        if self._settings.shared:
            return
        for user, device in _in_use(claims):
            if device == name:
                raise CannotPrepare(f"device {name} is prepared for the ResourceClaim with the UID {user}")

    def _check_groups(self, name: str, claims: Mapping[str, Json]) -> None:
        """Check that a device has the group of all devices in use, whatever was allocated."""
        group = self._group(name, claims)
        for user, claim in claims.items():
            for admin, other in zip(claim["admin"], claim["groups"], strict=True):
                if not admin and other != group:
                    raise CannotPrepare(f"device {name} of group {group} excludes group {other} of {user}")

    def _group(self, name: str, claims: Mapping[str, Json]) -> str:
        """Return the group of a device, for a device in use the group with which it was prepared."""
        return groups_in_use(claims).get(name, self._settings.group(name))


def _check_one_group(claim: Json) -> None:
    """Check that all devices of a claim have the same group."""
    pairs = zip(claim["admin"], claim["groups"], strict=True)
    groups = sorted({group for admin, group in pairs if not admin})
    if len(groups) > 1:
        raise CannotPrepare(f"the devices are of the groups {' and '.join(groups)}, which exclude each other")


def _in_use(claims: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield the UID of each claim with each of its devices, without admin access."""
    for uid, claim in claims.items():
        for admin, device in zip(claim["admin"], claim["devices"], strict=True):
            if not admin:
                yield uid, device["device_name"]


def _device(uid: str, number: int, result: Json) -> PluginDevice:
    request = result["request"].partition("/")[0]
    name = f"{CDI_KIND}={uid}-{number}"
    return PluginDevice((request,), result["pool"], result["device"], (name,), result.get("shareID"))


def _devices(claim: Json) -> tuple[PluginDevice, ...]:
    return msgspec.convert(claim["devices"], tuple[PluginDevice, ...])
