"""Claims in flight: allocations that the scheduler has decided and not written yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import owner_of, with_status
from dra_conform.kube.extended_resources import is_special

Json = Any


class InFlight:
    """Nobody else gets devices that are in flight (KEP-5004/scheduling-phase/reserve-in-flight)."""

    def __init__(self) -> None:
        self._claims: dict[str, Json] = {}

    def begin(self, claim: Json, allocation: Json) -> None:
        """Take note of what a claim will get."""
        self._claims[_identity(claim)] = with_status(claim, allocation=allocation)

    def end(self, claim: Json) -> None:
        """The allocation is written, or given up."""
        self._claims.pop(_identity(claim), None)

    def clear(self) -> None:
        """Forget everything, as a scheduler that is restarted does."""
        self._claims.clear()

    def has(self, claim: Json) -> bool:
        """Whether an allocation of the claim is on its way."""
        return _identity(claim) in self._claims

    def laid_over(self, claims: Iterable[Json]) -> list[Json]:
        """All claims with what they have or will have got; those that are only planned with names apart."""
        known = {_identity(one): one for one in claims}
        planned = {identity: _renamed(one, identity) for identity, one in self._claims.items()}
        return list({**known, **planned}.values())

    def references(self) -> list[dict[str, str]]:
        """The claims, a special one by the pod that it is made for."""
        return [_reference(one) for one in self._claims.values()]


def _identity(claim: Json) -> str:
    """A claim that is only planned has no UID yet; it is the only one of its pod."""
    uid = claim["metadata"].get("uid")
    return str(uid or f"special claim of {(owner_of(claim) or {}).get('uid')}")


def _renamed(claim: Json, identity: str) -> Json:
    if "uid" in claim["metadata"]:
        return claim
    return {**claim, "metadata": {**claim["metadata"], "name": identity}}


def _reference(claim: Json) -> dict[str, str]:
    kind, namespace, name = key_in(claim)
    owner = owner_of(claim)
    if owner is not None and is_special(claim):
        return {"kind": kind, "specialOf": f"{namespace}/{owner['name']}"}
    return {"kind": kind, "name": name, "namespace": namespace}
