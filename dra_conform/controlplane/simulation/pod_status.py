"""The scheduler's writes to the status of a pod."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.simulation.client import MAX_POD_STATUS_ATTEMPTS, Client, with_retries
from dra_conform.controlplane.simulation.pods import with_status
from dra_conform.controlplane.simulation.store import key_in
from dra_conform.kube.switches.scheduler import PodWriteSwitches

Json = Any


def write_status(pod: Json, fields: Mapping[str, Json], client: Client) -> None:
    """Write status fields of a pod unless it was deleted; raise WriteFailed."""

    def write() -> None:
        current = client.get(key_in(pod))
        if current is not None:
            client.update(with_status(current, **fields), "status")

    with_retries(write, _retryable_reasons(PodWriteSwitches.of(client.profile)), MAX_POD_STATUS_ATTEMPTS)


def _retryable_reasons(switches: PodWriteSwitches) -> frozenset[str]:
    """Return the reasons for which a write of a pod's status is retried."""
    faults = {"InternalError", "ServiceUnavailable"} if switches.server_errors_retried else set()
    return frozenset(faults | ({"Conflict"} if switches.conflicts_retried else set()))
