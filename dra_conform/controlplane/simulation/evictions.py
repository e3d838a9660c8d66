"""Evictions of pods by the device taint eviction controller, with the taints that caused them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube.resource import DeviceRequestAllocationResult, DeviceTaint

Json = Any


@dataclass(frozen=True, slots=True)
class EvictingTaint:
    """A NoExecute taint of an allocated device of a pod. The tolerations of `result` do not tolerate it, or
    no longer.

    `claim` is the stored claim at the time of the eviction.
    """

    claim: Json
    result: DeviceRequestAllocationResult
    taint: DeviceTaint


@dataclass(frozen=True, slots=True)
class Eviction:
    """A pod that was evicted, as it was stored before, and every taint that evicted it."""

    pod: Json
    taints: tuple[EvictingTaint, ...]
