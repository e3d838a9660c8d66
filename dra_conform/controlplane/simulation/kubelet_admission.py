"""Kubelet admission: a pod that does not fit with the other pods of its node fails.

KEP-5517/kubelet/admission-uses-combined-footprint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from dra_conform.controlplane.policy_accounting import PolicyAccounts
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.keys import key_of
from dra_conform.controlplane.simulation.node_resources import lacking, taken_by
from dra_conform.controlplane.simulation.pods import finished, with_status
from dra_conform.footprint import FootprintRules, footprint, recorded
from dra_conform.footprint.amounts import Amounts
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import COLLECTIONS, DecodeErrors, decode

Json = Any


def refuse_pods(client: Client, events: Events) -> None:
    """Fail each pod that a kubelet turns away."""

    def node_of(name: str) -> Json | None:
        return client.get(key_of("Node", name))

    rules = FootprintRules.of(client.profile)
    accounts = _accounts(client, rules) if rules.policies else None
    for pod, resource in turned_away(client.all("Pod"), node_of, rules, accounts):
        status = rejection(resource)
        try:
            client.update(with_status(pod, **status), "status")
        except WriteFailed:
            continue  # tried again in the next round
        events.add(pod, status["reason"], status["message"])


def turned_away(
    pods: Iterable[Json],
    node_of: Callable[[str], Json | None],
    rules: FootprintRules,
    accounts: PolicyAccounts | None = None,
) -> Iterator[tuple[Json, str]]:
    """Each pod that its kubelet has not admitted yet and for which the node has too little left, with the
    resource that is lacking. They are taken in this order; running pods are admitted. `accounts`: claims are
    counted by their policies."""
    admitted: dict[str, list[Json]] = {}
    waiting: list[Json] = []
    for raw in pods:
        node = raw["spec"].get("nodeName")
        if node and not finished(raw):
            running = (raw.get("status") or {}).get("phase") == "Running"
            (admitted.setdefault(node, []) if running else waiting).append(raw)
    nodes: dict[str, Node | None] = {}
    counted: dict[str, list[Pod]] = {}
    for raw, pod in _readable(waiting):
        name = pod.spec.node_name
        if name not in counted:
            counted[name] = [one for _, one in _readable(admitted.get(name, ()))]
            found = node_of(name)
            nodes[name] = None if found is None else decode(found)
        node, beside = nodes[name], counted[name]
        short = _short(pod, node, beside, rules, accounts) if node is not None else ""
        if not short:
            beside.append(pod)
        else:
            yield raw, short


def _readable(pods: Iterable[Json]) -> Iterator[tuple[Json, Pod]]:
    """Each pod that can be read; what cannot be cannot be counted either."""
    for raw in pods:
        with suppress(DecodeErrors):
            yield raw, decode(raw)


def rejection(resource: str) -> dict[str, str]:
    """The status of a pod that was turned away."""
    message = f"Pod was rejected: Node didn't have enough resource: {resource}"
    return {"phase": "Failed", "reason": f"OutOf{resource}", "message": message}


def _accounts(client: Client, rules: FootprintRules) -> PolicyAccounts:
    kinds = ("ResourceClaim", "ResourceSlice", "DeviceClass")
    return PolicyAccounts({COLLECTIONS[kind]: client.all(kind) for kind in kinds}, rules)


def _short(
    pod: Pod, node: Node, beside: list[Pod], rules: FootprintRules, accounts: PolicyAccounts | None
) -> str:
    """The first resource, by name, of which the node has too little left for the pod.

    What the pod's special claim serves is none of the node's (KEP-5004/actuation).
    """
    special = pod.status.extended_resource_claim_status if pod.status else None
    served = {one.resource_name for one in special.request_mappings} if special else set()
    demand: Amounts = footprint(pod, recorded(pod, rules))
    taken: Amounts = taken_by(beside, rules)
    if accounts is not None:
        charge = accounts.charge(pod, accounts.counted(pod), beside)
        demand, taken = charge.demand, charge.taken
    of_node = {name: amount for name, amount in demand.items() if name not in served}
    return next(iter(lacking(of_node, node, taken)), "")
