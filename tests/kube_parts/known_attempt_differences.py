"""Where attempts go otherwise in the built-in than in Kubernetes, and why it stays so."""

from __future__ import annotations

from tests.kube_parts.asked import Asked

ANY_CLAIM = "of several claims that PostFilter may free, Kubernetes takes any one, the built-in the first"


def of_attempts(one: Asked) -> str:
    """Why the answers to a question differ, empty if that is not known."""
    for action, ours in zip(one.ask["actions"], one.ours["observations"], strict=True):
        freed = any(
            "deallocation" in reason
            for phase in ours.get("phases", ())
            if phase["phase"] == "PostFilter"
            for reason in phase.get("reasons", ())
        )
        if freed and _entries(one, action["pod"]) > 1:
            return ANY_CLAIM
    return ""


def _entries(one: Asked, pod: str) -> int:
    """How many claims a pod has."""
    name = pod.partition("/")[2]
    [found] = [each for each in one.objects["pods"] if each["metadata"]["name"] == name]
    return len(found["spec"].get("resourceClaims", ()))
