"""The outcome of one pod in a preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.controlplane.simulation.scheduling.claim_failures import UnallocatableClaims

Json = Any


class PodState(StrEnum):
    """The final state of a pod in a preview."""

    RUNNING = "running"
    PENDING = "pending"
    FAILED = "failed"
    GONE = "gone"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RehearsedPod:
    """A pod with its final claims, including generated claims and the extended-resource claim.

    `key` is `namespace/name`. `message` says why the pod does not run. `wants_devices`: the pod names claims,
    or requests an extended resource that a DeviceClass backs. `claims_refused`: the claims of the pod cannot
    be allocated on some node; `refusals` has the reasons if Question.explain is set.
    """

    key: str
    state: PodState
    node: str = ""
    claims: tuple[Json, ...] = ()
    message: str = ""
    wants_devices: bool = False
    claims_unallocatable: bool = False
    refusals: Sequence[UnallocatableClaims] = ()
