"""Normalization of served objects, so that two clusters can be compared.

What a cluster makes up by itself has another name there and here: UIDs, versions, times, the names of claims
that are made for pods, the IDs of shares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from dra_conform.conformance.cluster.references import ENTRY_ANNOTATION, EXTENDED, owner_of
from dra_conform.kube.extended_resources import is_special
from dra_conform.kube.quantity import Quantity, QuantityError

Json = Any

_OF_SERVER = frozenset(
    {"uid", "creationTimestamp", "resourceVersion", "managedFields", "deletionGracePeriodSeconds", "selfLink"}
)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OF_CLAIMS = ("claims", "requests", "limits")
_POD_STATUS = (
    *("phase", "resourceClaimStatuses", "extendedResourceClaimStatus"),
    "nodeAllocatableResourceClaimStatuses",
)

_LEFT_OPEN = frozenset({"allocationTimestamp", "blockOwnerDeletion"})
"""Fields that the API reference does not promise to be set by whoever allocates or makes a claim."""

_PROGRESS = "EvictionInProgress"
"""A condition that controllers write while nobody waits for them."""


class SharedWords:
    """The words of one cluster in one story; `asked` is the text of the story, whose own words stay."""

    def __init__(self, asked: str) -> None:
        self._asked = asked
        self._names: dict[str, str] = {}

    def learn(self, objects: Iterable[Json]) -> None:
        """Take in the objects of an observation: what was made for which pod.

        A pod tells of claims that have gone again, too.
        """
        for one in objects:
            if one.get("kind") == "Pod":
                self._learn_of_pod(one)
            owner = owner_of(one) if one.get("kind") == "ResourceClaim" else ""
            name = one.get("metadata", {}).get("name", "")
            if owner and f'"{name}"' not in self._asked:
                annotations = one["metadata"].get("annotations") or {}
                entry = EXTENDED if is_special(one) else annotations.get(ENTRY_ANNOTATION, "?")
                self._names[name] = f"{entry} of pod {owner}"

    def _learn_of_pod(self, pod: Json) -> None:
        whose = f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata']['name']}"
        for made in (pod.get("status") or {}).get("resourceClaimStatuses") or ():
            name = made.get("resourceClaimName") or ""
            if name and f'"{name}"' not in self._asked:
                self._names[name] = f"{made['name']} of pod {whose}"

    def shared(self, one: Mapping[str, Json]) -> Json:
        """An object that both would serve alike; what is empty is not there."""
        metadata = {name: value for name, value in one["metadata"].items() if name not in _OF_SERVER}
        made = {**one, "metadata": metadata}
        if "generateName" in metadata and f'"{metadata.get("name")}"' not in self._asked:
            metadata["name"] = self._names.get(metadata["name"], "generated")
            del metadata["generateName"]
        if one["kind"] == "Pod":
            status = one.get("status") or {}
            made["spec"] = _of_pod(one["spec"])
            made["status"] = {name: status[name] for name in _POD_STATUS if status.get(name)}
        if one["kind"] == "DeviceTaintRule" and _PROGRESS not in self._asked:
            made["status"] = _without_progress(one.get("status") or {})
        return self._plain(made)

    def _plain(self, value: Json) -> Json:
        if isinstance(value, Mapping):
            kept = {name: one for name, one in value.items() if name not in _LEFT_OPEN}
            plain = {self._names.get(name, name): self._plain(one) for name, one in kept.items()}
            return {name: one for name, one in plain.items() if one not in (None, "", {}, [])}
        if isinstance(value, (list, tuple)):
            return [self._plain(one) for one in value]
        return self._word(value) if isinstance(value, str) else value

    def _word(self, text: str) -> str:
        if text in self._names:
            return self._names[text]
        if text in self._asked:
            return text
        if _TIME.fullmatch(text):
            return "now"
        return "made up" if _UUID.fullmatch(text) else text


def amount(text: Json) -> Json:
    """A quantity by its value; what is none as it is."""
    try:
        return Quantity.parse(str(text)).nano
    except QuantityError:
        return text


def _without_progress(status: Mapping[str, Json]) -> Json:
    conditions = [one for one in status.get("conditions") or () if one.get("type") != _PROGRESS]
    return {**status, "conditions": conditions}


def _of_pod(spec: Mapping[str, Json]) -> Json:
    """What is compared of a pod: its node, its claims, and who uses them."""
    shown = {name: spec.get(name) for name in ("nodeName", "resourceClaims", "resources")}
    for name in ("containers", "initContainers"):
        shown[name] = [
            {"name": one.get("name"), **_asked_of(one.get("resources") or {})} for one in spec.get(name) or ()
        ]
    return shown


def _asked_of(resources: Mapping[str, Json]) -> dict[str, Json]:
    return {name: resources[name] for name in _OF_CLAIMS if name in resources}
