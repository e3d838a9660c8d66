"""The names by which a scenario refers to objects: given names, or the owner of a generated object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.controlplane.simulation.controllers.claim_generation import entry_of
from dra_conform.controlplane.simulation.keys import Key, key_in, key_of
from dra_conform.controlplane.simulation.pods import owner_of
from dra_conform.controlplane.simulation.store import Store
from dra_conform.kube.extended_resources import is_special

Json = Any


def resolve(reference: Json, store: Store) -> Key | None:
    """The key of what is meant, the newest where several are; None while nothing was made.

    Raises KeyError for a reference that names nothing.
    """
    kind = reference["kind"]
    if "forPod" in reference:
        return _made(store, reference["forPod"], lambda claim: entry_of(claim) == reference["entry"])
    if "specialOf" in reference:
        return _made(store, reference["specialOf"], is_special)
    return key_of(kind, reference["name"], reference.get("namespace", ""))


def resolved(value: Json, store: Store) -> Json:
    """A value in which each `{"$name": REFERENCE}` is the name of what is meant, empty for nothing."""
    if isinstance(value, dict) and set(value) == {"$name"}:
        key = resolve(value["$name"], store)
        return key[2] if key else ""
    if isinstance(value, dict):
        return {name: resolved(item, store) for name, item in value.items()}
    return [resolved(item, store) for item in value] if isinstance(value, list) else value


def _made(store: Store, pod: str, meant: Callable[[Json], bool]) -> Key | None:
    namespace, _, name = pod.rpartition("/")
    namespace = namespace or "default"
    found = None
    for claim in store.of_kind("ResourceClaim"):
        owner = owner_of(claim)
        if owner and owner["name"] == name and claim["metadata"]["namespace"] == namespace and meant(claim):
            found = key_in(claim)
    return found
