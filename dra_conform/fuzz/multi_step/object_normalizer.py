"""Normalization of served objects, so that two clusters can be compared.

The normalization replaces values that each cluster generates: UIDs, resource versions, times, names of
generated claims, and share IDs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dra_conform.conformance.object_references import ENTRY_ANNOTATION, EXTENDED, owner_of
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json

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
"""Fields that an allocator or a creator of claims need not set, according to the API reference."""

_PROGRESS = "EvictionInProgress"
"""A condition that controllers write asynchronously."""


class ObjectNormalizer:
    """Normalization for one cluster and one scenario. Strings in `scenario_text` stay unchanged."""

    def __init__(self, scenario_text: str) -> None:
        self._scenario_text = scenario_text
        self._names: dict[str, str] = {}

    def learn(self, objects: Iterable[Json]) -> None:
        """Learn from observed objects which claim was generated for which pod.

        The status of a pod also names claims that were deleted.
        """
        for item in objects:
            if item.get("kind") == "Pod":
                self._learn_from_pod(item)
            owner = owner_of(item) if item.get("kind") == "ResourceClaim" else ""
            name = item.get("metadata", {}).get("name", "")
            if owner and f'"{name}"' not in self._scenario_text:
                annotations = item["metadata"].get("annotations") or {}
                entry = (
                    EXTENDED if is_extended_resource_claim(item) else annotations.get(ENTRY_ANNOTATION, "?")
                )
                self._names[name] = f"{entry} of pod {owner}"

    def _learn_from_pod(self, pod: Json) -> None:
        whose = f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata']['name']}"
        for status in (pod.get("status") or {}).get("resourceClaimStatuses") or ():
            name = status.get("resourceClaimName") or ""
            if name and f'"{name}"' not in self._scenario_text:
                self._names[name] = f"{status['name']} of pod {whose}"

    def normalized(self, item: Mapping[str, Json]) -> Json:
        """Return the normalized object, without empty values."""
        metadata = {name: value for name, value in item["metadata"].items() if name not in _OF_SERVER}
        normalized = {**item, "metadata": metadata}
        if "generateName" in metadata and f'"{metadata.get("name")}"' not in self._scenario_text:
            metadata["name"] = self._names.get(metadata["name"], "generated")
            del metadata["generateName"]
        if item["kind"] == "Pod":
            status = item.get("status") or {}
            normalized["spec"] = _of_pod(item["spec"])
            normalized["status"] = {name: status[name] for name in _POD_STATUS if status.get(name)}
        if item["kind"] == "DeviceTaintRule" and _PROGRESS not in self._scenario_text:
            normalized["status"] = _without_progress(item.get("status") or {})
        return self._plain(normalized)

    def _plain(self, value: Json) -> Json:
        if isinstance(value, Mapping):
            kept = {name: item for name, item in value.items() if name not in _LEFT_OPEN}
            plain = {self._names.get(name, name): self._plain(item) for name, item in kept.items()}
            return {name: item for name, item in plain.items() if item not in (None, "", {}, [])}
        if isinstance(value, (list, tuple)):
            return [self._plain(item) for item in value]
        return self._normalized_string(value) if isinstance(value, str) else value

    def _normalized_string(self, text: str) -> str:
        if text in self._names:
            return self._names[text]
        if text in self._scenario_text:
            return text
        if _TIME.fullmatch(text):
            return "now"
        return "made up" if _UUID.fullmatch(text) else text


def _without_progress(status: Mapping[str, Json]) -> Json:
    conditions = [
        condition for condition in status.get("conditions") or () if condition.get("type") != _PROGRESS
    ]
    return {**status, "conditions": conditions}


def _of_pod(spec: Mapping[str, Json]) -> Json:
    """Return the compared fields of a pod spec: its node, its claims, and the containers that use them."""
    shown = {name: spec.get(name) for name in ("nodeName", "resourceClaims", "resources")}
    for name in ("containers", "initContainers"):
        shown[name] = [
            {"name": container.get("name"), **_scenario_text_of(container.get("resources") or {})}
            for container in spec.get(name) or ()
        ]
    return shown


def _scenario_text_of(resources: Mapping[str, Json]) -> dict[str, Json]:
    return {name: resources[name] for name in _OF_CLAIMS if name in resources}
