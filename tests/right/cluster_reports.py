"""Correct clusters that report errors, events and objects in another form than the built-in.

No document names the reasons of events and of rejected pods, the errors of writes or the order of lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unittest import mock

from dra_conform.kube.json_values import Json
from dra_conform.simulation.controllers import device_taint_eviction as eviction
from dra_conform.simulation.parts import Parts
from tests.right.api_servers import OtherErrors
from tests.right.clusters import RightCluster


class EvictsSilently(RightCluster):
    """Evicts pods without a condition and without events."""

    def patches(self) -> Iterable[Any]:
        def evict(controller: Any, pod: Json) -> None:
            try:
                controller._client.delete(eviction.key_in(pod))
            except eviction.WriteFailed:
                return
            controller._waiting.discard(pod["metadata"]["uid"])

        return (mock.patch.object(eviction.DeviceTaintEviction, "_evict", evict),)


class OtherErrorsOfWrites(RightCluster):
    """Reports other errors, other reasons of rejections by quota, other messages and further warnings."""

    parts = Parts(admission=OtherErrors().admit)

    def observed(self, observation: Json) -> Json:
        if observation["outcome"] == "rejected":
            reason = observation["reason"]
            return {
                **observation,
                "message": "no",
                "reason": "TooManyRequests" if reason == "Forbidden" else reason,
            }
        return (
            {**observation, "warnings": ["deprecated"]}
            if observation["outcome"] == "admitted"
            else observation
        )


class OtherWords(RightCluster):
    """Reports other reasons, events and messages, prepares devices twice, and lists objects in reverse order."""

    def observed(self, observation: Json) -> Json:
        if observation["outcome"] != "settled":
            return observation
        for event in observation["events"]:
            event["reason"] = f"My{event['reason']}"
            event["message"] = f"could not: {event['message']}"
        observation["prepared"] = [*observation["prepared"], *observation["prepared"]][::-1]
        for series in observation.get("metrics", ()):
            series["labels"]["instance"] = "one"
        for pod in observation["objects"].get("pods", ()):
            status = pod.setdefault("status", {})
            if "reason" in status:
                status |= {"reason": "NotAdmitted", "message": "no"}
            status["conditions"] = [{"type": "Seen", "status": "True"}]
            status.setdefault("phase", "Pending")
            for entry in status.get("nodeAllocatableResourceClaimStatuses") or ():
                entry["containers"] = (entry.get("containers") or [])[::-1]
        objects = observation["objects"]
        observation["objects"] = {name: objects[name][::-1] for name in reversed(objects)}
        return observation


class OtherForms(RightCluster):
    """Serves more metadata, and reservations, results of new allocations and references in another form."""

    def observed(self, observation: Json) -> Json:
        if observation["outcome"] != "settled":
            return observation
        for existing in observation["objects"].values():
            for item in existing:
                metadata = item["metadata"]
                metadata |= {"managedFields": [{"manager": "someone"}], "resourceVersion": "4711"}
                metadata["annotations"] = {**(metadata.get("annotations") or {}), "example.com/seen": "yes"}
                metadata["labels"] = {**(metadata.get("labels") or {}), "example.com/seen": "yes"}
        for claim in observation["objects"].get("resourceClaims", ()):
            if (claim.get("status") or {}).get("reservedFor"):
                claim["status"]["reservedFor"].reverse()
            for owner in claim["metadata"].get("ownerReferences") or ():
                owner.pop("blockOwnerDeletion", None)
        return observation


RIGHT: tuple[type[RightCluster], ...] = (EvictsSilently, OtherErrorsOfWrites, OtherWords, OtherForms)
"""Each must pass the suite."""
