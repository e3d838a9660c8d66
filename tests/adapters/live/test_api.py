"""Requests to an API server, and its answers."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

import pytest

from dra_conform.adapters.live.api import APPLY, Api, Unreachable
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.kube.json_values import Json
from tests.support.adapters.live.scripted_server import HttpRequest, HttpResponse, serving

PODS = RESOURCES["Pod"].address("v1")
_DONE = {"kind": "Status", "status": "Success"}
POD = RESOURCES["Pod"].address("v1", "n", "p")


def response_and_request(call: Json, response: HttpResponse | None = None) -> tuple[Answer, HttpRequest]:
    seen: list[HttpRequest] = []

    def script(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return response or HttpResponse(_DONE)

    with serving(script) as endpoint:
        api = Api(endpoint, EveryWrite())
        answer = call(api)
        api.close()
    return answer, seen[0]


def test_an_object_is_sent_unchanged() -> None:
    raw = {"kind": "Pod", "spec": {"unknown": [None, 1.5, "x"], "containers": "no list"}, "none": None}
    _, request = response_and_request(lambda api: api.create(PODS, raw))
    assert (request.method, request.path, request.body) == ("POST", "/api/v1/pods", raw)
    assert ("Content-Type", "application/json") in request.headers


def test_a_user_is_impersonated_with_all_groups() -> None:
    user = {"name": "u", "groups": ["a", "b"]}
    _, request = response_and_request(lambda api: api.replace(POD, {}, user))
    assert [one for one in request.headers if one[0].startswith("Impersonate")] == [
        ("Impersonate-User", "u"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
    ]


@pytest.mark.parametrize("name", ["secret\nHost: x", "sécret", "secret\x07"])
def test_what_no_header_can_have_is_not_sent_and_not_shown(name: str) -> None:
    with pytest.raises(Unreachable) as problem:
        response_and_request(lambda api: api.replace(POD, {}, {"name": name}))
    assert str(problem.value).endswith(": a header cannot be sent, expected a token of one line")


def test_an_apply_names_its_manager() -> None:
    query = {"fieldManager": "m", "force": "true"}
    _, request = response_and_request(
        lambda api: api.write("PATCH", POD, {"a": 1}, query=query, content_type=APPLY)
    )
    assert request.path == "/api/v1/namespaces/n/pods/p?fieldManager=m&force=true"
    assert request.body == {"a": 1}
    assert ("Content-Type", APPLY) in request.headers


def test_a_pod_can_be_deleted_without_grace_period() -> None:
    assert response_and_request(lambda api: api.delete(POD, now=True))[1].body["gracePeriodSeconds"] == 0
    assert "gracePeriodSeconds" not in response_and_request(lambda api: api.delete(POD))[1].body


def test_warnings() -> None:
    response = HttpResponse(_DONE, headers={"Warning": '299 - "unknown field \\"spec.x\\""'})
    assert response_and_request(lambda api: api.create(PODS, {}), response)[0].warnings == (
        'unknown field "spec.x"',
    )


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (HttpResponse({"kind": "Status", "reason": "Invalid", "message": "no"}, 422), "Invalid"),
        (HttpResponse("404 page not found\n", 404), "NotFound"),
        (HttpResponse({}, 503), "HTTP 503"),
    ],
)
def test_failed_requests(response: HttpResponse, reason: str) -> None:
    answer, _ = response_and_request(lambda api: api.get(POD), response)
    assert (answer.accepted, answer.reason) == (False, reason)


def test_an_answer_that_is_not_an_object_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="GET /api/v1/namespaces/n/pods/p: 500 out of order"):
        response_and_request(lambda api: api.get(POD), HttpResponse("out of order", 500))


def test_an_object_and_a_list() -> None:
    metadata = {"name": "p", "uid": "u", "resourceVersion": "1"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"unknown": True}}
    assert response_and_request(lambda api: api.get(POD), HttpResponse(pod))[0].body == pod
    pods = {"apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": [pod]}
    assert response_and_request(lambda api: api.get(PODS), HttpResponse(pods))[0].body == pods


@pytest.mark.parametrize(
    ("address", "body", "problem"),
    [
        (POD, {}, "missing required field `metadata`"),
        (POD, [], "Expected `object`, got `array`"),
        (
            POD,
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"uid": "u"}},
            "field `name` - at `$.metadata`",
        ),
        (POD, "[" * 5000, "not JSON"),
        (PODS, {"apiVersion": "v1", "metadata": {}, "items": []}, "`resourceVersion` - at `$.metadata`"),
        (PODS, {"apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": [1]}, "at `$.items[0]`"),
    ],
)
def test_malformed_answers(address: Address, body: Json, problem: str) -> None:
    with pytest.raises(Unreachable, match=re.escape(problem)):
        response_and_request(lambda api: api.get(address), HttpResponse(body))


def test_metrics_without_permission_are_none() -> None:
    assert response_and_request(lambda api: api.text("/metrics"), HttpResponse("a 1\n"))[0] == "a 1\n"
    assert (
        response_and_request(lambda api: api.text("/metrics"), HttpResponse({"kind": "Status"}, 403))[0]
        is None
    )


def test_metrics_that_are_not_utf_8_are_an_error() -> None:
    with pytest.raises(Unreachable, match="GET /metrics: the answer is not UTF-8, expected text"):
        response_and_request(lambda api: api.text("/metrics"), HttpResponse("\udcff kubernetes"))


_READS: dict[str, Callable[[Api], Json]] = {
    "object": lambda api: api.get(POD),
    "text": lambda api: api.text("/metrics"),
}


@pytest.mark.parametrize("read", _READS)
@pytest.mark.parametrize(
    ("limit", "value", "problem"),
    [
        ("_MAX_BYTES", 20, "is too long, expected at most 20 bytes"),
        ("_MAX_SECONDS", -1, "is not complete after -1 seconds"),
    ],
)
def test_a_body_has_limits(
    monkeypatch: pytest.MonkeyPatch, read: str, limit: str, value: int, problem: str
) -> None:
    monkeypatch.setattr(f"dra_conform.adapters.live.api.{limit}", value)
    with pytest.raises(Unreachable, match=f"the answer of the API server {problem}"):
        response_and_request(_READS[read], HttpResponse(_DONE))


def test_a_compressed_body_is_not_decompressed() -> None:
    """No request asks for one, and a small body could become one of any size."""
    body = gzip.compress(b"a 1").decode("utf-8", "surrogateescape")
    with pytest.raises(Unreachable, match="not UTF-8"):
        response_and_request(
            lambda api: api.text("/metrics"), HttpResponse(body, headers={"Content-Encoding": "gzip"})
        )


def test_after_the_end_only_deletions_are_sent() -> None:
    with serving(lambda _: HttpResponse(_DONE)) as endpoint:
        api = Api(endpoint, EveryWrite())
        api.end()
        with pytest.raises(Unreachable, match="has ended"):
            api.create(PODS, {})
        assert api.delete(POD).accepted
        api.close()


def test_after_the_end_of_a_component_only_deletions_are_sent() -> None:
    def ended() -> None:
        raise ChildProcessError("the scheduler ended")

    with serving(lambda _: HttpResponse(_DONE)) as endpoint:
        api = Api(endpoint, EveryWrite(), ended)
        with pytest.raises(ChildProcessError, match="the scheduler ended"):
            api.create(PODS, {})
        assert api.delete(POD).accepted
        api.close()
