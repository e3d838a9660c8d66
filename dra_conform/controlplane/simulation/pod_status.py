"""The scheduler's writes to the status of a pod."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.simulation.client import MAX_POD_STATUS_ATTEMPTS, Client, with_retries
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import with_status
from dra_conform.controlplane.simulation.writing_rules import WritingRules

Json = Any


def write_status(pod: Json, fields: Mapping[str, Json], client: Client) -> None:
    """Write status fields of a pod unless it was deleted; raise WriteFailed."""

    def write() -> None:
        current = client.get(key_in(pod))
        if current is not None:
            client.update(with_status(current, **fields), "status")

    with_retries(write, WritingRules.of(client.profile).retryable_reasons, MAX_POD_STATUS_ATTEMPTS)
