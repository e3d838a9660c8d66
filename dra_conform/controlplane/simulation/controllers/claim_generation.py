"""Creation of claims from templates, for the pods that name them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.keys import key_of
from dra_conform.controlplane.simulation.pods import (
    entries,
    finished,
    generated,
    owned_by,
    owner_of,
    with_status,
)
from dra_conform.controlplane.template_claims import claim_of

Json = Any

POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
"""The annotation that names the entry of the pod a claim was made for."""


def generate_claims(client: Client, events: Events, used: Callable[[], Sequence[Json]]) -> None:
    """Make a claim for each entry of a pod that names a template, and record it in the pod's status; another
    one where somebody has deleted it.

    `used` are the claims that are there, those at least that pods own, in the order they were created.
    """
    made_before = _MadeBefore(used)
    for pod in client.all("Pod"):
        if finished(pod) or "deletionTimestamp" in pod["metadata"]:
            continue
        made = generated(pod)
        try:
            new = {
                entry["name"]: _claim_for(pod, entry, made_before, client)
                for entry in entries(pod)
                if entry.get("resourceClaimTemplateName") and _lacks_claim(pod, entry["name"], made, client)
            }
            if new:
                _record(pod, new, client)
        except WriteFailed as failed:
            events.add(pod, "FailedResourceClaimCreation", str(failed))


def _lacks_claim(pod: Json, entry: str, made: Mapping[str, str | None], client: Client) -> bool:
    """Whether none was made for an entry that needs a claim, or the one that was made is gone."""
    name = made.get(entry)
    if not name:
        return entry not in made
    return client.get(key_of("ResourceClaim", name, pod["metadata"]["namespace"])) is None


class _MadeBefore:
    """The claims that pods own when somebody asks for the first time."""

    def __init__(self, used: Callable[[], Sequence[Json]]) -> None:
        self._used = used

    @cached_property
    def names(self) -> Mapping[tuple[str, str | None], str]:
        """By the UID of the pod and the entry."""
        owned = ((owner_of(claim), claim) for claim in reversed(self._used()))
        return {(owner["uid"], entry_of(one)): one["metadata"]["name"] for owner, one in owned if owner}


def _claim_for(pod: Json, entry: Json, made_before: _MadeBefore, client: Client) -> str:
    """The name of the claim made for an entry before or now; raises WriteFailed."""
    metadata = pod["metadata"]
    found = made_before.names.get((metadata["uid"], entry["name"]))
    if found is not None:
        return found
    name = entry["resourceClaimTemplateName"]
    template = client.get(key_of("ResourceClaimTemplate", name, metadata["namespace"]))
    if template is None:
        raise WriteFailed("NotFound", f'resourceclaimtemplate "{name}" not found')
    return str(client.create(_from_template(template, pod, entry["name"]))["metadata"]["name"])


def entry_of(claim: Json) -> str | None:
    """The name of the entry of a pod that a claim was made for."""
    found: str | None = (claim["metadata"].get("annotations") or {}).get(POD_CLAIM_NAME)
    return found


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
    statuses = [one for one in known if one["name"] not in new]
    statuses += [{"name": entry, "resourceClaimName": claim} for entry, claim in new.items()]
    client.update(with_status(pod, resourceClaimStatuses=statuses), "status")
