"""References of a scenario to objects: by name, or by the pod that owns a generated claim."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.cluster_state.pods import owner_of
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json
from dra_conform.simulation.controllers.claim_generation import entry_of
from dra_conform.simulation.store import Store


def resolve(reference: Json, store: Store) -> Key | None:
    """Return the key of a referenced object, the newest of several; None if it was not created yet.

    Raises KeyError for an incomplete reference.
    """
    kind = reference["kind"]
    if "forPod" in reference:
        return _generated_claim(
            store, reference["forPod"], lambda claim: entry_of(claim) == reference["entry"]
        )
    if "specialOf" in reference:
        return _generated_claim(store, reference["specialOf"], is_extended_resource_claim)
    return key_of(kind, reference["name"], reference.get("namespace", ""))


def resolved(value: Json, store: Store) -> Json:
    """Return a value with each `{"$name": REFERENCE}` replaced by a name, empty if unknown."""
    if isinstance(value, dict) and set(value) == {"$name"}:
        key = resolve(value["$name"], store)
        return key[2] if key else ""
    if isinstance(value, dict):
        return {name: resolved(item, store) for name, item in value.items()}
    return [resolved(item, store) for item in value] if isinstance(value, list) else value


def _generated_claim(store: Store, pod: str, matches: Callable[[Json], bool]) -> Key | None:
    namespace, _, name = pod.rpartition("/")
    namespace = namespace or "default"
    key = None
    for claim in store.of_kind("ResourceClaim"):
        owner = owner_of(claim)
        if owner and owner["name"] == name and claim["metadata"]["namespace"] == namespace and matches(claim):
            key = key_in(claim)
    return key
