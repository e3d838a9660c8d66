from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dra_conform.conformance.verdict import CaseResult, Finding, Kind, Verdict
from dra_conform.reports import failure_explanation
from dra_conform.reports.causes import causes, causes_of
from dra_conform.reports.message_patterns import common_message, message_pattern
from tests.support.reports.fake_runs import DEFAULTS, GROUPS, STEP_UP, result, run

SHARE_ID = "KEP-5075/status/share-id-absent-for-dedicated"
_SURPLUS = Finding("share-ids-distinct", "a share ID too many", requirement=SHARE_ID, part="share-id")
_TAINTED = Finding("taints-tolerated", "not tolerated", requirement="DRA/taint/noschedule")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("expected unallocatable, got allocated",
         "expected unallocatable, got allocated"),
        ("ResourceClaim default/c: expected to be available on n1, n2, got n2",
         "ResourceClaim …: expected to be available on …, got …"),
        ("ResourceClaim default/c, request r0: bw is 3, expected 5", "ResourceClaim …, request …: bw is …, expected …"),
        ("usage of ResourceClaim c: cpu: expected 4, got 0", "usage of ResourceClaim …: cpu: expected …, got …"),
        ("status.phase of Pod p: expected 'Pending', got 'Running'",
         "status.phase of Pod …: expected …, got …"),
        ("allocation of ResourceClaim default/c, which the request does not name",
         "allocation of ResourceClaim …, which the request does not name"),
        ("/allocations/default~1c/devices/results/0/shareID: 7 is not of type 'string'",
         "…/shareID: … is not of type 'string'"),
        ("/allocations/default~1c: is missing 'devices'", "…: is missing 'devices'"),
    ],
)  # fmt: skip
def test_names_and_amounts_have_no_part_in_the_shape(message: str, expected: str) -> None:
    assert message_pattern(message) == expected


def test_names_and_quantities_that_are_the_same_in_all_messages_stay() -> None:
    running = "status.phase of Pod {}: expected 'Running', got 'Pending'"
    others = [running.format("q"), "spec.nodeName of Pod p: expected 'n1', got 'n2'"]
    found = common_message(running.format("p"), others)
    assert found == "status.phase of Pod …: expected 'Running', got 'Pending'"
    assert common_message(running.format("p"), others[1:]) == message_pattern(found)


def _failing(name: str, *findings: Finding, requirement: str = STEP_UP) -> CaseResult:
    return result(Verdict.FAIL, name, requirements=[requirement], findings=findings or _UNMET)


_UNMET = (Finding("expectation", "expected 5, got 3", 0),)


def _found(results: Sequence[CaseResult]) -> list[tuple[str, int, int]]:
    return [(cause.requirement, len(cause.results), cause.also) for cause in causes(results)]


def test_a_violated_invariant_is_charged_to_its_own_requirement() -> None:
    failures = [
        _failing("a", _SURPLUS),
        _failing("b", _SURPLUS, requirement=GROUPS),
        _failing("c", _SURPLUS, requirement=DEFAULTS),
    ]
    [cause] = causes(failures)
    assert (cause.requirement, cause.part, cause.alone) == (SHARE_ID, "share-id", 3)
    assert cause.requirements == ((SHARE_ID, 3),)


def test_the_message_of_a_cause_is_about_its_requirement() -> None:
    absent = Finding("devices-exist", "device d9 does not exist", requirement="DRA/workflow/device")
    surplus, twice = _SURPLUS.requirement, "KEP-5075/status/no-device-twice"
    same_area = Finding("no-device-twice", "allocated twice", requirement=twice)
    of_requirement = Finding("share-ids-distinct", "two share IDs", requirement=surplus)
    for findings, message in (
        ((absent, same_area, of_requirement), of_requirement.message),
        ((absent, *_UNMET, same_area), same_area.message),
        ((absent, *_UNMET), absent.message),
    ):
        failure = _failing("a", *findings)
        assert failure_explanation.headline(failure, "", surplus) == message
    assert failure_explanation.headline(_failing("a", absent, *_UNMET), "", STEP_UP) == _UNMET[0].message
    both = [_failing(f"both[{at}]", absent, same_area) for at in range(2)]
    for cause in causes([*both, _failing("c", same_area)]):
        [about] = {
            finding.message for finding in (absent, same_area) if finding.requirement == cause.requirement
        }
        assert cause.message == about
        assert {cause.message_of(failure) for failure in cause.results} == {about}


def test_what_is_left_of_a_case_has_its_own_cause() -> None:
    failures = [
        _failing("a", _SURPLUS),
        _failing("b", _SURPLUS),
        _failing("c", _SURPLUS, *_UNMET),
        _failing("d"),
    ]
    assert _found(failures) == [(SHARE_ID, 3, 0), (STEP_UP, 1, 1)]


def test_an_expectation_about_the_part_of_an_invariant_has_the_same_cause() -> None:
    unmet = Finding("expectation", "expected no share ID", 0, part="share-id")
    assert _found([_failing("a", _SURPLUS, unmet)]) == [(SHARE_ID, 1, 0)]


def test_a_failure_without_the_part_says_nothing_about_its_requirement() -> None:
    """A requirement with one failing case of its own would otherwise explain the failures of the part."""
    passing = [result(Verdict.PASS, f"ok[{at}]", requirements=[STEP_UP]) for at in range(30)]
    others = [
        result(Verdict.PASS, f"other[{at}]", requirements=[GROUPS.rpartition("/")[0] + "/x"])
        for at in range(3)
    ]
    unmet = Finding("expectation", "expected on n1, n2, got n1", 0, part="node-selector")
    failures = [*(_failing(f"nodes[{at}]", unmet) for at in range(5)), _failing("g", requirement=GROUPS)]
    assert _found([*passing, *others, *failures]) == [(STEP_UP, 6, 0)]


def test_a_wrong_allocation_explains_all_unmet_expectations() -> None:
    assert _found([_failing("a", _TAINTED, *_UNMET)]) == [("DRA/taint/noschedule", 1, 0)]


def test_a_cause_without_other_failures_keeps_one() -> None:
    failures = [_failing("a", _SURPLUS), _failing("b", _SURPLUS, _TAINTED)]
    assert _found(failures) == [(SHARE_ID, 1, 1), ("DRA/taint/noschedule", 1, 0)]


def test_the_cause_of_most_failures_comes_first_and_of_equals_the_most_specific() -> None:
    many = [_failing(f"often[{at}]") for at in range(2)]
    passing = [result(Verdict.PASS, f"ok[{at}]", requirements=[GROUPS]) for at in range(1)]
    found = _found([*passing, _failing("g", requirement=GROUPS), _failing("d", requirement=DEFAULTS), *many])
    assert found == [(STEP_UP, 2, 0), (DEFAULTS, 1, 0), (GROUPS, 1, 0)]


def test_an_area_of_which_most_cases_pass_is_no_cause_of_its_own() -> None:
    passing = [result(Verdict.PASS, f"ok[{at}]", requirements=[GROUPS]) for at in range(2)]
    many = [_failing(f"often[{at}]") for at in range(3)]
    assert _found([*passing, _failing("g", requirement=GROUPS), *many]) == [(STEP_UP, 4, 0)]
    assert _found([*passing, _failing("g", requirement=GROUPS), *many[:2]]) == [
        (STEP_UP, 2, 0),
        (GROUPS, 1, 0),
    ]
    assert _found([*passing, _failing("g", requirement=GROUPS)]) == [(GROUPS, 1, 0)]


def test_a_wrong_answer_does_not_count_with_cases_without_an_answer() -> None:
    passing = [result(Verdict.PASS, f"ok[{at}]", requirements=[GROUPS]) for at in range(2)]
    crashed = [result(Verdict.CRASH, f"c{at}", requirements=[DEFAULTS]) for at in range(9)]
    assert _found([*passing, *crashed, _failing("g", requirement=GROUPS)]) == [("", 9, 0), (GROUPS, 1, 0)]


def test_an_area_that_all_failures_cite_is_the_only_cause() -> None:
    passing = [result(Verdict.PASS, f"ok[{at}]", requirements=[STEP_UP]) for at in range(8)]
    both = _failing("both")
    both = replace(both, case=replace(both.case, requirements=(GROUPS, STEP_UP)))
    assert _found([*passing, both, _failing("one")]) == [(STEP_UP, 2, 0)]


def test_each_requirement_of_a_driver_is_a_cause_and_a_must_comes_first() -> None:
    names = {"in-use": "SHOULD", "unknown-pool": "MUST"}
    failures = [
        replace(failure, case=replace(failure.case, operation="driver", level=level))
        for name, level in names.items()
        for failure in [_failing(f"{name}[{at}]", requirement=f"DRIVER/prepare/{name}") for at in range(2)]
    ]
    assert _found(failures) == [("DRIVER/prepare/unknown-pool", 2, 0), ("DRIVER/prepare/in-use", 2, 0)]


def test_failures_of_a_driver_with_one_message_have_the_requirement_of_the_plainest() -> None:
    steps = {"cdi-after-reboot": 3, "devices": 1, "idempotent": 2}
    message = Finding("expectation", "the driver prepares no devices, expected 1 device", 0)
    failures = [
        replace(failure, case=replace(failure.case, operation="driver", given=("given",) * count))
        for name, count in steps.items()
        for failure in [_failing(name, message, requirement=f"DRIVER/prepare/{name}")]
    ]
    assert _found(failures) == [("DRIVER/prepare/devices", 3, 0)]
    assert [requirement for requirement, *_ in _found(failures[:2])] == [
        "DRIVER/prepare/cdi-after-reboot",
        "DRIVER/prepare/devices",
    ]


def test_failures_of_a_kubelet_have_the_requirement_that_most_of_them_cite() -> None:
    cited = [("one-call", "by-request"), ("by-request", "none"), ("one-call",), ("one-call", "last-pod")]
    failures = [
        replace(failure, case=replace(failure.case, operation="kubelet", requirements=names))
        for at, names in enumerate(cited)
        for failure in [_failing(f"case[{at}]")]
    ]
    assert _found(failures[:2]) == [("by-request", 2, 0)]
    assert _found(failures) == [("one-call", 3, 0), ("by-request", 1, 0)]
    assert _found(failures[:1]) == [("one-call", 1, 0)]


def test_a_repair_resolves_only_failures_that_violate_the_requirement() -> None:
    other = STEP_UP.rpartition("/")[0] + "/x"
    [cause] = causes([_failing("a"), _failing("b"), _failing("c", requirement=other)])
    assert (cause.requirement, len(cause.results), cause.alone) == (STEP_UP, 3, 2)


def test_the_example_is_the_plainest_case() -> None:
    names = ["extreme", "long", "plain"]
    givens = ("the quantity 5n",), ("one", "two", "three"), ("one",)
    cases = [
        replace(failure, case=replace(failure.case, given=given))
        for failure, given in zip(map(_failing, names), givens, strict=True)
    ]
    [cause] = causes(cases)
    assert [failure.case.id for failure in cause.results] == ["plain", "long", "extreme"]


def test_the_example_has_no_other_cause() -> None:
    both = _failing("short", _SURPLUS, _TAINTED)
    alone = _failing("long", _SURPLUS)
    alone = replace(alone, case=replace(alone.case, given=("one", "two")))
    cause = next(cause for cause in causes([both, alone]) if cause.part == "share-id")
    assert cause.example is alone


def test_failures_that_differ_in_names_alone_have_one_message() -> None:
    found = causes(
        [_failing(f"x[{at}]", Finding("expectation", f"ResourceClaim c{at}: got {at}", 0)) for at in range(3)]
    )
    assert [(cause.message, len(cause.results)) for cause in found] == [("ResourceClaim …: got …", 3)]
    assert found[0].verdict == "fail: wrong-result"
    assert found[0].requirements == ((STEP_UP, 3),)


def test_cases_without_an_answer_have_causes_by_their_message() -> None:
    crashed = [result(Verdict.CRASH, f"c{at}", requirements=[DEFAULTS]) for at in range(2)]
    found = causes([*crashed, result(Verdict.TIMEOUT, "t"), _failing("a", requirement=GROUPS)])
    assert sorted((cause.verdict, len(cause.results)) for cause in found) == [
        ("crash", 2),
        ("fail: wrong-result", 1),
        ("timeout", 1),
    ]


def test_every_failure_is_in_one_cause_and_those_without_a_requirement_are_not_lost() -> None:
    failures = [result(Verdict.FAIL, name, requirements=[], kind=Kind.FLAKY) for name in ("a/b", "c")]
    assert sorted(item.case.id for cause in causes(failures) for item in cause.results) == ["a/b", "c"]


def test_known_failures_have_causes_of_their_own_after_the_others() -> None:
    failures = [_failing("a", requirement=GROUPS), *(_failing(name) for name in "bcd")]
    found = causes_of(replace(run(failures), known=frozenset("bd")))
    assert [(cause.requirement, len(cause.results), cause.known) for cause in found] == [
        (GROUPS, 1, False),
        (STEP_UP, 1, False),
        (STEP_UP, 2, True),
    ]
    assert not any(cause.known for cause in causes_of(run(failures)))


def test_a_flaky_failure_is_not_the_example() -> None:
    flaky = replace(_failing("short"), kind=Kind.FLAKY)
    steady = _failing("long")
    steady = replace(steady, case=replace(steady.case, given=("one", "two")))
    [cause] = causes([flaky, steady])
    assert cause.example is steady


def test_a_cause_comes_before_one_that_has_all_its_features_and_others() -> None:
    def failing(name: str, requirement: str, *features: str) -> list[CaseResult]:
        failures = [_failing(f"{name}[{at}]", requirement=requirement) for at in range(len(name))]
        return [replace(each, case=replace(each.case, features=frozenset(features))) for each in failures]

    groups = failing("groups", GROUPS, "partitionable-devices", "compatibility-groups")
    counters = failing("set", STEP_UP, "partitionable-devices")
    assert _found([*groups, *counters]) == [(STEP_UP, 3, 0), (GROUPS, 6, 0)]
    assert _found([*groups, *counters[:1]]) == [(GROUPS, 6, 0), (STEP_UP, 1, 0)]
    other = failing("set", STEP_UP, "device-taints")
    assert _found([*groups, *other]) == [(GROUPS, 6, 0), (STEP_UP, 3, 0)]
