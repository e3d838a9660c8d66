"""The fast check of every answer accepts the same results as the schema."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dra_conform.adapters import schemas
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.conformance.allocate.answer import Outcome, Reason
from dra_conform.conformance.answer_limits import MAX_TEXT
from dra_conform.conformance.implementation import Status
from tests.support.adapters import device_requests

REQUEST = device_requests.request(7, devices=1)
DEVICE = {"request": "r0", "driver": "d", "pool": "p", "device": "x"}


def allocated(**device: Any) -> dict[str, Any]:
    allocation = {"devices": {"results": [{**DEVICE, **device}]}}
    return {"status": "ok", "outcome": "allocated", "allocations": {"default/c": allocation}}


GOOD: list[tuple[dict[str, Any], Status]] = [
    ({"status": "ok", "outcome": "unallocatable"}, Status.OK),
    (
        {"status": "ok", "outcome": "rejected", "reasons": [{"category": "FieldInvalid", "path": "spec"}]},
        Status.OK,
    ),
    ({"status": "ok", "outcome": "errored", "reasons": []}, Status.OK),
    ({"status": "ok", "outcome": "allocated", "allocations": {}}, Status.OK),
    (allocated(), Status.OK),
    (allocated(shareID="s", consumedCapacity={"bw": "5"}, adminAccess=False), Status.OK),
    (allocated(shareID=None, consumedCapacity=None, tolerations=[], newField=3), Status.OK),
    (
        {
            "status": "ok",
            "outcome": "allocated",
            "allocations": {"a/b": {"devices": {"results": [], "config": [{}]}, "nodeSelector": {}}},
        },
        Status.OK,
    ),
    ({"status": "ok", "outcome": "allocated", "allocations": {"a/b": {"devices": {}}}}, Status.OK),
    ({"status": "unsupported"}, Status.UNSUPPORTED),
    ({"status": "unsupported", "feature": "f", "message": "m", "issue": "i"}, Status.UNSUPPORTED),
    ({"status": "failed", "message": ""}, Status.FAILED),
    ({"status": "failed", "message": "m", "traceback": "t", "whatever": 1}, Status.FAILED),
]

BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "status"),
    ({"status": "fine"}, "status"),
    ({"status": None}, "status"),
    ({"status": "ok"}, "outcome"),
    ({"status": "ok", "outcome": "Allocated"}, "outcome"),
    ({"status": "ok", "outcome": "allocated"}, "allocations"),
    ({"status": "ok", "outcome": "allocated", "allocations": []}, "allocations"),
    ({"status": "ok", "outcome": "allocated", "allocations": {"a/b": None}}, "allocations"),
    ({"status": "ok", "outcome": "allocated", "allocations": {"a/b": {}}}, "devices"),
    ({"status": "ok", "outcome": "allocated", "allocations": {"a/b": {"devices": []}}}, "devices"),
    (
        {"status": "ok", "outcome": "allocated", "allocations": {"a/b": {"devices": {"results": {}}}}},
        "results",
    ),
    (allocated(device=None), "device"),
    (allocated(pool=1), "pool"),
    (allocated(consumedCapacity={"bw": 5}), "bw|consumedCapacity"),
    (allocated(consumedCapacity=["5"]), "consumedCapacity"),
    (allocated(shareID=5), "shareID"),
    (allocated(adminAccess="yes"), "adminAccess"),
    ({"status": "ok", "outcome": "unallocatable", "reasons": ["no"]}, "reasons"),
    ({"status": "ok", "outcome": "unallocatable", "reasons": [{"message": "no"}]}, "category"),
    ({"status": "ok", "outcome": "unallocatable", "reasons": {}}, "reasons"),
    ({"status": "failed"}, "message"),
    ({"status": "failed", "message": 3}, "message"),
    ({"status": "unsupported", "feature": ["f"]}, "feature"),
    ({"status": "ok", "outcome": "unallocatable", "type": "answer"}, "type"),
]


@pytest.mark.parametrize(("body", "status"), GOOD, ids=range(len(GOOD)))
def test_good_results(body: dict[str, Any], status: Status) -> None:
    frame = {"type": "result", "id": 1, **body}
    reply = to_reply(REQUEST, frame, 0.5)
    assert not isinstance(reply, MalformedResult)
    assert (reply.id, reply.status, reply.seconds) == (7, status, 0.5)
    assert (reply.answer is not None) == (status is Status.OK)
    assert schemas.result_violations("allocate", frame) == ()


@pytest.mark.parametrize(("body", "where"), BAD, ids=range(len(BAD)))
def test_bad_results(body: dict[str, Any], where: str) -> None:
    frame = {"type": "result", "id": 1, **body}
    reply = to_reply(REQUEST, frame)
    assert isinstance(reply, MalformedResult)
    assert any(word in reply.problem for word in (*where.split("|"), "[...]"))
    problems = schemas.result_violations("allocate", frame)
    assert len(problems) == 1
    assert any(word in problems[0] for word in where.split("|"))


@pytest.mark.parametrize("status", ["failed", "unsupported"])
def test_long_messages_are_shortened(status: str) -> None:
    body = {"type": "result", "status": status, "message": "m" * 20_000, "traceback": "t" * 20_000}
    reply = to_reply(REQUEST, body)
    assert not isinstance(reply, MalformedResult)
    assert reply.detail == f"{'m' * MAX_TEXT}… (20000 characters)"
    assert len(reply.log) < 2 * MAX_TEXT


LONG = "m" * 20_000
MANY_OF: dict[str, tuple[str, Callable[[list[Any]], dict[str, Any]], Any]] = {
    "allocate": ("reasons", lambda many: {"outcome": "unallocatable", "reasons": many}, {"category": LONG}),
    "admit": ("warnings", lambda many: {"outcome": "admitted", "object": {}, "warnings": many}, LONG),
    "schedule": (
        "phases[0].reasons",
        lambda many: {
            "outcome": "tried",
            "observations": [
                {"outcome": "attempted", "phases": [{"phase": "Filter", "code": "Error", "reasons": many}]}
            ],
        },
        LONG,
    ),
}


@pytest.mark.parametrize("operation", MANY_OF)
def test_texts_and_lists_of_an_answer_have_limits(operation: str) -> None:
    where, body, entry = MANY_OF[operation]
    request = replace(REQUEST, operation=operation)
    reply = to_reply(request, {"type": "result", "status": "ok", **body([entry] * 1000)})
    assert not isinstance(reply, MalformedResult)
    assert f"{'m' * MAX_TEXT}… (20000 characters)" in str(reply.answer)
    assert LONG not in str(reply.answer)
    assert to_reply(request, {"type": "result", "status": "ok", **body([entry] * 1001)}) == MalformedResult(
        f"Expected `array` of length <= 1000 - at `$.{where}`"
    )


def test_errors_of_a_rejection_have_limits() -> None:
    body = {"type": "result", "status": "ok", "outcome": "rejected", "reason": "Invalid", "message": LONG}
    request = replace(REQUEST, operation="admit")
    error = {"path": LONG, "type": LONG, "detail": LONG}
    reply = to_reply(request, {**body, "errors": [error] * 1000})
    assert not isinstance(reply, MalformedResult)
    assert LONG not in str(reply.answer)
    assert to_reply(request, {**body, "errors": [error] * 1001}) == MalformedResult(
        "Expected `array` of length <= 1000 - at `$.errors`"
    )


@pytest.mark.parametrize("field", ["name", "version"])
def test_a_name_of_more_than_200_characters_violates_the_schema(field: str) -> None:
    implementation = {"name": "n" * 200, "version": "1"}
    hello = {"type": "hello", "id": 0, "protocol": 1, "operations": ["allocate"]}
    assert schemas.violations("hello-answer", {**hello, "implementation": implementation}) == ()
    [problem] = schemas.violations(
        "hello-answer", {**hello, "implementation": {**implementation, field: "n" * 201}}
    )
    assert problem.startswith(f"/implementation/{field}: 'nnn")


def test_typed_fields_of_an_answer() -> None:
    reason = {"category": "InsufficientCapacity", "phase": "capacity", "scope": "device", "subject": "x"}
    frame = {"type": "result", "status": "ok", "outcome": "unallocatable", "reasons": [reason]}
    reply = to_reply(REQUEST, frame)
    assert not isinstance(reply, MalformedResult)
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.UNALLOCATABLE
    assert reply.answer.reasons == (
        Reason("InsufficientCapacity", phase="capacity", scope="device", subject="x"),
    )


def test_allocations_count_only_with_the_outcome_allocated() -> None:
    reply = to_reply(REQUEST, {"type": "result", **allocated(), "outcome": "unallocatable"})
    assert not isinstance(reply, MalformedResult)
    assert reply.answer is not None
    assert reply.answer.allocations == {}


@pytest.mark.parametrize("kind", ["ResourceSlice", "", None])
def test_an_object_of_another_kind_than_its_collection_is_malformed(kind: str | None) -> None:
    node = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "node-1"}}
    observation = {"outcome": "settled", "objects": {"nodes": [node]}}
    request = replace(REQUEST, operation="cluster", ask={"actions": [{"do": "settle"}]})
    frame = {"type": "result", "id": 1, "status": "ok", "outcome": "observed", "observations": [observation]}
    reply = to_reply(request, frame)
    assert isinstance(reply, MalformedResult)
    assert "kind" in reply.problem
