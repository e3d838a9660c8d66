"""The claims of a pod, and the checks that do not depend on a node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dra_conform.allocator.device_taints import tolerates
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import (
    MOST_RESERVATIONS,
    allocation_of,
    claim_keys,
    created_for,
    requests_of,
    reservations_of,
    reserved_for,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import ResourceClaim
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.scheduler import SchedulerSwitches
from dra_conform.simulation.snapshot import Snapshot
from dra_conform.simulation.tainted_devices import tainted_devices


class PodWaits(Exception):  # noqa: N818 - it reads as what the pod does
    """The pod cannot be scheduled on any node until its claims or DeviceClasses change."""


def claims_for(pod: Json, snapshot: Snapshot) -> list[Json]:
    """Return the pod's distinct claims in the order of its entries (DRA/workflow/missing-claim-blocks-pod).

    Raises PodWaits for a claim that does not exist, is being deleted, or was created for another pod.
    """
    claims: dict[str, Json] = {}
    for entry, key in claim_keys(pod):
        if key is None:
            raise PodWaits(f'waiting for the ResourceClaim of "{entry["name"]}" to be created')
        claim = snapshot.claims.get(key)
        if claim is None:
            raise PodWaits(f'resourceclaim "{key[2]}" not found')
        metadata = claim["metadata"]
        if "deletionTimestamp" in metadata:
            raise PodWaits(f'resourceclaim "{metadata["name"]}" is being deleted')
        if not entry.get("resourceClaimName") and not created_for(claim, pod):
            raise PodWaits(f'ResourceClaim "{metadata["name"]}" was not created for the pod')
        claims.setdefault(key[2], claim)
    return list(claims.values())


def check_gates(claims: Sequence[Json], profile: Profile) -> None:
    """Raise PodWaits for an unallocated claim with a prioritized list while DRAPrioritizedList is off."""
    if profile.enabled("DRAPrioritizedList"):
        return
    for claim in claims:
        if allocation_of(claim) is None and any(each.get("firstAvailable") for each in requests_of(claim)):
            raise PodWaits("the claim has subrequests, but the DRAPrioritizedList feature is disabled")


def check_usable(pod: Json, claims: Sequence[Json], snapshot: Snapshot) -> None:
    """Raise PodWaits for a claim with the maximum number of reservations, or with a missing DeviceClass."""
    for claim in claims:
        if allocation_of(claim) is None:
            for request, name in _classes_of(claim):
                if name not in snapshot.classes:
                    raise PodWaits(f"request {request}: device class {name} does not exist")
        elif not reserved_for(claim, pod) and len(reservations_of(claim)) >= MOST_RESERVATIONS:
            name = claim["metadata"]["name"]
            raise PodWaits(
                f'resourceclaim "{name}" is already reserved for {MOST_RESERVATIONS} pods, the maximum'
            )


def claims_by_entry(pod: Json, claims: Sequence[Json]) -> Iterator[Json]:
    """Yield the claim of each of the pod's entries; a claim is repeated if several entries name it."""
    by_key = {key_in(claim): claim for claim in claims}
    return (by_key[key] for _, key in claim_keys(pod) if key)


def _classes_of(claim: Json) -> Iterator[tuple[str, str]]:
    """Yield the name of each request or subrequest with its DeviceClass name."""
    for request in claim["spec"].get("devices", {}).get("requests", ()):
        if "exactly" in request:
            yield request["name"], request["exactly"].get("deviceClassName", "")
        for subrequest in request.get("firstAvailable", ()):
            yield f"{request['name']}/{subrequest['name']}", subrequest.get("deviceClassName", "")


def tainted_claim(claims: Iterable[ResourceClaim], snapshot: Snapshot, profile: Profile) -> str:
    """Return why no further pod can be scheduled with one of these claims, empty if pods can.

    Only the specification requires this (DRA/taint/applies-to-all-pods-of-the-claim). The schedulers of all
    releases check taints during allocation only.
    """
    allocated = [claim for claim in claims if claim.allocation is not None]
    if not allocated or not SchedulerSwitches.of(profile).tainted_claims_rejected:
        return ""
    taints = tainted_devices(snapshot.objects, profile, ("NoSchedule", "NoExecute"))
    switches = AllocationSwitches.of(profile).taints
    for claim in allocated:
        for result in claim.allocation.devices.results if claim.allocation else ():
            for taint in taints.get((result.driver, result.pool, result.device), ()):
                tolerations = result.tolerations
                if not any(tolerates(toleration, taint, switches) for toleration in tolerations):
                    return f"claim {claim.metadata.name}: device {result.device} has untolerated taint(s)"
    return ""
