"""The states of pods and claims that end the wait for a steady state."""

from __future__ import annotations

from typing import Any

from dra_conform.adapters.live.scenario_watch import ScenarioWatch

Json = Any

OWNER = "5e8c2a5c-0000-4000-8000-1234567890ab"


class Watched:
    """The watched pods and claims, by the path of their collection."""

    def __init__(self, pod: Json, claim: Json) -> None:
        self._objects = {"pods": [pod], "claims": [claim]}

    def all(self, path: str) -> list[Json]:
        return self._objects[path]


class Scenario:
    """The namespaces of a scenario on a cluster that serves all kinds."""

    class served:  # noqa: N801 - an attribute of the replaced class
        """The served versions."""

        @staticmethod
        def newest(kind: str) -> str:
            return "v1"


def recurring(suffix: str, *, uid: str, time: str, node: str = "m") -> tuple[bytes, ...]:
    """Return the state of a pod and of the claim that was generated for it."""
    pod = {
        "metadata": {"name": "p", "uid": OWNER, "resourceVersion": uid[:1]},
        "spec": {"nodeName": node},
        "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": f"p-gpu-{suffix}"}]},
    }
    claim = {
        "metadata": {
            "name": f"p-gpu-{suffix}",
            "generateName": "p-gpu-",
            "uid": uid,
            "creationTimestamp": time,
        }
    }
    watched: Any = Watched(pod, claim)
    scenario: Any = Scenario()
    return ScenarioWatch(scenario, watched, {"Pod": ["pods"], "ResourceClaim": ["claims"]}).recurring_state()


def test_a_state_recurs_with_another_generated_claim() -> None:
    first = recurring("zkkqc", uid="77553e16-ed7a-44f2-b7c7-b8e9223234bd", time="2026-01-01T00:00:00Z")
    assert first == recurring(
        "xtxqn", uid="87553e16-ed7a-44f2-b7c7-b8e9223234bd", time="2026-01-01T00:00:09.123456Z"
    )


def test_another_content_is_another_state() -> None:
    uid, time = "77553e16-ed7a-44f2-b7c7-b8e9223234bd", "2026-01-01T00:00:00Z"
    assert recurring("zkkqc", uid=uid, time=time) != recurring("zkkqc", uid=uid, time=time, node="n")
