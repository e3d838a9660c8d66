"""The kubelet of every node: pods run once their claims are ready."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.keys import key_of
from dra_conform.controlplane.simulation.pods import (
    allocation_of,
    claim_keys,
    finished,
    reserved_for,
    with_status,
)

Json = Any


def run_pods(client: Client) -> None:
    """Set the phase of each pod on a node that exists to Running when its claims are there, allocated and
    reserved for it (DRA/pre-scheduled/kubelet-refuses-unready-claims)."""
    for pod in client.all("Pod"):
        node = pod["spec"].get("nodeName")
        if not node or finished(pod) or (pod.get("status") or {}).get("phase") == "Running":
            continue
        if client.get(key_of("Node", node)) is None or not _ready(pod, client):
            continue
        try:
            client.update(with_status(pod, phase="Running"), "status")
        except WriteFailed:
            continue  # tried again in the next round


def _ready(pod: Json, client: Client) -> bool:
    for _, key in claim_keys(pod):
        claim = client.get(key) if key else None
        if claim is None or allocation_of(claim) is None or not reserved_for(claim, pod):
            return False
    return True
