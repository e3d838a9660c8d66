"""The outcome of one pod in a preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.controlplane.simulation.scheduling.claim_refusals import ClaimsRefused

Json = Any


class PodState(StrEnum):
    """Where a pod is in the end."""

    RUNNING = "running"
    PENDING = "pending"
    FAILED = "failed"
    GONE = "gone"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RehearsedPod:
    """A pod with its claims as they are stored in the end, generated and extended-resource claims too.

    `wants_devices`: it names claims, or asks for an extended resource that a DeviceClass backs. `message`
    says why it does not run. `claims_refused`: its claims did not fit on some node; `refusals` say why,
    device by device, if that was asked for.
    """

    key: str
    state: PodState
    node: str = ""
    claims: tuple[Json, ...] = ()
    message: str = ""
    wants_devices: bool = False
    claims_refused: bool = False
    refusals: Sequence[ClaimsRefused] = ()
