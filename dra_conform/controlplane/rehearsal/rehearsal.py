"""Manifests applied to a simulated cluster, one set after the other, and what comes of their pods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.nodes_of_slices import nodes_of_slices
from dra_conform.controlplane.parts import Parts
from dra_conform.controlplane.rehearsal.applied_objects import applied, with_owners
from dra_conform.controlplane.rehearsal.listening_allocator import ListeningAllocator
from dra_conform.controlplane.rehearsal.rehearsed_pod import PodState, RehearsedPod
from dra_conform.controlplane.simulation import SimulatedCluster
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.kube.core import Node
from dra_conform.kube.manifests import Loaded
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile

Json = Any

_CLAIM_NOT_MADE = "FailedResourceClaimCreation"
"""The reason of the event of a pod whose claim could not be made from its template."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The pods, those that were there before first, and the claims and pods that are there in the end.

    `slices` are there in the end too. `nodes_made` are the nodes that no manifest describes. `refused` are
    the objects other than pods that the API server refused, with what it said.
    """

    pods: tuple[RehearsedPod, ...]
    objects: tuple[Json, ...]
    slices: tuple[Json, ...]
    nodes_made: tuple[str, ...]
    refused: tuple[str, ...]


def rehearse(
    sets: Sequence[Sequence[Loaded]], profile: Profile, *, seconds: int = 0, seed: int = 0
) -> Rehearsal:
    """Apply sets of manifests, as `as_stored` has them, and let the cluster settle after each.

    At the end `seconds` pass, and it settles again. Objects with a UID come from a cluster: they are there
    from the beginning, as they are written.

    Where no manifest describes a node, those that slices name are made. Raises InputError for a workload with
    an impossible number of pods, NotSimulated for what the simulated cluster does not do.
    """
    everything = [item for one in sets for item in one]
    made = nodes_of_slices(everything)
    nodes = [item.object for item in everything if isinstance(item.object, Node)]
    nodes += [decode(one) for one in made]
    actions = [{"do": "create", "object": node} for node in made]
    uids = {str(item.raw["metadata"].get("uid", "")) for item in everything if "metadata" in item.raw}
    seen: dict[Key, Json] = {}
    there: dict[str, list[Json]] = {}
    for one in sets:
        for written in applied(one, nodes):
            raw = with_owners(written, uids)
            if raw["metadata"].get("uid") and key_in(raw) not in seen:
                seen[key_in(raw)] = raw
                there.setdefault(COLLECTIONS[raw["kind"]], []).append(raw)
            else:
                actions += _writes(raw, seen)
        actions.append({"do": "settle"})
    if seconds:
        actions += [{"do": "advance", "seconds": seconds}, {"do": "settle"}]
    allocator = ListeningAllocator()
    cluster = SimulatedCluster(Parts(allocator=allocator), profile, seed)
    observations = cluster.tell(there, {"actions": actions})
    last = observations[-1]
    told = _Told(last["objects"], observations, allocator)
    creates = [
        (action["object"], observation)
        for action, observation in zip(actions, observations, strict=True)
        if action["do"] == "create"
    ]
    return Rehearsal(
        (
            *(told.pod(raw) for raw in there.get("pods", ())),
            *(told.created(raw, observation) for raw, observation in creates if raw["kind"] == "Pod"),
        ),
        (*last["objects"].get("pods", ()), *last["objects"].get("resourceClaims", ())),
        tuple(last["objects"].get("resourceSlices", ())),
        tuple(node["metadata"]["name"] for node in made),
        tuple(
            f"{raw['kind']} {raw['metadata'].get('name', '')}: {observation.get('message', '')}"
            for raw, observation in creates
            if raw["kind"] != "Pod" and observation["outcome"] == "rejected"
        ),
    )


def _writes(raw: Json, seen: dict[Key, Json]) -> Iterator[dict[str, Json]]:
    """How an object is applied: created, or updated if it is there already and differs."""
    named = bool(raw["metadata"].get("name"))
    key = key_in(raw)
    if named and seen.get(key) == raw:
        return
    yield {"do": "update" if named and key in seen else "create", "object": raw}
    if named and "status" in raw:
        yield {"do": "update", "object": raw, "subresource": "status"}
    seen[key] = raw


class _Told:
    """What the cluster told in the end, by pod."""

    def __init__(
        self,
        objects: Mapping[str, Sequence[Json]],
        observations: Sequence[Mapping[str, Json]],
        allocator: ListeningAllocator,
    ) -> None:
        self._pods = {key_in(one): one for one in objects.get("pods", ())}
        self._claims = {key_in(one): one for one in objects.get("resourceClaims", ())}
        self._allocator = allocator
        settled = [one for one in observations if one["outcome"] == "settled"]
        self._attempts = {one["pod"]: one for told in settled for one in told.get("attempts", ())}
        self._events = [one for told in settled for one in told.get("events", ())]

    def created(self, raw: Json, observation: Mapping[str, Json]) -> RehearsedPod:
        if observation["outcome"] == "rejected":
            key = "/".join(key_in(raw)[1:])
            return RehearsedPod(key, PodState.REFUSED, message=observation.get("message", ""))
        return self.pod(observation["object"])

    def pod(self, stored: Json) -> RehearsedPod:
        """What came of a pod that was stored at some time."""
        found = self._pods.get(key_in(stored))
        key = "/".join(key_in(stored)[1:])
        if found is None:
            return RehearsedPod(key, PodState.GONE, message=self._why_gone(key))
        claims = tuple(self._claims_of(found))
        node = found["spec"].get("nodeName", "")
        match (found.get("status") or {}).get("phase"):
            case "Failed":
                message = (found.get("status") or {}).get("message", "")
                return RehearsedPod(key, PodState.FAILED, node, claims, message)
            case "Running" | "Succeeded":
                return RehearsedPod(key, PodState.RUNNING, node, claims)
        attempt = self._attempts.get(key, {})
        names = frozenset("/".join(key_in(one)[1:]) for one in claims)
        refusals = self._allocator.refusals(names) if not node else {}
        said = attempt.get("message", "") or "is not tried by the scheduler"
        told = [event for event in self._events_of(key) if event["reason"] == _CLAIM_NOT_MADE]
        message = f"{said} ({_CLAIM_NOT_MADE}: {told[-1]['message']})" if told and not claims else said
        return RehearsedPod(key, PodState.PENDING, node, claims, message, refusals)

    def _claims_of(self, pod: Json) -> Iterator[Json]:
        """The claims of its entries, and those that it owns: generated and special ones."""
        namespace = pod["metadata"]["namespace"]
        uid = pod["metadata"]["uid"]
        named = {one.get("resourceClaimName") for one in pod["spec"].get("resourceClaims") or ()}
        for (_, where, name), claim in self._claims.items():
            owners = {one.get("uid") for one in claim["metadata"].get("ownerReferences") or ()}
            if where == namespace and (name in named or uid in owners):
                yield claim

    def _why_gone(self, key: str) -> str:
        told = self._events_of(key)
        if not told:
            return "was deleted"
        return f"{told[-1]['reason']}: {told[-1].get('message', '')}".removesuffix(": ")

    def _events_of(self, key: str) -> list[Json]:
        """The events of a pod, the newest last."""
        namespace, _, name = key.partition("/")
        named = ("Pod", namespace, name)
        return [one for one in self._events if (one["kind"], one.get("namespace"), one["name"]) == named]
