from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.implementation import CannotStart, Reply, Status, Suite
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.kube.profile import Profile
from tests.support.adapters import device_requests

SUITE = Suite("tests", "1", "sha256:0")
NOTHING = {"outcome": "unallocatable"}


def ask(target: object) -> Reply:
    implementation = InProcessImplementation(lambda: target, spec="python:test:target")
    implementation.start(SUITE)
    [reply] = implementation.run([device_requests.request(5, devices=1)])
    implementation.close()
    assert reply.id == 5
    return reply


class Plain:
    def allocate(self, objects: Any, ask: Any, profile: Any) -> Any:
        assert objects["nodes"][0]["metadata"]["name"] == ask["node"] == "node-1"
        assert profile.name == "kep"
        return NOTHING


class Described(Plain):
    """An implementation with three operations, each with a method."""

    name = "mine"
    version = "2.0"
    homepage = "https://example.org"
    features = {"device-taints": "none"}  # noqa: RUF012 - as a user may write it
    operations = ("allocate", "admit", "kubelet-admit")

    def admit(self, objects: Any, ask: Any, profile: Any) -> Any:
        return {"outcome": "rejected", "reason": "Forbidden"}

    def kubelet_admit(self, objects: Any, ask: Any, profile: Any) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize("target", [Plain, Plain(), Plain().allocate, lambda objects, ask, profile: NOTHING])
def test_classes_objects_and_callables(target: object) -> None:
    reply = ask(target)
    assert reply.status is Status.OK
    assert reply.answer is not None
    assert reply.answer.outcome is Outcome.UNALLOCATABLE
    assert reply.seconds > 0


def test_the_identity_has_the_attributes_of_the_object() -> None:
    identity = InProcessImplementation(lambda: Described, spec="python:a:b").start(SUITE)
    assert (identity.name, identity.version, identity.homepage) == ("mine", "2.0", "https://example.org")
    assert identity.features == {"device-taints": "none"}
    assert identity.operations == {"allocate", "admit", "kubelet-admit"}
    assert identity.spec == "python:a:b"


def test_the_support_of_a_feature_can_be_an_object_as_in_hello() -> None:
    features = {"device-taints": {"support": "none", "issue": "https://example.org/7"}}
    identity = InProcessImplementation(lambda: _with(features=features), spec="python:a:b").start(SUITE)
    assert identity.features == {"device-taints": "none"}


def test_all_attributes_are_optional() -> None:
    identity = InProcessImplementation(lambda: Plain, spec="python:a:b").start(SUITE)
    assert (identity.name, identity.version, identity.language) == ("a:b", "0", "python")
    assert identity.operations == {"allocate"}


def test_each_operation_is_a_method_of_its_name() -> None:
    implementation = InProcessImplementation(lambda: Described, spec="python:a:b")
    implementation.start(SUITE)
    requests = [
        device_requests.request(n, devices=1, operation=name) for n, name in enumerate(("admit", "allocate"))
    ]
    admitted, allocated = implementation.run(requests)
    assert (admitted.status, admitted.answer) == (
        Status.OK,
        AdmissionAnswer(Admission.REJECTED, reason="Forbidden"),
    )
    assert allocated.answer == AllocationAnswer(Outcome.UNALLOCATABLE)


def test_an_operation_that_is_not_declared() -> None:
    implementation = InProcessImplementation(lambda: Plain, spec="python:a:b")
    implementation.start(SUITE)
    [reply] = implementation.run([device_requests.request(1, devices=1, operation="admit")])
    assert (reply.status, reply.detail) == (
        Status.UNDECLARED,
        "the implementation does not declare operation 'admit'",
    )


def test_methods_get_seed_and_deadline_if_they_have_the_parameters() -> None:
    seen: dict[str, int] = {}

    def allocate(objects: Any, ask: Any, profile: Any, *, seed: int, deadline_ms: int = 0) -> Any:
        seen.update(seed=seed, deadline_ms=deadline_ms)
        return NOTHING

    assert ask(allocate).status is Status.OK
    assert seen == {"seed": 0, "deadline_ms": 2000}


def _raises(error: BaseException) -> Callable[..., Any]:
    def allocate(objects: Any, ask: Any, profile: Any) -> Any:
        raise error

    return allocate


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("no such thing"), "ValueError: no such thing"),
        (RecursionError(), "RecursionError"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_an_exception_is_an_adapter_error(error: BaseException, message: str) -> None:
    reply = ask(_raises(error))
    assert reply.status is Status.FAILED
    assert reply.detail == message
    assert "Traceback" in reply.log
    assert "in allocate" in reply.log


def test_a_keyboardinterrupt_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt):
        ask(_raises(KeyboardInterrupt()))


def _change(change: Callable[[Any, Any], object]) -> Callable[..., Any]:
    def allocate(objects: Any, ask: Any, profile: Any) -> Any:
        change(objects, ask)
        return NOTHING

    return allocate


CHANGES: list[tuple[Callable[[Any, Any], object], str]] = [
    (
        lambda objects, ask: objects["resourceClaims"][0].update(status={}),
        "the implementation changed its input (resourceClaims)",
    ),
    (lambda objects, ask: objects["nodes"].clear(), "the implementation changed its input (nodes)"),
    (
        lambda objects, ask: objects["resourceSlices"][0]["spec"]["pool"].update(resourceSliceCount=True),
        "the implementation changed its input (resourceSlices)",
    ),
    (lambda objects, ask: objects["nodes"].append(object()), "the implementation changed its input (nodes)"),
    (
        lambda objects, ask: objects.pop("deviceClasses"),
        "the implementation changed its input (deviceClasses)",
    ),
    (
        lambda objects, ask: ask["claims"].reverse() or ask["claims"].append("x"),
        "the implementation changed its input (ask)",
    ),
]


@pytest.mark.parametrize(("change", "detail"), CHANGES, ids=range(len(CHANGES)))
def test_changed_input_is_found(change: Callable[[Any, Any], object], detail: str) -> None:
    reply = ask(_change(change))
    assert reply.status is Status.MUTATED
    assert reply.detail == detail
    assert reply.answer is not None


def test_the_case_is_not_changed() -> None:
    request = device_requests.request(1, devices=1)
    target = _change(lambda objects, ask: objects["nodes"][0].clear())
    implementation = InProcessImplementation(lambda: target, spec="python:test:target")
    implementation.start(SUITE)
    replies = list(implementation.run([request, request]))
    assert [reply.status for reply in replies] == [Status.MUTATED] * 2
    assert request == device_requests.request(1, devices=1)


def test_a_trusted_object_gets_the_request_without_a_copy() -> None:
    received: list[Any] = []

    def allocate(objects: Any, ask: Any, profile: Profile) -> dict[str, Any]:
        received.append(objects)
        return {"outcome": "unallocatable", "reasons": []}

    request = device_requests.request(1, devices=1)
    implementation = InProcessImplementation(lambda: allocate, spec="python:test:allocate", trusted=True)
    implementation.start(SUITE)
    [reply] = implementation.run([request])
    assert (reply.status, received[0] is request.objects) == (Status.OK, True)


def test_reordered_fields_are_no_change() -> None:
    def reorder(objects: Any, ask: Any) -> None:
        objects["nodes"] = objects.pop("nodes")

    assert ask(_change(reorder)).status is Status.OK


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (None, "allocate returned NoneType, expected a dict with 'outcome'"),
        ([], "allocate returned list, expected a dict with 'outcome'"),
        ({"outcome": "maybe"}, "the result violates the schema: /outcome: 'maybe' is not one of ["),
        ({}, "the result violates the schema: /: is missing 'outcome'"),
        (
            {"outcome": "allocated", "allocations": {"a/b": open}},
            "allocate returned a value that is not JSON: ",
        ),
        (
            {"outcome": "unallocatable", "steps": float("nan")},
            "allocate returned a value that is not JSON: /steps: is nan, expected a finite number",
        ),
        (
            {"outcome": "allocated", "allocations": {"a/b": {"devices": {"results": [{"device": b"x"}]}}}},
            "allocate returned a value that is not JSON: /allocations/a~1b/devices/results/0/device: has type "
            "bytes, expected a string",
        ),
        (
            {"outcome": "unallocatable", "steps": {float("inf")}},
            "allocate returned a value that is not JSON: /steps/0: is inf, expected a finite number",
        ),
        (
            {"outcome": "unallocatable", "steps": frozenset({b"x"})},
            "allocate returned a value that is not JSON: /steps/0: has type bytes, expected a string",
        ),
        (
            {"outcome": "unallocatable", b"steps": 1},
            "allocate returned a value that is not JSON: /b'steps': is a name of type bytes, expected a string",
        ),
    ],
)
def test_a_malformed_body(body: object, detail: str) -> None:
    reply = ask(lambda objects, ask, profile: body)
    assert reply.status is Status.PROTOCOL
    assert reply.detail.startswith(detail)


def test_the_answer_is_a_copy_of_plain_values() -> None:
    results = ({"request": "r0", "driver": "d", "pool": "p", "device": "x"},)
    body = {"outcome": "allocated", "allocations": {"default/c": {"devices": {"results": results}}}}
    reply = ask(lambda objects, ask, profile: body)
    assert reply.answer is not None
    assert reply.answer.allocations == {"default/c": {"devices": {"results": list(results)}}}
    results[0].clear()
    assert reply.answer.allocations["default/c"]["devices"]["results"][0]["device"] == "x"


def test_unsupported() -> None:
    reply = ask(lambda objects, ask, profile: {"status": "unsupported", "feature": "x", "message": "later"})
    assert (reply.status, reply.detail) == (Status.UNSUPPORTED, "x: later")


class _Breaks:
    def __init__(self) -> None:
        raise RuntimeError("no licence")


class _TakesTwo:
    def allocate(self, objects: object, ask: object) -> None: ...


class _Promises(Plain):
    operations = ("allocate", "kubelet-admit")


class _OneWord(Plain):
    operations = "allocate"


def _with(**attributes: object) -> object:
    return type("Declares", (Plain,), attributes)


CANNOT_START = [
    (_with(version=1.0), r"version is 1\.0, expected a string such as '1\.0'"),
    (_with(version=(1, 2)), r"version is \(1, 2\), expected a string such as '1\.0'"),
    (_with(name=b"mine"), "name is b'mine', expected a string such as 'first-fit'"),
    (
        _with(features=["device-taints"]),
        r"features is \['device-taints'\], expected a dict such as \{'device-taints': 'none'\}",
    ),
    (
        _with(features={"device-taints": True}),
        r"features\['device-taints'\] is True, expected 'full', 'partial' or 'none'",
    ),
    (_with(features=0), r"features is 0, expected a dict such as \{'consumable-capacity': 'none'\}"),
    (_with(features=[]), r"features is \[\], expected a dict such as \{'consumable-capacity': 'none'\}"),
    (_with(operations=False), r"operations is False, expected a tuple such as \('allocate',\)"),
    (_with(operations=5), r"operations is 5, expected a tuple such as \('allocate',\)"),
    (_Breaks, "RuntimeError: no licence"),
    (5, "has no method 'allocate' and is not callable"),
    (_OneWord, "operations is 'allocate', expected a tuple such as"),
    (
        _TakesTwo,
        r"_TakesTwo\.allocate\(objects, ask\) has another signature, expected \(objects, ask, profile\)",
    ),
    (_Promises, "declares the operation kubelet-admit but has no method 'kubelet_admit'"),
]


@pytest.mark.parametrize("empty", [None, ""])
def test_empty_attributes_mean_the_default(empty: object) -> None:
    target = _with(**dict.fromkeys(("name", "version", "operations", "features", "homepage"), empty))
    identity = InProcessImplementation(lambda: target, spec="python:a:b").start(SUITE)
    assert (identity.name, identity.version) == ("a:b", "0")
    assert (identity.operations, identity.features) == ({"allocate"}, {})


@pytest.mark.parametrize(("target", "message"), CANNOT_START)
def test_objects_that_cannot_start(target: object, message: str) -> None:
    with pytest.raises(CannotStart, match=message):
        InProcessImplementation(lambda: target, spec="python:a:b").start(SUITE)


def test_a_wrapper_is_checked_and_not_what_it_wraps() -> None:
    def of_objects(objects: Any) -> Any:
        return {"outcome": "unallocated", "reasons": []}

    @functools.wraps(of_objects)
    def allocate(objects: Any, ask: Any, profile: Any) -> Any:
        return of_objects(objects)

    InProcessImplementation(lambda: allocate, spec="python:a:b").start(SUITE)
