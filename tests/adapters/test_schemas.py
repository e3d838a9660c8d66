"""The schemas accept the frames of runner and adapters, and reject broken frames."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dra_conform.adapters import schemas
from dra_conform.adapters.session import profile_body, run_body
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Request, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.profile import PROFILES, Profile
from tests.support.adapters import device_requests

WHO = {"name": "n", "version": "1"}
VALID: dict[str, list[dict[str, Any]]] = {
    "hello": [
        {
            "type": "hello",
            "id": 0,
            "protocol": {"min": 1, "max": 1},
            "runner": WHO,
            "suite": {**WHO, "fingerprint": "sha256:0"},
        }
    ],
    "hello-answer": [
        {"type": "hello", "id": 0, "protocol": 1, "implementation": WHO, "operations": ["allocate"]},
        {
            "type": "hello",
            "id": 0,
            "protocol": 1,
            "implementation": {**WHO, "language": "go", "homepage": "h", "source": "s", "more": 1},
            "operations": ["allocate", "admit"],
            "features": {"a": "full", "b": {"support": "none", "issue": "i", "notes": "n"}},
            "modes": {"pipeline": {"window": 16}, "batch": {}},
        },
    ],
    "configure": [
        {"type": "configure", "id": 1, "profiles": {"p1": profile_body(Profile.named(name))}}
        for name in PROFILES
    ],
    "configured": [
        {"type": "configured", "id": 1, "accepted": ["p1"]},
        {"type": "configured", "id": 1, "accepted": [], "refused": [{"profile": "p1", "reason": "r"}]},
    ],
    "run": [
        {"type": "run", "id": 2, "case": run_body(device_requests.request(0, devices=2), "p1")},
        {
            "type": "run",
            "id": 2,
            "case": run_body(device_requests.request(1, devices=0, futureHint={"some": ["thing"]}), "p1"),
        },
    ],
    "result": [{"type": "result", "id": 2, "status": "ok", "outcome": "unallocatable"}],
    "error": [{"type": "error", "id": 0, "code": "protocol-version", "message": "no"}],
    "bye": [{"type": "bye", "id": 3}],
}


def _plain(frame: dict[str, Any]) -> Any:
    return json.loads(json.dumps(frame))  # as it comes off the wire


@pytest.mark.parametrize("message", schemas.MESSAGES)
def test_the_schemas_are_of_2020_12_and_name_the_version(message: str) -> None:
    schema = json.loads(schemas.text(message))
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"https://dra-conform.example/schemas/protocol/v1/{message}.schema.json"
    assert schema["description"]


@pytest.mark.parametrize("message", schemas.MESSAGES)
def test_valid_frames(message: str) -> None:
    for frame in VALID[message]:
        assert schemas.violations(message, _plain(frame)) == ()


@pytest.mark.parametrize("message", schemas.MESSAGES)
def test_a_missing_required_field_is_a_violation(message: str) -> None:
    schema = json.loads(schemas.text(message))
    for name in schema["required"]:
        frame = _plain(VALID[message][0])
        del frame[name]
        [problem] = schemas.violations(message, frame)
        assert problem.partition(", expected ")[0] == f"/: is missing {name!r}"


@pytest.mark.parametrize("message", schemas.MESSAGES)
@pytest.mark.parametrize("number", [-1, 1.5, "1", None, True, 2**53])
def test_ids_are_integers_of_at_most_53_bits(message: str, number: object) -> None:
    frame = {**_plain(VALID[message][0]), "id": number}
    assert len(schemas.violations(message, frame)) == 1


BROKEN = [
    ("hello-answer", {"protocol": "1"}, "/protocol: '1' is not of type 'integer'"),
    ("hello-answer", {"operations": None}, "/operations: is null, expected array"),
    ("hello-answer", {"implementation": {"name": "", "version": "1"}}, "/implementation/name: "),
    ("hello-answer", {"operations": []}, "/operations: "),
    (
        "hello-answer",
        {"features": {"a": {"support": "yes"}}},
        '/features/a/support: is "yes", expected "full" or "partial" or "none"',
    ),
    ("hello-answer", {"features": {"a": {"issue": "i"}}}, "/features/a: "),
    ("hello-answer", {"modes": {"pipeline": {"window": 0}}}, "/modes/pipeline/window: "),
    ("configured", {"accepted": "p1"}, "/accepted: "),
    ("configured", {"refused": [{"profile": "p1"}]}, "/refused/0: is missing 'reason'"),
    ("configure", {"profiles": {}}, "/profiles: "),
    ("result", {"outcome": 5}, "/outcome: "),
]


@pytest.mark.parametrize(("message", "change", "problem"), BROKEN, ids=range(len(BROKEN)))
def test_a_violation_has_a_pointer(message: str, change: dict[str, Any], problem: str) -> None:
    found = schemas.violations(message, {**VALID[message][0], **change})
    assert len(found) == 1
    assert found[0].startswith(problem)


@pytest.mark.parametrize("name", ["../v1/hello", "operations/consume", "operations/../hello"])
def test_an_unknown_message_has_no_schema(name: str) -> None:
    with pytest.raises(KeyError):
        schemas.text(name)


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_schema_of_an_operation(name: str) -> None:
    schema = json.loads(schemas.text(f"operations/{name}"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"https://dra-conform.example/schemas/protocol/v1/operations/{name}.schema.json"
    assert schema["description"]
    assert {"ask", "answer"} <= schema["$defs"].keys()


@pytest.mark.parametrize("name", OPERATIONS)
def test_ask_and_answer_follow_the_schema_of_the_operation(name: str) -> None:
    implementation = open_implementation(f"{name}:reference" if name in ("driver", "kubelet") else "builtin")
    implementation.start(Suite("tests", "1", "sha256:0"))
    operation = OPERATIONS[name]
    for probe in operation.probes:
        assert schemas.ask_violations(name, _plain(dict(probe.ask))) == ()
        request = Request(1, "c", name, Profile.named("kep"), probe.objects, probe.ask)
        [reply] = implementation.run([request])
        frame = {"type": "result", "id": 1, "status": "ok", **operation.write(reply.answer)}
        assert schemas.result_violations(name, _plain(frame)) == ()
        assert operation.read(_plain(frame)) == reply.answer


ASKED = [
    ("allocate", {"node": "n"}, "/: is missing 'claims'"),
    ("allocate", {"node": "n", "claims": ["c"]}, "/claims/0: "),
    ("admit", {"verb": "create"}, "/: is missing 'object'"),
    ("admit", {"verb": "delete", "object": {}}, "/verb: "),
    ("admit", {"verb": "update", "object": {}}, "/: is missing 'old'"),
    ("admit", {"verb": "create", "object": {}, "subresource": "scale"}, "/subresource: "),
    ("admit", {"verb": "create", "object": {}, "user": {"groups": []}}, "/user: is missing 'name'"),
]


@pytest.mark.parametrize(("operation", "ask", "problem"), ASKED, ids=range(len(ASKED)))
def test_a_broken_question(operation: str, ask: dict[str, Any], problem: str) -> None:
    [found] = schemas.ask_violations(operation, ask)
    assert found.startswith(problem)


ANSWERED = [
    ("allocate", {"outcome": "fine"}, "/outcome: "),
    (
        "allocate",
        {"outcome": "allocated", "allocations": {"a/b": {}}},
        "/allocations/a~1b: is missing 'devices'",
    ),
    (
        "allocate",
        {},
        """/: is missing 'outcome', expected "allocated" or "unallocatable" or "rejected" or "errored\"""",
    ),
    ("admit", {}, "/: is missing 'outcome'"),
    ("usage", {}, "/: is missing 'outcome', 'used'"),
    ("admit", {"outcome": "fine"}, '/outcome: is "fine", expected "admitted" or "rejected"'),
    ("admit", {"outcome": "admitted"}, "/: is missing 'object'"),
    ("admit", {"outcome": "rejected"}, "/: is missing 'reason'"),
    (
        "admit",
        {"outcome": "rejected", "reason": "Invalid", "errors": [{"path": "spec"}]},
        "/errors/0: is missing 'type'",
    ),
    ("cluster", {"outcome": "observed", "observations": [{}]}, "/observations/0: is missing 'outcome'"),
]


@pytest.mark.parametrize(("operation", "answer", "problem"), ANSWERED, ids=range(len(ANSWERED)))
def test_a_broken_answer(operation: str, answer: dict[str, Any], problem: str) -> None:
    frame = {"type": "result", "id": 1, "status": "ok", **answer}
    [found] = schemas.result_violations(operation, frame)
    assert found.startswith(problem)


def test_only_answers_are_validated_by_the_schema_of_the_operation() -> None:
    frame = {"type": "result", "id": 1, "status": "unsupported", "allocations": 5}
    assert schemas.result_violations("allocate", frame) == ()


def test_the_first_50_answers_and_then_every_20th_are_validated() -> None:
    sampler = schemas.Sampler()
    due = [number for number in range(1, 201) if sampler.due()]
    assert due == [*range(1, 51), 60, 80, 100, 120, 140, 160, 180, 200]


def test_the_frames_in_the_documentation_are_valid() -> None:
    page = Path(__file__).parents[2] / "docs" / "adapter-protocol.md"
    found = re.findall(r"^    ([<>]) (\{.*(?:\n       .*)*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    seen = set()
    operations: list[str] = []
    for direction, text in found:
        frame = json.loads(text.replace("[...]", "[]"))
        answers_hello = direction == "<" and frame["type"] == "hello"
        message = "hello-answer" if answers_hello else frame["type"]
        seen.add(message)
        assert schemas.violations(message, frame) == ()
        if message == "run":
            operations.append(frame["case"]["operation"])
            assert schemas.ask_violations(operations[-1], frame["case"]["ask"]) == ()
        if message == "result":
            assert schemas.result_violations(operations[-1], frame) == ()
    assert set(operations) == set(OPERATIONS)
    assert seen == set(schemas.MESSAGES) - {"error"}
