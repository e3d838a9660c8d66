"""Allocated claims whose devices were tainted after the allocation."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.allocator.device_taints import tolerates
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.controlplane.simulation.tainted_devices import tainted_devices
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import ResourceClaim
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.scheduler import SchedulerSwitches


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
