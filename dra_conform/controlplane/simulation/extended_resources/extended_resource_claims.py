"""The extended-resource claim of a pod: created, found again, and deleted by the scheduler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed, tried_again
from dra_conform.controlplane.simulation.extended_resources.claim_requests import asks_for, served_requests
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pod_status import write_status
from dra_conform.controlplane.simulation.pods import owned_by, with_status
from dra_conform.controlplane.simulation.reserving import FINALIZER
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import SPECIAL_CLAIM
from dra_conform.kube.versions import V1

Json = Any

_ENDING = "-extended-resources-"
_MOST_OF_NAME = 253 - len(_ENDING)
_UNNAMED = "<extended-resources>"


@dataclass(frozen=True, slots=True)
class SpecialClaim:
    """A claim as it is to be made, and which of its requests serves which resource of which container.

    `made`: an earlier attempt has made it.
    """

    claim: Json
    mappings: Sequence[Json]
    made: bool = False


def special_claim(
    pod: Json, typed: Pod, node: Node, classes: Mapping[str, str], rules: ServingRules, *, claims: bool
) -> SpecialClaim | None:
    """The claim for what the pod asks of classes and the node does not have itself, None for nothing.

    `claims`: the pod has claims of its own.
    """
    requests, mappings = served_requests(typed, node, classes, rules)
    empty = rules.empty_claims_made and claims and asks_for(typed, classes)
    if not requests and not empty:
        return None
    annotations = {SPECIAL_CLAIM: pod["metadata"]["name"] if rules.claims_name_pod else "true"}
    metadata = {
        "name": _UNNAMED,
        "namespace": pod["metadata"]["namespace"],
        "annotations": annotations,
        "ownerReferences": owned_by(pod),
    }
    spec = {"devices": {"requests": requests}}
    claim = {"apiVersion": V1, "kind": "ResourceClaim", "metadata": metadata, "spec": spec}
    return SpecialClaim(claim, mappings)


def make(special: SpecialClaim, pod: Json, rules: ServingRules, client: Client) -> Json:
    """Create the claim under a generated name; raises WriteFailed."""
    metadata = {name: value for name, value in special.claim["metadata"].items() if name != "name"}
    name = pod["metadata"]["name"]
    metadata["generateName"] = (name[:_MOST_OF_NAME] if rules.names_shortened else name) + _ENDING
    return client.create({**special.claim, "metadata": metadata})


def record(pod: Json, claim: Json, mappings: Sequence[Json], client: Client) -> None:
    """Tell in the pod's status which request of the claim serves which container; raises WriteFailed."""
    status = {"requestMappings": list(mappings), "resourceClaimName": claim["metadata"]["name"]}
    if not mappings:
        raise WriteFailed("Invalid", "there is nothing that the claim for extended resources serves")
    write_status(pod, {"extendedResourceClaimStatus": status}, client)


def discard(claim: Json, pod: Json, rules: ServingRules, client: Client) -> None:
    """Take the finalizer from the claim, delete it, and let the pod forget it.

    Raises WriteFailed: the first of those that have happened, if the rules let the others go on.
    """
    steps: list[Callable[[], None]] = [
        lambda: tried_again(lambda: _release(claim, client)),
        lambda: _delete(claim, client),
    ]
    if rules.cleanup_goes_on:
        steps.append(lambda: _forget(claim, pod, client))
    failed: WriteFailed | None = None
    for step in steps:
        try:
            step()
        except WriteFailed as failure:
            failed = failed or failure
            if not rules.cleanup_goes_on:
                break
    if failed is not None:
        raise failed


def _release(claim: Json, client: Client) -> None:
    """An update, whether there is a finalizer or not."""
    current = client.get(key_in(claim))
    if current is not None:
        kept = [one for one in current["metadata"].get("finalizers") or () if one != FINALIZER]
        client.update({**current, "metadata": {**current["metadata"], "finalizers": kept}})


def _delete(claim: Json, client: Client) -> None:
    if client.get(key_in(claim)) is not None:
        client.delete(key_in(claim))


def _forget(claim: Json, pod: Json, client: Client) -> None:
    current = client.get(key_in(pod))
    status = ((current or {}).get("status") or {}).get("extendedResourceClaimStatus") or {}
    if current is not None and status.get("resourceClaimName") == claim["metadata"]["name"]:
        client.update(with_status(current, extendedResourceClaimStatus=None), "status")
