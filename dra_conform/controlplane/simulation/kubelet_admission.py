"""The admission of kubelets: a pod that does not fit beside those already on its node fails.

KEP-5517/kubelet/admission-uses-combined-footprint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    admitted: dict[str, list[Pod]] = {}
    waiting: list[tuple[Json, Pod]] = []
    for raw in pods:
        node = raw["spec"].get("nodeName")
        if not node or finished(raw):
            continue
        try:
            pod: Pod = decode(raw)
        except DecodeErrors:
            continue  # what cannot be read cannot be counted either
        if (raw.get("status") or {}).get("phase") == "Running":
            admitted.setdefault(node, []).append(pod)
        else:
            waiting.append((raw, pod))
    for raw, pod in waiting:
        beside = admitted.setdefault(pod.spec.node_name, [])
        node = node_of(pod.spec.node_name)
        short = _short(pod, decode(node), beside, rules, accounts) if node is not None else ""
        if not short:
            beside.append(pod)
        else:
            yield raw, short


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
