"""The extended-resource claim of an earlier scheduling attempt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.acceptable_nodes import usable
from dra_conform.controlplane.simulation.extended_resources.extended_resource_claims import (
    ExtendedResourceClaim,
)
from dra_conform.controlplane.simulation.pods import allocation_of
from dra_conform.controlplane.simulation.reserving import FINALIZER
from dra_conform.controlplane.simulation.scheduling.allocated_taints import tainted_claim
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.controlplane.simulation.store import key_in
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches

Json = Any

_DEVICE_ID = ("driver", "pool", "device")


@dataclass(frozen=True, slots=True)
class LeftoverClaim:
    """The extended-resource claim of an earlier attempt, None if there is none.

    The KEP reuses the claim if it is valid, releases never do. A valid claim is allocated, is not being
    deleted and has the requests that the pod needs on the node. Its devices are published, allocated to no
    other claim, and have no taint that it does not tolerate.
    """

    claim: Json
    switches: ExtendedResourceSwitches

    @classmethod
    def of(cls, claims: Iterable[Json], switches: ExtendedResourceSwitches) -> LeftoverClaim:
        """Return the first extended-resource claim of the pod."""
        return cls(next(iter(claims), None), switches)

    def check(self, snapshot: Snapshot, profile: Profile) -> None:
        """Raise PhaseFailed if a leftover claim cannot be used on any node."""
        if self.claim is None or not self.switches.claims_reused:
            return
        if not self._valid(snapshot) or tainted_claim([decode(self.claim)], snapshot, profile):
            raise PhaseFailed(Code.UNSCHEDULABLE, "the extended-resource claim is not valid any more")

    def claim_for(self, planned: ExtendedResourceClaim | None, node: Node) -> ExtendedResourceClaim | None:
        """Return the claim to use on a node: the leftover claim or, if there is none, `planned`.

        Raises PhaseFailed if the leftover claim cannot be used on the node.
        """
        if self.claim is None:
            return planned
        if not self.switches.claims_reused:
            raise PhaseFailed(Code.UNRESOLVABLE, "cannot schedule extended resource claim")
        if not usable(decode(self.claim), node):
            raise PhaseFailed(Code.UNSCHEDULABLE, "resourceclaim not available on the node")
        if planned is None or _requests(planned.claim) != _requests(self.claim):
            raise PhaseFailed(
                Code.UNSCHEDULABLE, "the extended-resource claim has other requests than the pod"
            )
        return ExtendedResourceClaim(self.claim, planned.mappings, exists=True)

    def _valid(self, snapshot: Snapshot) -> bool:
        guarded = FINALIZER in (self.claim["metadata"].get("finalizers") or ())
        if allocation_of(self.claim) is None or not guarded or "deletionTimestamp" in self.claim["metadata"]:
            return False
        others = (claim for key, claim in snapshot.claims.items() if key != key_in(self.claim))
        allocated = {device for claim in others for device in _devices(claim)}
        published = {
            (slice_["spec"]["driver"], slice_["spec"]["pool"]["name"], device["name"])
            for slice_ in snapshot.objects["resourceSlices"]
            for device in slice_["spec"].get("devices") or ()
        }
        return _devices(self.claim) <= published - allocated


def _requests(claim: Json) -> list[Json]:
    requests: list[Json] = claim["spec"]["devices"].get("requests") or []
    return requests


def _devices(claim: Json) -> set[tuple[str, ...]]:
    allocation = allocation_of(claim) or {}
    results = allocation.get("devices", {}).get("results") or ()
    return {
        tuple(result[name] for name in _DEVICE_ID)
        for result in results
        if not (result.get("shareID") or result.get("adminAccess"))
    }
