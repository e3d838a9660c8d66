"""Watches of a scenario: collections are listed again if a watch cannot continue, and states end the wait."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.scenario_watch import ScenarioWatch, WatchedCollections
from dra_conform.kube.json_values import Json
from tests.support.adapters.live.scripted_server import HttpRequest, HttpResponse, serving

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


def recurring(suffix: str, *, uid: str, time: str, node: str = "m") -> bytes:
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


def pod_object(uid: str, version: int) -> Json:
    metadata = {"name": "p", "uid": uid, "resourceVersion": str(version)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}


def listed(version: int, *items: Json) -> HttpResponse:
    return HttpResponse(
        {"apiVersion": "v1", "metadata": {"resourceVersion": str(version)}, "items": list(items)}
    )


def event(how: str, thing: Json) -> Json:
    return {"type": how, "object": thing}


def followed(
    lists: list[HttpResponse], watches: list[HttpResponse], until: set[tuple[str, str]]
) -> list[str]:
    """Watch a collection until it has these objects; return the versions from which watches started."""
    versions: list[str] = []

    def script(request: HttpRequest) -> HttpResponse:
        if "watch=true" not in request.path:
            return lists.pop(0)
        versions.append(request.path.partition("resourceVersion=")[2].partition("&")[0])
        return watches.pop(0) if watches else HttpResponse(lines=[])

    with serving(script) as endpoint, WatchedCollections.open(Api(endpoint), ["/pods"]) as watched:
        seen = -1
        while {
            (x["metadata"]["uid"], x["metadata"]["resourceVersion"]) for x in watched.all("/pods")
        } != until:
            assert watched.wait(10, seen), "nothing changes any more"
            seen = watched.changes
    return versions


def test_listed_added_and_deleted_objects() -> None:
    events = [
        event("MODIFIED", pod_object("a", 3)),
        event("ADDED", pod_object("c", 4)),
        event("DELETED", pod_object("b", 5)),
    ]
    versions = followed(
        [listed(2, pod_object("a", 1), pod_object("b", 2))],
        [HttpResponse(lines=events)],
        {("a", "3"), ("c", "4")},
    )
    assert versions[0] == "2"


def test_a_watch_continues_at_the_last_version() -> None:
    watches = [
        HttpResponse(lines=[event("ADDED", pod_object("a", 3)), event("BOOKMARK", pod_object("", 7))]),
        HttpResponse(lines=[event("ADDED", pod_object("b", 8))]),
    ]
    versions = followed([listed(2)], watches, {("a", "3"), ("b", "8")})
    assert versions[:2] == ["2", "7"]


@pytest.mark.parametrize(
    "end",
    [
        HttpResponse(lines=[event("ERROR", {"code": 410})]),
        HttpResponse("gone", 503),
        HttpResponse(lines=[{"no": 1}]),
    ],
)
def test_an_expired_watch_lists_again(end: HttpResponse) -> None:
    versions = followed([listed(2, pod_object("a", 1)), listed(9, pod_object("b", 8))], [end], {("b", "8")})
    assert versions[0] == "2"


def test_a_collection_that_cannot_be_listed_is_unreachable() -> None:
    refused = HttpResponse({"kind": "Status", "message": "not you"}, 403)
    with (
        serving(lambda _: refused) as endpoint,
        pytest.raises(Unreachable, match="cannot list /pods: not you"),
        WatchedCollections.open(Api(endpoint), ["/pods"]),
    ):
        pass


def test_a_new_version_with_the_same_state_is_no_change() -> None:
    """A pod that is tried again without another result has a newer version but the same state."""
    events = [event("MODIFIED", pod_object("a", version)) for version in (2, 3, 4)]
    responses = [HttpResponse(lines=events)]

    def script(request: HttpRequest) -> HttpResponse:
        if "watch=true" not in request.path:
            return listed(1, pod_object("a", 1))
        return responses.pop(0) if responses else HttpResponse(lines=[])

    with (
        serving(script) as endpoint,
        WatchedCollections.open(Api(endpoint), ["/pods"], lambda thing: thing["metadata"]["uid"]) as watched,
    ):
        seen = watched.changes
        while watched.all("/pods")[0]["metadata"]["resourceVersion"] != "4":
            assert not watched.wait(0.01, seen)
        assert watched.changes == seen
