"""Requests go out as they are meant, and answers come back as they are."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.api import APPLY, Answer, Api, EveryWrite, Unreachable
from dra_conform.adapters.live.resources import RESOURCES
from tests.support.adapters.live.scripted_server import Asked, Said, serving

Json = Any

PODS = RESOURCES["Pod"].address("v1")
POD = RESOURCES["Pod"].address("v1", "n", "p")


def asked_by(call: Json, said: Said | None = None) -> tuple[Answer, Asked]:
    seen: list[Asked] = []

    def script(asked: Asked) -> Said:
        seen.append(asked)
        return said or Said({})

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
    said = Said({}, headers={"Warning": '299 - "unknown field \\"spec.x\\""'})
    assert asked_by(lambda api: api.get("/x"), said)[0].warnings == ('unknown field "spec.x"',)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Said({"kind": "Status", "reason": "Invalid", "message": "no"}, 422), "Invalid"),
        (Said("404 page not found\n", 404), "NotFound"),
        (Said({}, 503), "HTTP 503"),
    ],
)
def test_refusals(said: Said, reason: str) -> None:
    answer, _ = asked_by(lambda api: api.get("/x"), said)
    assert (answer.taken, answer.reason) == (False, reason)


def test_what_is_no_object_is_no_answer() -> None:
    with pytest.raises(Unreachable, match="GET /x: 500 out of order"):
        asked_by(lambda api: api.get("/x"), Said("out of order", 500))


def test_metrics_may_be_refused() -> None:
    assert asked_by(lambda api: api.text("/metrics"), Said("a 1\n"))[0] == "a 1\n"
    assert asked_by(lambda api: api.text("/metrics"), Said({"kind": "Status"}, 403))[0] is None


def test_after_the_end_only_deletions_are_made() -> None:
    with serving(lambda _: Said({})) as endpoint:
        api = Api(endpoint, EveryWrite())
        api.end()
        with pytest.raises(Unreachable, match="has ended"):
            api.create(PODS, {})
        assert api.delete(POD).taken
        api.close()
