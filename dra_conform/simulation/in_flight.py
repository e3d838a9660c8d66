"""Allocations in flight, which the scheduler has decided but not written yet."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import owner_of, with_status
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json


class InFlight:
    """The claims in flight, whose devices cannot be allocated to other claims.

    KEP-5004/scheduling-phase/reserve-in-flight.
    """

    def __init__(self) -> None:
        self._claims: dict[str, Json] = {}

    def begin(self, claim: Json, allocation: Json) -> None:
        """Add the future allocation of a claim."""
        self._claims[_identity(claim)] = with_status(claim, allocation=allocation)

    def end(self, claim: Json) -> None:
        """Remove a claim after its allocation was written or abandoned."""
        self._claims.pop(_identity(claim), None)

    def clear(self) -> None:
        """Remove all claims, as a restart of the scheduler does."""
        self._claims.clear()

    def has(self, claim: Json) -> bool:
        """Whether the claim is in flight."""
        return _identity(claim) in self._claims

    def merged_with(self, claims: Iterable[Json]) -> list[Json]:
        """Return the claims with current and future allocations; claims not created yet get unique names."""
        known = {_identity(claim): claim for claim in claims}
        planned = {identity: _renamed(claim, identity) for identity, claim in self._claims.items()}
        return list({**known, **planned}.values())

    def references(self) -> list[dict[str, str]]:
        """Return references to the claims; extended-resource claims are named by their pod."""
        return [_reference(claim) for claim in self._claims.values()]


def _identity(claim: Json) -> str:
    """Return the UID of a claim, or of its pod if the claim was not created yet."""
    uid = claim["metadata"].get("uid")
    return str(uid or f"extended-resource claim of {(owner_of(claim) or {}).get('uid')}")


def _renamed(claim: Json, identity: str) -> Json:
    if "uid" in claim["metadata"]:
        return claim
    return {**claim, "metadata": {**claim["metadata"], "name": identity}}


def _reference(claim: Json) -> dict[str, str]:
    kind, namespace, name = key_in(claim)
    owner = owner_of(claim)
    if owner is not None and is_extended_resource_claim(claim):
        return {"kind": kind, "specialOf": f"{namespace}/{owner['name']}"}
    return {"kind": kind, "name": name, "namespace": namespace}
