"""Requests go out as they are meant, and answers come back as they are."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dra_conform.adapters.live.api import APPLY, Answer, Api, EveryWrite, Unreachable
from dra_conform.adapters.live.resources import RESOURCES, Address
from tests.support.adapters.live.scripted_server import Asked, Said, serving

Json = Any

PODS = RESOURCES["Pod"].address("v1")
_DONE = {"kind": "Status", "status": "Success"}
POD = RESOURCES["Pod"].address("v1", "n", "p")


def asked_by(call: Json, said: Said | None = None) -> tuple[Answer, Asked]:
    seen: list[Asked] = []

    def script(asked: Asked) -> Said:
        seen.append(asked)
        return said or Said(_DONE)

    with serving(script) as endpoint:
        api = Api(endpoint, EveryWrite())
        answer = call(api)
        api.close()
    return answer, seen[0]


def test_an_object_arrives_as_it_was_written() -> None:
    raw = {"kind": "Pod", "spec": {"unknown": [None, 1.5, "x"], "containers": "no list"}, "none": None}
    _, asked = asked_by(lambda api: api.create(PODS, raw))
    assert (asked.method, asked.path, asked.body) == ("POST", "/api/v1/pods", raw)
    assert ("Content-Type", "application/json") in asked.headers


def test_a_user_is_impersonated_with_all_groups() -> None:
    user = {"name": "u", "groups": ["a", "b"]}
    _, asked = asked_by(lambda api: api.replace(POD, {}, user))
    assert [one for one in asked.headers if one[0].startswith("Impersonate")] == [
        ("Impersonate-User", "u"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
    ]


def test_an_apply_names_its_manager() -> None:
    query = {"fieldManager": "m", "force": "true"}
    _, asked = asked_by(lambda api: api.write("PATCH", POD, {"a": 1}, query=query, content_type=APPLY))
    assert asked.path == "/api/v1/namespaces/n/pods/p?fieldManager=m&force=true"
    assert asked.body == {"a": 1}
    assert ("Content-Type", APPLY) in asked.headers


def test_a_pod_is_deleted_at_once_where_it_has_to_be() -> None:
    assert asked_by(lambda api: api.delete(POD, now=True))[1].body["gracePeriodSeconds"] == 0
    assert "gracePeriodSeconds" not in asked_by(lambda api: api.delete(POD))[1].body


def test_warnings() -> None:
    said = Said(_DONE, headers={"Warning": '299 - "unknown field \\"spec.x\\""'})
    assert asked_by(lambda api: api.create(PODS, {}), said)[0].warnings == ('unknown field "spec.x"',)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Said({"kind": "Status", "reason": "Invalid", "message": "no"}, 422), "Invalid"),
        (Said("404 page not found\n", 404), "NotFound"),
        (Said({}, 503), "HTTP 503"),
    ],
)
def test_refusals(said: Said, reason: str) -> None:
    answer, _ = asked_by(lambda api: api.get(POD), said)
    assert (answer.accepted, answer.reason) == (False, reason)


def test_what_is_no_object_is_no_answer() -> None:
    with pytest.raises(Unreachable, match="GET /api/v1/namespaces/n/pods/p: 500 out of order"):
        asked_by(lambda api: api.get(POD), Said("out of order", 500))


def test_an_object_and_a_list() -> None:
    metadata = {"name": "p", "uid": "u", "resourceVersion": "1"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"unknown": True}}
    assert asked_by(lambda api: api.get(POD), Said(pod))[0].body == pod
    pods = {"apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": [pod]}
    assert asked_by(lambda api: api.get(PODS), Said(pods))[0].body == pods


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
def test_answers_of_another_shape(address: Address, body: Json, problem: str) -> None:
    with pytest.raises(Unreachable, match=re.escape(problem)):
        asked_by(lambda api: api.get(address), Said(body))


def test_metrics_may_be_refused() -> None:
    assert asked_by(lambda api: api.text("/metrics"), Said("a 1\n"))[0] == "a 1\n"
    assert asked_by(lambda api: api.text("/metrics"), Said({"kind": "Status"}, 403))[0] is None


def test_after_the_end_only_deletions_are_made() -> None:
    with serving(lambda _: Said(_DONE)) as endpoint:
        api = Api(endpoint, EveryWrite())
        api.end()
        with pytest.raises(Unreachable, match="has ended"):
            api.create(PODS, {})
        assert api.delete(POD).accepted
        api.close()
