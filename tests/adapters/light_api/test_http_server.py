"""The simulated API server over HTTP: reads, watches, writes, patches, deletions, and outages."""

from __future__ import annotations

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

SLICES = "/apis/resource.k8s.io/v1/resourceslices"


@pytest.fixture
def server() -> Iterator[LightServer]:
    server = LightServer(Profile.named("kep"), seed=1)
    yield server
    server.close()


def call(
    server: LightServer, method: str, path: str, body: Json = None, kind: str = "application/json"
) -> tuple[int, Json]:
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    request = urllib.request.Request(server.url + path, data, {"Content-Type": kind}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def a_slice(name: str, node: str = "node-1") -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "gpu-0"}],
        },
    }


def create(server: LightServer, *names: str) -> list[Json]:
    created = [call(server, "POST", SLICES, a_slice(name, f"node-{name}")) for name in names]
    assert {code for code, _ in created} == {201}
    return [raw for _, raw in created]


def test_lists_select_by_fields(server: LightServer) -> None:
    create(server, "a", "b")
    code, found = call(server, "GET", f"{SLICES}?fieldSelector=spec.nodeName%3Dnode-b")
    assert code == 200
    assert [raw["metadata"]["name"] for raw in found["items"]] == ["b"]
    assert int(found["metadata"]["resourceVersion"]) > 0


def test_objects_are_read_in_each_served_version(server: LightServer) -> None:
    create(server, "a")
    code, raw = call(server, "GET", SLICES.replace("v1", "v1beta1") + "/a")
    assert code == 200
    assert raw["apiVersion"] == "resource.k8s.io/v1beta1"
    assert "basic" in raw["spec"]["devices"][0]
    assert call(server, "GET", f"{SLICES}/missing")[0] == 404
    assert call(server, "GET", SLICES.replace("v1", "v9"))[0] == 404


def test_invalid_objects_are_rejected_with_their_fields(server: LightServer) -> None:
    raw = a_slice("a")
    raw["spec"]["devices"][0]["name"] = "NOT VALID"
    code, status = call(server, "POST", SLICES, raw)
    assert (code, status["reason"]) == (422, "Invalid")
    assert [cause["field"] for cause in status["details"]["causes"]] == ["spec.devices[0].name"]
    assert [(write.verb, write.accepted) for write in server.writes] == [("create", False)]


def watch(server: LightServer, query: str) -> Iterator[Json]:
    with urllib.request.urlopen(f"{server.url}{SLICES}?watch=true&{query}", timeout=10) as answer:
        for line in answer:
            yield json.loads(line)


def test_a_watch_begins_with_the_present_objects(server: LightServer) -> None:
    create(server, "a")
    events = watch(server, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=5")
    assert [next(events)["type"] for _ in range(2)] == ["ADDED", "BOOKMARK"]
    create(server, "b")
    call(server, "DELETE", f"{SLICES}/a")
    seen = [next(events) for _ in range(2)]
    assert [(event["type"], event["object"]["metadata"]["name"]) for event in seen] == [
        ("ADDED", "b"),
        ("DELETED", "a"),
    ]


def test_a_watch_continues_from_a_resource_version(server: LightServer) -> None:
    [first, _] = create(server, "a", "b")
    version = first["metadata"]["resourceVersion"]
    event = next(watch(server, f"resourceVersion={version}&timeoutSeconds=5"))
    assert event["object"]["metadata"]["name"] == "b"


def test_a_watch_of_forgotten_events_is_expired(server: LightServer) -> None:
    [first, _] = create(server, "a", "b")
    server.api.store.events.clear()
    create(server, "c")
    version = first["metadata"]["resourceVersion"]
    [event] = watch(server, f"resourceVersion={version}&timeoutSeconds=5")
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 410, "Expired")


def test_a_watch_ends_after_its_timeout(server: LightServer) -> None:
    assert [*watch(server, "resourceVersion=1&timeoutSeconds=0.1")] == []


def test_a_merge_patch_changes_fields_and_removes_null(server: LightServer) -> None:
    create(server, "a")
    for kind in ("application/merge-patch+json", "application/strategic-merge-patch+json"):
        patch = {"metadata": {"labels": {"a": "b", "c": None}}}
        code, raw = call(server, "PATCH", f"{SLICES}/a", patch, kind)
        assert code == 200
        assert raw["metadata"]["labels"] == {"a": "b"}
    assert call(server, "PATCH", f"{SLICES}/a", [], "application/json-patch+json")[0] == 415
    assert call(server, "PATCH", f"{SLICES}/missing", {}, "application/merge-patch+json")[0] == 404


def test_an_old_resource_version_is_a_conflict(server: LightServer) -> None:
    [old] = create(server, "a")
    new = {**old, "spec": {**old["spec"], "devices": [{"name": "gpu-9"}]}}
    assert call(server, "PUT", f"{SLICES}/a", new)[0] == 200
    code, status = call(server, "PUT", f"{SLICES}/a", {**new, "spec": old["spec"]})
    assert (code, status["reason"]) == (409, "Conflict")


def test_a_deletion_has_preconditions(server: LightServer) -> None:
    [raw] = create(server, "a")
    for preconditions, code in (
        ({"uid": "another"}, 409),
        ({"resourceVersion": "1"}, 409),
        ({"uid": raw["metadata"]["uid"]}, 200),
        ({}, 404),
    ):
        options = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": preconditions}
        assert call(server, "DELETE", f"{SLICES}/a", options)[0] == code, preconditions


def test_a_collection_is_deleted_by_selector(server: LightServer) -> None:
    create(server, "a", "b")
    assert call(server, "DELETE", f"{SLICES}?fieldSelector=spec.nodeName%3Dnode-a")[0] == 200
    found = call(server, "GET", SLICES)[1]["items"]
    assert [raw["metadata"]["name"] for raw in found] == ["b"]


@pytest.mark.parametrize(
    "query",
    [
        "fieldSelector=spec.pool.name%3Da",
        "fieldSelector=spec.driver",
        "labelSelector=a%3Db%3Dc",
        "labelSelector=a+in+b",
        "watch=1&resourceVersion=new",
        "watch=1&timeoutSeconds=soon",
        "limit=many",
    ],
)
def test_a_malformed_query_is_rejected(query: str, server: LightServer) -> None:
    create(server, "a")
    for method in ["GET"] if query.startswith(("watch", "limit")) else ["GET", "DELETE"]:
        code, status = call(server, method, f"{SLICES}?{query}")
        assert (code, status["reason"]) == (400, "BadRequest")
    assert len(call(server, "GET", SLICES)[1]["items"]) == 1


@pytest.mark.parametrize("length", ["-1", "many", str(3 * 2**20 + 1)])
def test_a_body_of_an_impossible_length_is_rejected(length: str, server: LightServer) -> None:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    connection.putrequest("POST", SLICES)
    connection.putheader("Content-Length", length)
    connection.endheaders()
    assert connection.getresponse().status == 400
    connection.close()


def test_a_body_in_chunks_is_read(server: LightServer) -> None:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    text = json.dumps(a_slice("a")).encode()
    connection.request("POST", SLICES, iter([text[:10], text[10:]]), encode_chunked=True)
    answer = connection.getresponse()
    assert (answer.status, json.load(answer)["metadata"]["name"]) == (201, "a")
    connection.request("GET", f"{SLICES}/a")
    assert connection.getresponse().status == 200
    connection.close()


BODIES = {
    "no JSON": b"{",
    "nested too deeply": b"[" * 100_000,
    "broken protobuf": b"k8s\x00\xff\xff",
    "an unknown kind": b"k8s\x00\x0a\x09\x0a\x02v1\x12\x03Pod",
    "a list": b"[]",
}


@pytest.mark.parametrize("case", BODIES)
def test_a_body_that_is_no_object_is_rejected(case: str, server: LightServer) -> None:
    code, status = call(server, "POST", SLICES, BODIES[case])
    assert 400 <= code < 500
    assert status["kind"] == "Status"


def test_an_outage_ends_watches_and_requests(server: LightServer) -> None:
    ended = threading.Event()

    def follow() -> None:
        try:
            for _ in watch(server, "resourceVersion=1&timeoutSeconds=60"):
                continue
        except (OSError, ValueError):
            pass
        ended.set()

    thread = threading.Thread(target=follow)
    thread.start()
    server.stop_answering()
    assert ended.wait(5)
    thread.join()
    with pytest.raises(OSError):  # noqa: PT011 - which of its classes depends on the moment
        call(server, "GET", SLICES)
    server.answer_again()
    assert call(server, "GET", SLICES)[0] == 200
