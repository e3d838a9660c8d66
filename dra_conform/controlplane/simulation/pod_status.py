"""The scheduler's writes to the status of a pod."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.simulation.client import MOST_TRIES_FOR_PODS, Client, tried_again
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import with_status
from dra_conform.controlplane.simulation.writing_rules import WritingRules

Json = Any


def write_status(pod: Json, fields: Mapping[str, Json], client: Client) -> None:
    """Write fields of the status of a pod that is there; raises WriteFailed."""

    def write() -> None:
        current = client.get(key_in(pod))
        if current is not None:
            client.update(with_status(current, **fields), "status")

    tried_again(write, WritingRules.of(client.profile).tried_again, MOST_TRIES_FOR_PODS)
