"""The judge of a write: outcomes, stored objects, errors, warnings, negations and documents."""

from __future__ import annotations

import pytest

from dra_conform.conformance.admit.operation import Admit
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.observed_fields import difference, same
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.verdict import Kind, Verdict
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.kube.json_values import Json
from tests.support.conformance.admit.writing import CLASS, from_golden, judged, rejected, stored, warned

ADMIT = Admit()

NAME = "{spec.extendedResourceName: example.com/nic}"
CREATE = f"create: {{kind: DeviceClass, name: nic, fields: {NAME}}}"
ERRORS = (
    'rejected: {type: Required, path: "spec.selectors[0]"}',
    "rejected: {type: Invalid, path: spec.extendedResourceName}",
)
RIGHT = {
    "stored: true": stored(),
    f"stored: {NAME}": stored(),
    "stored: {spec.other: null}": stored(),
    "set: spec.extendedResourceName": stored(),
    "warned: UNKNOWN field": warned('unknown field "spec.x"', "another"),
    "warned: true": warned("anything"),
    "warned: false": stored(),
    "versionNotServed: true": rejected(reason="NotFound"),
    "storedAsWritten: true": stored(),
    "dropped: spec.suitableNodes": stored(),
    "kept: spec.extendedResourceName": stored(),
    "rejected: true": rejected(),
    ERRORS[0]: rejected(("Required", "spec.selectors[0]"), ("Invalid", "spec")),
    "rejected: {type: Required}": rejected(("Required", "spec.selectors[0]")),
    "rejected: {path: spec}": rejected(("Required", "spec")),
    "rejected: {reason: Forbidden}": rejected(reason="Forbidden"),
}


@pytest.mark.parametrize("then", RIGHT)
def test_correct_answers_pass_and_fail_each_negation(then: str) -> None:
    case = from_golden(CREATE, then)
    assert judged(case, RIGHT[then]).findings == ()
    assert judged(case, RIGHT[then]).verdict is Verdict.PASS
    turned = dict(negations_of(ADMIT, case.expected("kep")))
    assert "its outcome" in turned
    for words, other in turned.items():
        judgement = ADMIT.judge(case, profile_of(case, "kep")[0], other, RIGHT[then], strict=True)
        assert judgement.verdict is Verdict.FAIL, words


def test_negations_name_the_negated_part() -> None:
    case = from_golden(CREATE, *ERRORS, "rejected: {reason: Invalid}")
    assert [words for words, _ in negations_of(ADMIT, case.expected("kep"))] == [
        "its outcome",
        "the error Required at spec.selectors[0]",
        "the error Invalid at spec.extendedResourceName",
        "its reason",
    ]
    case = from_golden(CREATE, "dropped: spec.x", "kept: spec.extendedResourceName")
    assert [words for words, _ in negations_of(ADMIT, case.expected("kep"))][1:] == [
        "the field spec.x",
        "the field spec.extendedResourceName",
    ]


WRONG: dict[str, tuple[tuple[str, ...], AdmissionAnswer, Kind, str, int | None]] = {
    "accepted": (
        ("rejected: true",),
        stored(),
        Kind.WRONG_OUTCOME,
        "expected rejected, got admitted",
        0,
    ),
    "rejected": (
        ("stored: true",),
        rejected(("Invalid", "spec.x")),
        Kind.WRONG_OUTCOME,
        "expected admitted, got rejected (Invalid at spec.x)",
        0,
    ),
    "another value": (
        ("stored: true", "stored: {spec.extendedResourceName: other}"),
        stored(),
        Kind.WRONG_RESULT,
        "spec.extendedResourceName: expected 'other', got 'example.com/nic'",
        1,
    ),
    "not dropped": (
        ("dropped: spec.extendedResourceName",),
        stored(),
        Kind.WRONG_RESULT,
        "spec.extendedResourceName: expected absent, got 'example.com/nic'",
        0,
    ),
    "not kept": (
        ("kept: spec.extendedResourceName",),
        stored(extendedResourceName=None),
        Kind.WRONG_RESULT,
        "spec.extendedResourceName: expected 'example.com/nic', got absent",
        0,
    ),
    "not set": (
        ("set: spec.other",),
        stored(),
        Kind.WRONG_RESULT,
        "spec.other: expected a value, got none",
        0,
    ),
    "another warning": (
        ("warned: unknown field",),
        warned("something else"),
        Kind.WRONG_RESULT,
        "expected a warning with 'unknown field', got: something else",
        0,
    ),
    "no warning": (
        ("warned: true",),
        stored(),
        Kind.WRONG_RESULT,
        "expected a warning, got: none",
        0,
    ),
    "a warning": (
        ("warned: false",),
        warned("one", "two"),
        Kind.WRONG_RESULT,
        "expected no warnings, got: one; two",
        0,
    ),
    "rejected for another reason than its version": (
        ("versionNotServed: true",),
        rejected(),
        Kind.WRONG_REASON,
        "expected reason NotFound, got Invalid",
        0,
    ),
    "changed": (
        ("storedAsWritten: true",),
        stored(selectors=[]),
        Kind.WRONG_RESULT,
        "spec.selectors: expected [{'cel': {'expression': 'true'}}], got absent",
        0,
    ),
    "a missing error": (
        ERRORS,
        rejected(("Required", "spec.selectors[0]")),
        Kind.WRONG_REASON,
        "expected error Invalid at spec.extendedResourceName, got Required at spec.selectors[0]",
        1,
    ),
    "no errors at all": (
        (ERRORS[0],),
        rejected(),
        Kind.WRONG_REASON,
        "expected error Required at spec.selectors[0], got no error",
        0,
    ),
    "another reason": (
        ("rejected: {reason: Forbidden}",),
        rejected(),
        Kind.WRONG_REASON,
        "expected reason Forbidden, got Invalid",
        0,
    ),
    "another object": (
        ("stored: true",),
        AdmissionAnswer(Admission.ADMITTED, {**CLASS, "metadata": {"name": "other"}}),
        Kind.WRONG_RESULT,
        "metadata.name: expected 'nic' as written, got 'other'",
        None,
    ),
    "another version": (
        ("stored: true",),
        AdmissionAnswer(Admission.ADMITTED, {**CLASS, "apiVersion": "resource.k8s.io/v1beta1"}),
        Kind.WRONG_RESULT,
        "apiVersion: expected 'resource.k8s.io/v1' as written, got 'resource.k8s.io/v1beta1'",
        None,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers(name: str) -> None:
    then, answer, kind, message, step = WRONG[name]
    judgement = judged(from_golden(CREATE, *then), answer)
    assert (judgement.verdict, judgement.kind) == (Verdict.FAIL, kind)
    [finding] = judgement.findings
    assert finding.message.startswith(message)
    assert (finding.case_step, finding.step) == (0, step)


def test_additional_errors_fail_only_with_strict() -> None:
    case = from_golden(CREATE, ERRORS[0])
    answer = rejected(("Required", "spec.selectors[0]"), ("Invalid", "spec.y"))
    assert judged(case, answer).verdict is Verdict.PASS
    [finding] = judged(case, answer, strict=True).findings
    assert finding.message == "unexpected error: Invalid at spec.y"
    open_one = from_golden(CREATE, "rejected: true")
    assert judged(open_one, answer, strict=True).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("1Gi", "1024Mi", True),
        (10, "10", True),
        (0.5, "500m", True),
        ("1Gi", "1Gb", False),
        ("1", "2", False),
        ({"a": ["1k"]}, {"a": ["1000"]}, False),
        ({"value": "1k"}, {"value": "1000"}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"spec": 1}, {"spec": 1, "metadata": {}}, True),
        ({"spec": 1}, {"spec": 1, "metadata": {"name": "a"}}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        (True, 1, False),
        (True, True, True),
        ("x", "x", True),
        ("x", "y", False),
    ],
)
def test_equality_of_values(one: Json, other: Json, alike: bool) -> None:
    assert same(one, other, "spec.devices[0].capacity[bw]") is alike


@pytest.mark.parametrize(
    ("path", "one", "other", "alike"),
    [
        ("spec.devices.requests[0].exactly.count", 2, "2", False),
        ("spec.devices.requests", [{"count": 2}], [{"count": "2"}], False),
        ("spec.devices[0].attributes[size].string", "1Gi", "1024Mi", False),
        ("spec.devices[0].attributes[sizes].ints[1]", 2, "2", False),
        ("metadata.labels[tier]", "1", "1.0", False),
        ("metadata", {"labels": {"tier": "1"}}, {"labels": {"tier": "1.0"}}, False),
        ("metadata.name", "1", "1.0", False),
        ("spec.devices[0].name", "1Gi", "1024Mi", False),
        ("spec.devices.requests[0].name", "1", "1.0", False),
        ("spec.devices.requests", [{"name": "1"}], [{"name": "1.0"}], False),
        ("spec.devices[0].taints[0].value", "1", "1.0", False),
        ("spec.taint.value", 1, "1", False),
        ("spec.devices[0].attributes[capacity].version", "1.0.0", "1.0", False),
        (
            "spec.devices[0].attributes",
            {"capacity": {"string": "1k"}},
            {"capacity": {"string": "1000"}},
            False,
        ),
        ("spec.nodeSelector", {"requests": "1"}, {"requests": "1.0"}, False),
        ("spec.config[0].opaque.parameters.limits.cpu", "1", "1.0", False),
        (
            "spec.config",
            [{"opaque": {"parameters": {"min": "1"}}}],
            [{"opaque": {"parameters": {"min": "1.0"}}}],
            False,
        ),
        ("status.devices[0].data.capacity.value", "1", "1.0", False),
        ("status.allocation.devices.results[0].shareID", "1", "1.0", False),
        ("spec.devices[0].capacity[count].value", 2, "2", True),
        ("spec.devices[0].capacity[example.com/data].value", "1Gi", "1024Mi", True),
        ("spec.devices[0].basic.capacity[bw].requestPolicy.default", "1Gi", "1024Mi", True),
        (
            "spec.devices[0].capacity[bw].requestPolicy.validRange",
            {"min": 0, "step": "1k"},
            {"min": "0", "step": "1000"},
            True,
        ),
        ("spec.devices[0].capacity[bw].requestPolicy", {"validValues": [1]}, {"validValues": ["1"]}, True),
        ("spec.devices[0].capacity[bw].requestPolicy.validValues[1]", "1", "1000m", True),
        ("spec.sharedCounters[0].counters[units].value", "1", "1000m", True),
        ("spec.containers[0].resources.requests[example.com/gpu]", "1", "1k", False),
        ("spec.containers[0].resources.limits.memory", "1Gi", "1024Mi", True),
        ("spec.overhead", {"cpu": "1"}, {"cpu": "1000m"}, True),
        ("spec.hard[requests.cpu]", 1, "1000m", True),
        ("status.used", {"example.com/gpu": 1}, {"example.com/gpu": "1"}, True),
        ("status.allocatable.cpu", 1, "1", True),
        ("status.nodeAllocatableResourceClaimStatuses[0].resources.cpu", "1", "1000m", True),
        ("status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName", "1", "1.0", False),
        ("spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier", "1", "1000m", True),
        ("status.allocation.devices.results[0].consumedCapacity", {"count": 2}, {"count": "2"}, True),
        ("spec.devices.requests[0].exactly.capacity.requests.count", 2, "2", True),
    ],
)
def test_only_quantities_are_equal_in_other_notations(path: str, one: Json, other: Json, alike: bool) -> None:
    assert same(one, other, path) is alike


def test_documents() -> None:
    case = from_golden(CREATE, f"stored: {NAME}", "dropped: spec.x")
    assert ADMIT.expected(case.expected("kep")) == {
        "outcome": "admitted",
        "fields": {"spec.extendedResourceName": "example.com/nic", "spec.x": "(absent)"},
    }
    case = from_golden(CREATE, ERRORS[0], "rejected: {reason: Invalid}")
    assert ADMIT.expected(case.expected("kep")) == {
        "outcome": "rejected",
        "reason": "Invalid",
        "errors": ["Required at spec.selectors[0]"],
    }
    assert ADMIT.actual(stored()) == {"outcome": "admitted", "object": CLASS}
    assert ADMIT.actual(rejected(("Invalid", "a"))) == {
        "outcome": "rejected",
        "reason": "Invalid",
        "errors": ["Invalid at a"],
    }


@pytest.mark.parametrize("then", RIGHT)
def test_align_makes_equivalent_documents_equal(then: str) -> None:
    case = from_golden(CREATE, then)
    wanted, got = ADMIT.align(case, "kep", ADMIT.expected(case.expected("kep")), ADMIT.actual(RIGHT[then]))
    further = (
        {"errors"} if then in (ERRORS[0], "rejected: {type: Required}", "rejected: {path: spec}") else set()
    )
    assert {name for name in {**wanted, **got} if wanted.get(name) != got.get(name)} <= further
    if then == ERRORS[0]:
        assert got["errors"][0] == wanted["errors"][0]


@pytest.mark.parametrize(
    "name", [name for name in WRONG if not name.startswith("another v") and name != "another object"]
)
def test_align_keeps_differences(name: str) -> None:
    then, answer, *_ = WRONG[name]
    case = from_golden(CREATE, *then)
    wanted, got = ADMIT.align(case, "kep", ADMIT.expected(case.expected("kep")), ADMIT.actual(answer))
    assert wanted != got


def test_align_leaves_out_what_a_rejection_does_not_demand() -> None:
    case = from_golden(CREATE, "rejected: {reason: Invalid}")
    actual = ADMIT.actual(rejected(("Invalid", "a")))
    wanted, got = ADMIT.align(case, "kep", ADMIT.expected(case.expected("kep")), actual)
    assert wanted == got == {"outcome": "rejected", "reason": "Invalid"}


def test_polarities() -> None:
    assert (from_golden(CREATE, "stored: true").accepts, from_golden(CREATE, "stored: true").rejects) == (
        True,
        False,
    )
    assert from_golden(CREATE, "rejected: true").rejects


@pytest.mark.parametrize(
    ("path", "one", "other", "line"),
    [
        ("spec.count", 1, "1", "spec.count: expected 1, got '1'"),
        (
            "spec",
            {"devices": [{"name": "a"}, {"name": "b", "capacity": {"bw": {"value": "1Gi"}}}]},
            {"devices": [{"name": "a"}, {"name": "b", "capacity": {"bw": {"value": "1"}}}]},
            "spec.devices[1].capacity.bw.value: expected '1Gi', got '1'",
        ),
        (
            "spec.hard",
            {"requests.cpu": "1", "pods": 1},
            {"requests.cpu": "1000m", "example.com/gpu": 1},
            "spec.hard.pods: expected 1, got absent (1 more difference)",
        ),
        ("spec.devices", [{"name": "a"}], [], "spec.devices: expected [{'name': 'a'}], got []"),
        ("spec.names", ["a", "b"], ["a", "c"], "spec.names: expected ['a', 'b'], got ['a', 'c']"),
    ],
)
def test_a_difference_names_the_innermost_field(path: str, one: Json, other: Json, line: str) -> None:
    assert not same(one, other, path)
    assert difference(one, other, path) == line


@pytest.mark.parametrize(
    ("path", "one", "other", "alike"),
    [
        ("status.devices", ["a", "b"], ["b", "a"], True),
        ("status.devices", ["a", "b"], ["b", "c"], False),
        ("status.devices", ["a", "a"], ["a", "b"], False),
        ("status.devices", ["a"], ["a", "b"], False),
        ("spec.devices", ["a", "b"], ["b", "a"], False),
    ],
)
def test_the_order_of_a_list_of_type_map_does_not_count(
    path: str, one: list[str], other: list[str], *, alike: bool
) -> None:
    lists = [[{"device": name} for name in names] for names in (one, other)]
    assert same(*lists, path) is alike


def test_a_server_may_add_labels_and_must_keep_those_of_the_object() -> None:
    assert same({"a": "b"}, {"a": "b", "own": "yes"}, "metadata.labels")
    assert not same({"a": "b"}, {"own": "yes"}, "metadata.labels")
    assert not same(None, {"own": "yes"}, "metadata.labels")


def test_a_server_may_add_finalizers_and_must_keep_those_of_the_object() -> None:
    assert same(["a/b"], ["own/keep", "a/b"], "metadata.finalizers")
    assert same({"finalizers": ["a/b"]}, {"finalizers": ["a/b", "own/keep"]}, "metadata")
    assert not same(["a/b"], ["own/keep"], "metadata.finalizers")
    assert not same(None, ["own/keep"], "metadata.finalizers")


def test_a_difference_in_a_list_of_type_map_names_the_item_that_differs() -> None:
    one = [{"device": "a", "pool": "p"}, {"device": "b", "pool": "p"}]
    other = [{"device": "b", "pool": "q"}, {"device": "a", "pool": "p"}]
    line = difference(one, other, "status.devices")
    assert line == "status.devices[1].pool: expected 'p', got 'q'"
