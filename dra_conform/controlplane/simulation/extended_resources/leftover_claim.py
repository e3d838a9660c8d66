"""The extended-resource claim that an earlier attempt has left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.acceptable_nodes import usable
from dra_conform.controlplane.simulation.extended_resources.extended_resource_claims import (
    SpecialClaim,
)
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import allocation_of
from dra_conform.controlplane.simulation.reserving import FINALIZER
from dra_conform.controlplane.simulation.scheduling.allocated_taints import tainted_claim
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile

Json = Any

_DEVICE = ("driver", "pool", "device")


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A claim that was made for the pod before, None where there is none.

    The document uses it again where it is valid: allocated, not on its way to be deleted, with the requests
    that the pod has on the node, its devices published, held by no other claim, and without a taint that it
    does not tolerate. Releases never do.
    """

    claim: Json
    rules: ServingRules

    @classmethod
    def of(cls, claims: Iterable[Json], rules: ServingRules) -> LeftOver:
        """The first of the claims that were made for the pod."""
        return cls(next(iter(claims), None), rules)

    def check(self, snapshot: Snapshot, profile: Profile) -> None:
        """Refuse the pod as long as a claim is left that no node can use (PhaseRefused)."""
        if self.claim is None or not self.rules.claims_reused:
            return
        if not self._valid(snapshot) or tainted_claim([decode(self.claim)], snapshot, profile):
            raise PhaseRefused(Code.UNSCHEDULABLE, "the claim for extended resources is not valid any more")

    def instead_of(self, special: SpecialClaim | None, node: Node) -> SpecialClaim | None:
        """The claim to use on a node; raises PhaseRefused where what is left cannot be used there."""
        if self.claim is None:
            return special
        if not self.rules.claims_reused:
            raise PhaseRefused(Code.UNRESOLVABLE, "cannot schedule extended resource claim")
        if not usable(decode(self.claim), node):
            raise PhaseRefused(Code.UNSCHEDULABLE, "resourceclaim not available on the node")
        if special is None or _requests(special.claim) != _requests(self.claim):
            raise PhaseRefused(Code.UNSCHEDULABLE, "the claim for extended resources requests something else")
        return SpecialClaim(self.claim, special.mappings, made=True)

    def _valid(self, snapshot: Snapshot) -> bool:
        kept = FINALIZER in (self.claim["metadata"].get("finalizers") or ())
        if allocation_of(self.claim) is None or not kept or "deletionTimestamp" in self.claim["metadata"]:
            return False
        others = (claim for key, claim in snapshot.claims.items() if key != key_in(self.claim))
        held = {device for claim in others for device in _devices(claim)}
        published = {
            (one["spec"]["driver"], one["spec"]["pool"]["name"], device["name"])
            for one in snapshot.objects["resourceSlices"]
            for device in one["spec"].get("devices") or ()
        }
        return _devices(self.claim) <= published - held


def _requests(claim: Json) -> list[Json]:
    found: list[Json] = claim["spec"]["devices"].get("requests") or []
    return found


def _devices(claim: Json) -> set[tuple[str, ...]]:
    allocation = allocation_of(claim) or {}
    results = allocation.get("devices", {}).get("results") or ()
    return {
        tuple(one[name] for name in _DEVICE)
        for one in results
        if not (one.get("shareID") or one.get("adminAccess"))
    }
