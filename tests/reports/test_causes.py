from __future__ import annotations

import pytest

from dra_conform.conformance.verdict import Finding, Kind, Verdict
from dra_conform.reports.causes import causes, message_pattern
from tests.support.reports.fake_runs import DEFAULTS, GROUPS, STEP_UP, result


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("expected unallocatable, got allocated",
         "expected unallocatable, got allocated"),
        ("ResourceClaim default/c: expected to be available on n1, n2, got n2",
         "…: expected to be available on …, got …"),
        ("ResourceClaim default/c, request r0: bw is 3, expected 5", "…: bw is …, expected …"),
        ("usage of ResourceClaim c: cpu: expected 4, got 0", "usage of …: cpu: expected …, got …"),
        ("status.phase of Pod p: expected 'Pending', got 'Running'",
         "status.phase of Pod p: expected …, got …"),
    ],
)  # fmt: skip
def test_names_and_amounts_have_no_part_in_the_shape(message: str, expected: str) -> None:
    assert message_pattern(message) == expected


def test_failures_that_differ_in_names_alone_have_one_cause() -> None:
    found = causes(
        [
            result(
                Verdict.FAIL,
                f"x[{at}]",
                findings=(Finding("expectation", f"ResourceClaim c{at}: got {at}", 0),),
            )
            for at in range(3)
        ]
    )
    assert [(one.message, len(one.results)) for one in found] == [("…: got …", 3)]
    assert found[0].verdict == "fail: wrong-result"
    assert found[0].requirements == ((STEP_UP, 3),)


@pytest.mark.parametrize(
    "other",
    [
        result(Verdict.FAIL, kind=Kind.WRONG_OUTCOME),
        result(Verdict.FAIL, requirements=[DEFAULTS]),
        result(Verdict.FAIL, findings=(Finding("expectation", "something else", 0),)),
        result(Verdict.FAIL, actual={"outcome": "allocated", "claims": {"default/c": []}}),
        result(Verdict.CRASH),
    ],
    ids=["kind", "requirement", "finding", "diff", "verdict"],
)
def test_what_differs_otherwise_has_another_cause(other: object) -> None:
    assert len(causes([result(Verdict.FAIL, "x"), other])) == 2  # type: ignore[list-item]


def test_the_area_with_most_failures_comes_first_and_in_it_the_most_frequent_cause() -> None:
    found = causes(
        [
            result(Verdict.FAIL, "lonely", requirements=[GROUPS]),
            result(Verdict.CRASH, "rare"),
            *(result(Verdict.FAIL, f"often[{at}]") for at in range(2)),
        ]
    )
    assert [one.example.case.id for one in found] == ["often[0]", "rare", "lonely"]


def test_every_failure_is_in_one_cause_and_those_without_a_requirement_are_not_lost() -> None:
    failures = [result(Verdict.FAIL, name, requirements=[]) for name in ("a/b", "c")]
    assert sorted(one.case.id for cause in causes(failures) for one in cause.results) == ["a/b", "c"]
