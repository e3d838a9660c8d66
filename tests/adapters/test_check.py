"""`adapter check` passes adapters that follow the protocol and explains violations."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dra_conform.adapters import check as checking
from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.check import check
from dra_conform.adapters.check_item import Item
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.partial_implementation import PartialImplementation
from dra_conform.adapters.specs import BadSpec
from dra_conform.conformance.implementation import CannotStart, Identity
from dra_conform.kube.json_values import Json
from tests.support.rows import mostly_slow

ROOT = Path(__file__).parents[2]
ADVERSARY = Path(__file__).parents[1] / "support" / "adapters" / "adversaries" / "adversary.py"
LIMITS = Limits(start=5, configure=0.3, bye=0.2, terminate=0.1, settle=0.002, max_frame=1_000_000)
VERSION = "the adapter declines if offered only version 99"


def problems(items: list[Item]) -> dict[str, str]:
    return {item.title: item.advice for item in items if not item.ok}


def adversary(behaviour: str, window: int = 1, limits: Limits = LIMITS) -> dict[str, str]:
    spec = f"exec:{sys.executable} -S -E {ADVERSARY} {behaviour} {window}"
    found = problems(check(spec, limits=limits))
    found.pop(VERSION, None)  # none of them looks at the versions
    return found


@pytest.mark.parametrize("program", [f"{sys.executable} first_fit.py", "node first_fit.mjs"])
def test_the_example_adapters_pass(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tools" / "adapters")
    items = check(f"exec:{program}")
    assert problems(items) == {}
    assert len(items) >= 9


def test_the_python_example_is_short() -> None:
    example = ROOT / "tools" / "adapters" / "first_fit.py"
    assert len(example.read_text(encoding="utf-8").splitlines()) <= 60


def test_an_adapter_that_accepts_any_protocol_version() -> None:
    found = problems(check(f"exec:{sys.executable} -S -E {ADVERSARY} good", limits=LIMITS))
    assert list(found) == [VERSION]
    assert '"code": "protocol-version"' in found[VERSION]


FIRST = "the adapter answers a ResourceClaim that can be allocated"
PIPELINE = "the adapter answers 4 requests in flight, as it declares"
SECOND = "the adapter answers a ResourceClaim that cannot be allocated"
SHAPES = "the adapter writes every field of an allocation in its shape"
FINDINGS = [
    ("good", {}),
    ("junk-before-hello", {"nothing but messages on stdout before hello": "write logs to stderr"}),
    ("dies-at-start", {"the adapter answers hello": "no configuration found"}),
    ("bad-hello", {"the adapter answers hello": "/implementation: is missing 'version'"}),
    (
        "dies-after-hello",
        {"the adapter answers configure": "exit code 6"},
    ),
    (
        "hangs-at-configure",
        {
            "the adapter answers configure": "no configured message within 0.3 s",
            "the adapter exits after the bye message": "killed",
        },
    ),
    ("forgets-profiles", {"the adapter answers configure": "name each profile in accepted"}),
    (
        "after-bye",
        {"the adapter exits after the bye message": "the adapter wrote to stdout after the bye message"},
    ),
    ("ignores-bye", {"the adapter exits after the bye message": "was killed"}),
    ("exit-code", {"the adapter exits after the bye message": "exit code 3"}),
    (
        "claims-all",
        {
            FIRST: "status unsupported, but the adapter declares the operation allocate",
            SECOND: "otherwise run gives the verdict overclaim",
            SHAPES: "status unsupported, but feature consumable-capacity is declared as fully supported",
        },
    ),
    ("always-wrong", {}),
    ("flood-stderr", {}),
    ("refuses", {}),
]


@pytest.mark.parametrize(
    ("behaviour", "expected"), mostly_slow([pytest.param(*row, id=row[0]) for row in FINDINGS], 5)
)
def test_findings(behaviour: str, expected: dict[str, str]) -> None:
    found = adversary(behaviour)
    assert list(found) == list(expected)
    for title, advice in expected.items():
        assert advice in found[title]


CASES = [
    ("junk-before", "is not a message (not JSON"),
    ("junk-after", "write logs to stderr"),
    ("wrong-id", "repeat the id of the request"),
    ("no-id", "repeat the id of the request"),
    ("doubled-id", "was answered twice"),
    ("no-status", "violates the schema: /: is missing 'status'"),
    ("failed", "status failed, 'my own bug'"),
    ("long-frame", "has more than 1000000 bytes"),
    (
        "not-utf-8",
        'byte 0xff at position 23): \'{"type":"result","id":"\\\\xff\\\\xfe"}\': write messages in UTF-8',
    ),
    ("half-a-frame", "write each message as one JSON object on one line"),
    ("exit", "the adapter exited (exit code 3)"),
    ("exception", "the adapter exited (exit code 1). The stderr of the adapter ends with: "),
    ("closes-stdin", "the adapter closed its stdin"),
]


@pytest.mark.parametrize(
    ("behaviour", "advice"), mostly_slow([pytest.param(*row, id=row[0]) for row in CASES], 3)
)
def test_findings_in_a_case(behaviour: str, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = checking._questions

    def renamed(identity: Identity) -> list[checking._Question]:
        first, second = questions(identity)
        return [first, replace(second, request=replace(second.request, case_id="bad"))]

    monkeypatch.setattr(checking, "_questions", renamed)
    found = adversary(behaviour)
    assert list(found) == [SECOND], "one wrong line is one problem"
    assert advice in found[SECOND]


def test_pipelining_is_tried_where_declared() -> None:
    items = check(f"exec:{sys.executable} -S -E {ADVERSARY} good 4", limits=LIMITS)
    assert PIPELINE in [item.title for item in items if item.ok]


def test_faulty_answers_in_flight_are_no_answers_after_the_bye_message() -> None:
    found = adversary("fails-always", 4)
    assert "cannot find library" in found[PIPELINE]
    assert "the adapter exits after the bye message" not in found


def test_an_adapter_that_does_not_answer() -> None:
    found = adversary("never-hello", limits=replace(LIMITS, start=0.3))
    assert "no hello message within 0.3 s" in found["the adapter answers hello"]
    assert "flush stdout" in found["the adapter answers hello"]


@pytest.mark.parametrize(
    "spec", mostly_slow(["python:{}", f"exec:{sys.executable} -m dra_conform.adapters.serve python:{{}}"])
)
def test_an_exception_is_reported_with_its_location(spec: str) -> None:
    found = problems(check(spec.format(f"{__name__}:Raises"), limits=LIMITS))
    assert "KeyError: 'spec'" in found[FIRST]
    assert f'(File "{__file__}", line ' in found[FIRST]


class Raises:
    def allocate(self, objects: Json, ask: Json, profile: object) -> Json:
        return objects["spec"]


def _in_process(monkeypatch: pytest.MonkeyPatch, target: object) -> list[Item]:
    def opened(spec: str) -> PartialImplementation:
        return PartialImplementation(InProcessImplementation(lambda: target, spec=spec))

    monkeypatch.setattr(checking, "open_implementation", opened)
    return check("trial")


def test_only_declared_operations_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    items = _in_process(monkeypatch, Builtin.allocate)
    assert problems(items) == {}
    assert [item.title for item in items if not item.warning] == [
        "the adapter can be loaded",
        FIRST,
        SECOND,
        SHAPES,
    ]


def test_unsupported_is_no_answer_to_a_plain_question(monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(_in_process(monkeypatch, lambda objects, ask, profile: {"status": "unsupported"}))
    assert list(found) == [FIRST, SECOND]
    assert found[FIRST] == (
        "status unsupported, but the adapter declares the operation allocate, and the question uses no "
        "feature: answer ok, otherwise run gives the verdict overclaim"
    )


def test_shapes_are_unknown_without_an_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    items = _in_process(monkeypatch, lambda objects, ask, profile: {"outcome": "unallocatable"})
    assert problems(items) == {}
    assert SHAPES not in [item.title for item in items]
    [warning] = [item for item in items if item.warning]
    assert warning.title == ("no answer has an allocated device, so the shape of allocations was not checked")


def test_a_problem_of_all_shapes_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(_in_process(monkeypatch, lambda objects, ask, profile: {"outcome": "maybe"}))
    assert found[SHAPES].startswith("a result with configuration: protocol: the result violates the schema: ")
    assert found[SHAPES].count("/outcome: 'maybe'") == 1
    assert "more" not in found[SHAPES]


def test_in_process() -> None:
    items = check("builtin")
    assert problems(items) == {}
    assert [item.title for item in items] == [
        "the adapter can be loaded",
        "the adapter answers a valid DeviceClass",
        "the adapter answers an invalid DeviceClass",
        FIRST,
        "the adapter answers a ResourceClaim that cannot be allocated",
        "the adapter answers an idle cluster",
        "the adapter answers a pod without ResourceClaims",
        "the adapter answers the node resource usage of a pod that requests 1 cpu",
        "the adapter answers the node resource usage of a pod without requests",
        "the adapter answers a pod without ResourceClaims",
        "the adapter answers a pod whose ResourceClaim is missing",
        "the adapter answers the quota usage of a ResourceClaim for two devices",
        "the adapter answers the quota usage of a pod that requests an extended resource",
        SHAPES,
    ]


def test_specs_that_cannot_be_checked() -> None:
    with pytest.raises(BadSpec):
        check("nonsense")
    with pytest.raises(CannotStart):
        check("exec:/nowhere/to/be/found")


def _declares(monkeypatch: pytest.MonkeyPatch, *operations: str, **features: str) -> list[Item]:
    attributes = {name.replace("-", "_"): staticmethod(Builtin.allocate) for name in operations}
    declared = {name.replace("_", "-"): support for name, support in features.items()}
    target = type("Target", (), {**attributes, "operations": operations, "features": declared})
    return _in_process(monkeypatch, target)


def test_unknown_names_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    items = _declares(
        monkeypatch, "allocate", "alocate", device_taint="none", driver_devices="none", x="full"
    )
    assert problems(items) == {}
    assert [(item.title, item.advice) for item in items if item.warning] == [
        ("the operation alocate does not exist", "It is ignored. Did you mean allocate?"),
        ("the feature device-taint does not exist", "It is ignored. Did you mean device-taints?"),
        ("the feature x does not exist", "It is ignored. The protocol page lists each feature."),
    ]


def test_an_adapter_needs_an_operation_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    items = _declares(monkeypatch, "alocate", device_taint="none")
    assert problems(items) == {
        "the operation alocate does not exist": "No other operation is declared, so the adapter gets no case. "
        "Did you mean allocate?"
    }
    assert [item.title for item in items if item.warning] == ["the feature device-taint does not exist"]


def test_unknown_names_are_told_with_other_problems() -> None:
    spec = f"exec:{sys.executable} -S -E {ADVERSARY} claims-all"
    items = check(spec, limits=LIMITS)
    assert problems(items)
    assert "the feature odd does not exist" in [item.title for item in items if item.warning]
