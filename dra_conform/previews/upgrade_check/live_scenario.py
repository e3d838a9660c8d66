"""The scenario of an upgrade check on real clusters: what is written, awaited, upgraded and observed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.apiserver.kinds import versions_served
from dra_conform.cluster_state.components import APISERVER, NAMES, Components
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import allocation_of
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.gates import locked
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1
from dra_conform.previews.rehearsal.applied_objects import unused_claims
from dra_conform.previews.upgrade_check.written_objects import ALLOWED

Action = Mapping[str, Json]
"""An action of the operation `cluster`."""

_PLACEHOLDER = "dra-conform-claim-"
"""The prefix of the pods that use the claims which no pod of the manifests uses."""
_IMAGE = "registry.k8s.io/pause:3.10"


@dataclass(frozen=True, slots=True)
class UpgradeScenario:
    """What is done with the objects of manifests in one cluster.

    `existing` are pods that exist before. `created` has each created pod with the number of its action.
    `unused` are the claims that no pod uses, each with its placeholder, None for an allocated claim.
    `settled` are the numbers of the last action of each release.
    """

    objects: Mapping[str, Sequence[Json]]
    actions: Sequence[Action]
    existing: Sequence[Json]
    created: Sequence[tuple[int, Json]]
    unused: Mapping[Key, Key | None]
    settled: Sequence[int]


def upgrade_scenario(
    added: Sequence[Json], written: Sequence[Json], profiles: Sequence[Profile], seconds: int
) -> UpgradeScenario:
    """Return the scenario of a cluster in the first profile, upgraded to each later one.

    `added` are nodes, `written` are v1 objects in order; those with a UID exist before. `seconds` is the time
    that passes in each profile.
    """
    written = list(map(_without_workloads, written))
    existing: dict[Key, Json] = {}
    for raw in written:
        if raw["kind"] == "Node" or (raw["metadata"].get("uid") and raw["kind"] != "Namespace"):
            existing.setdefault(key_in(raw), raw)
    setup: dict[str, list[Json]] = {}
    for raw in (*_namespaces(written), *added, *existing.values()):
        setup.setdefault(COLLECTIONS[raw["kind"]], []).append(raw)
    seen = dict(existing)
    # Otherwise pods that wait for ResourceSlices would be retried in a random order.
    others = [raw for raw in written if raw["kind"] != "Pod"]
    actions = [action for _, action in _writes(others, seen, profiles[0])]
    actions += [{"do": "settle"}] if actions else []
    created: list[tuple[int, Json]] = []
    for raw, action in _writes([raw for raw in written if raw["kind"] == "Pod"], seen, profiles[0]):
        created += [(len(actions), raw)] if action["do"] == "create" else []
        actions.append(action)
    actions += _settled(seconds, first=True)
    unused: dict[Key, Key | None] = {}
    for claim in unused_claims(*(_of_kind(seen, kind) for kind in ("ResourceClaim", "Pod"))):
        unused[key_in(claim)] = None
        if not allocation_of(claim):
            pod = _placeholder(claim, len(unused))
            unused[key_in(claim)] = key_in(pod)
            actions.append({"do": "create", "object": pod})
    if unused:
        actions.append({"do": "settle"})
    settled = [len(actions) - 1]
    components = Components({}, profiles[0])
    for profile in profiles[1:]:
        actions += [*_upgrade(components, profile), *_settled(seconds)]
        settled.append(len(actions) - 1)
    return UpgradeScenario(setup, actions, _of_kind(existing, "Pod"), created, unused, settled)


def _without_workloads(raw: Json) -> Json:
    """Return an object without owners such as a ReplicaSet, which is not created.

    Otherwise the garbage collector would delete the object.
    """
    owners = raw["metadata"].get("ownerReferences") or ()
    kept = [owner for owner in owners if owner.get("kind") in COLLECTIONS]
    return raw if len(kept) == len(owners) else with_field(raw, "metadata.ownerReferences", kept or None)


def _of_kind(objects: Mapping[Key, Json], kind: str) -> list[Json]:
    return [raw for raw in objects.values() if raw["kind"] == kind]


def _namespaces(written: Sequence[Json]) -> Iterator[Json]:
    """Yield the namespaces of all objects, which allow admin access as in the simulation."""
    names = {namespace for _, namespace, _ in map(key_in, written) if namespace}
    namespaces: dict[str, Json] = {
        name: {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in sorted(names)
    }
    namespaces |= {raw["metadata"]["name"]: raw for raw in written if raw["kind"] == "Namespace"}
    for raw in namespaces.values():
        metadata = raw["metadata"]
        yield {**raw, "metadata": {**metadata, "labels": {**(metadata.get("labels") or {}), **ALLOWED}}}


def _writes(
    written: Sequence[Json], seen: dict[Key, Json], profile: Profile
) -> Iterator[tuple[Json, Action]]:
    """Yield each object with its write, in the newest version that the release serves, as by `kubectl apply`.

    `seen` are the stored objects, to which this function adds the written objects.
    """
    for raw in written:
        named = bool(raw["metadata"].get("name"))
        known = seen.get(key_in(raw)) if named else None
        if raw["kind"] == "Namespace" or known == raw:
            continue
        served = versions_served(raw["kind"], profile)
        sent = from_v1(dict(raw), served[0]) if served else raw
        yield raw, {"do": "update" if known else "create", "object": sent}
        if named:
            seen[key_in(raw)] = raw
            if "status" in raw:
                yield raw, {"do": "update", "object": sent, "subresource": "status"}


def _settled(seconds: int, *, first: bool = False) -> Iterator[Action]:
    if first or not seconds:
        yield {"do": "settle"}
    if seconds:
        yield from ({"do": "advance", "seconds": seconds}, {"do": "settle"})


def _upgrade(components: Components, profile: Profile) -> Iterator[Action]:
    """Yield the actions that replace all components with those of a profile.

    Gates that the new release has locked are set to their defaults before, other gates after the replacement.
    """
    before = components[APISERVER].profile
    if before.release != profile.release:
        fixed = locked(str(profile.release))
        defaults = Profile.named(profile.name).gates
        unlocked = {
            gate: defaults[gate]
            for gate, on in components[APISERVER].switched.items()
            if gate in fixed and defaults[gate] != on
        }
        if unlocked:
            components.restart(NAMES, unlocked)
            yield {"do": "set-gates", "components": list(NAMES), "gates": unlocked}
        components.replace(NAMES, profile.release)
        yield {"do": "set-version", "components": list(NAMES), "release": profile.release}
    replaced = components[APISERVER].profile
    changed = {gate: on for gate, on in profile.gates.items() if replaced.gates.get(gate, on) != on}
    if changed:
        components.restart(NAMES, changed)
        yield {"do": "set-gates", "components": list(NAMES), "gates": changed}


def _placeholder(claim: Json, number: int) -> Json:
    _, namespace, name = key_in(claim)
    container = {"name": "main", "image": _IMAGE, "resources": {"claims": [{"name": "claim"}]}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"{_PLACEHOLDER}{number}", "namespace": namespace},
        "spec": {
            "containers": [container],
            "resourceClaims": [{"name": "claim", "resourceClaimName": name}],
        },
    }
