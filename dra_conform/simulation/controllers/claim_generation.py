"""Creation of ResourceClaims from ResourceClaimTemplates for pods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from dra_conform.cluster_state.object_keys import key_of
from dra_conform.cluster_state.pods import (
    entries,
    finished,
    generated,
    owned_by,
    owner_of,
    requests_of,
    with_status,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.controllers import ControllerSwitches
from dra_conform.kube.versions import V1
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.shared_state import Events

POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
"""The annotation with the `spec.resourceClaims` entry of the pod for which a claim was created."""


def generate_claims(client: Client, events: Events, used: Callable[[], Sequence[Json]]) -> None:
    """Create a claim for each pod entry with a template, and record its name in the pod's status.

    A claim that was deleted is created again. `used` returns at least the claims that pods own, in creation
    order.
    """
    owned_claims = _OwnedClaims(used)
    for pod in client.all("Pod"):
        if finished(pod) or "deletionTimestamp" in pod["metadata"]:
            continue
        recorded = generated(pod)
        try:
            new = {
                entry["name"]: _claim_for(pod, entry, owned_claims, client)
                for entry in entries(pod)
                if entry.get("resourceClaimTemplateName")
                and _lacks_claim(pod, entry["name"], recorded, client)
            }
            if new:
                _record(pod, new, client)
        except WriteFailed as failure:
            events.add(pod, "FailedResourceClaimCreation", str(failure))


def _lacks_claim(pod: Json, entry: str, recorded: Mapping[str, str | None], client: Client) -> bool:
    """Whether the claim of an entry was not created yet or no longer exists."""
    name = recorded.get(entry)
    if not name:
        return entry not in recorded
    return client.get(key_of("ResourceClaim", name, pod["metadata"]["namespace"])) is None


class _OwnedClaims:
    """The names of the claims that pods own, read at the first access."""

    def __init__(self, used: Callable[[], Sequence[Json]]) -> None:
        self._used = used

    @cached_property
    def names(self) -> Mapping[tuple[str, str | None], str]:
        """The claim names by the UID of the pod and the name of its entry."""
        owned = ((owner_of(claim), claim) for claim in reversed(self._used()))
        return {(owner["uid"], entry_of(claim)): claim["metadata"]["name"] for owner, claim in owned if owner}


def _claim_for(pod: Json, entry: Json, owned_claims: _OwnedClaims, client: Client) -> str:
    """Return the name of the claim for an entry, which is created if needed; raise WriteFailed."""
    metadata = pod["metadata"]
    existing = owned_claims.names.get((metadata["uid"], entry["name"]))
    if existing is not None:
        return existing
    name = entry["resourceClaimTemplateName"]
    template = client.get(key_of("ResourceClaimTemplate", name, metadata["namespace"]))
    if template is None:
        raise WriteFailed("NotFound", f'resourceclaimtemplate "{name}" not found')
    _check_gates(template, client)
    return str(client.create(_from_template(template, pod, entry["name"]))["metadata"]["name"])


def _check_gates(template: Json, client: Client) -> None:
    """Raise WriteFailed if the template uses a feature that is off in the controller manager."""
    if not ControllerSwitches.of(client.profile).templates_need_gates:
        return
    requests = requests_of(template["spec"])
    if not client.profile.enabled("DRAAdminAccess") and any(
        (request.get("exactly") or {}).get("adminAccess") for request in requests
    ):
        raise WriteFailed("FeatureDisabled", "admin access is requested, but the feature is disabled")
    if not client.profile.enabled("DRAPrioritizedList") and any(
        request.get("firstAvailable") for request in requests
    ):
        raise WriteFailed("FeatureDisabled", "a prioritized list is requested, but the feature is disabled")


def entry_of(claim: Json) -> str | None:
    """Return the name of the pod entry for which a claim was created, None for other claims."""
    entry: str | None = (claim["metadata"].get("annotations") or {}).get(POD_CLAIM_NAME)
    return entry


def _from_template(template: Json, pod: Json, entry: str) -> Json:
    return claim_of(
        template,
        {
            "generateName": f"{pod['metadata']['name']}-{entry}-",
            "namespace": pod["metadata"]["namespace"],
            "annotations": {POD_CLAIM_NAME: entry},
            "ownerReferences": owned_by(pod),
        },
    )


def _record(pod: Json, new: dict[str, str], client: Client) -> None:
    known = (pod.get("status") or {}).get("resourceClaimStatuses") or ()
    statuses = [status for status in known if status["name"] not in new]
    statuses += [{"name": entry, "resourceClaimName": claim} for entry, claim in new.items()]
    client.update(with_status(pod, resourceClaimStatuses=statuses), "status")


def claim_of(template: Json, metadata: Mapping[str, Json]) -> Json:
    """Return a claim with labels, annotations and spec of a template, and with further metadata."""
    template_metadata = template["spec"].get("metadata") or {}
    annotations = {**(template_metadata.get("annotations") or {}), **metadata.get("annotations", {})}
    return {
        "apiVersion": V1,
        "kind": "ResourceClaim",
        "metadata": {**metadata, "labels": template_metadata.get("labels") or {}, "annotations": annotations},
        "spec": template["spec"].get("spec") or {},
    }
