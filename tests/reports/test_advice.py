from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.conformance.verdict import CaseResult, Finding, Kind, Verdict
from dra_conform.reports.advice import advice
from dra_conform.reports.causes import causes
from tests.support.reports.fake_runs import GROUPS, STEP_UP, result, run

_SELECTOR = Finding(
    "node-selector-fits", "wide", requirement="DRA/node-access/node-name", part="node-selector"
)
_UNMET = Finding("expectation", "expected 5, got 3", 0)


_CHANGED_INPUT = result(
    Verdict.FAIL, kind=Kind.MUTATED_INPUT, findings=(), detail="the implementation changed its input"
)


def _of_feature(item: CaseResult, *features: str) -> CaseResult:
    return replace(item, case=replace(item.case, features=frozenset(features)))


TAINTS = [
    _of_feature(result(Verdict.FAIL, f"t{at}", requirements=[GROUPS]), "device-taints", "cel-selectors")
    for at in range(3)
]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (
            [result(Verdict.FAIL, f"c{at}", findings=(_SELECTOR,)) for at in range(2)],
            "Set nodeSelector as DRA/node-access/node-name requires, or declare `node-selector: none`, to resolve 2 failures.",
        ),
        (
            [
                *(result(Verdict.FAIL, f"c{at}", findings=(_SELECTOR,)) for at in range(2)),
                result(Verdict.FAIL, "c2", findings=(_SELECTOR, _UNMET), requirements=[STEP_UP]),
                result(Verdict.FAIL, "d", findings=(_UNMET,), requirements=[STEP_UP]),
            ],
            "Set nodeSelector as DRA/node-access/node-name requires, or declare `node-selector: none`, to resolve 2 of these 3 failures.",
        ),
        ([result(Verdict.FAIL)], ""),
        (
            [result(Verdict.FAIL), result(Verdict.FAIL, "b")],
            f"Meet {STEP_UP} to resolve at least 2 failures.",
        ),
        (
            TAINTS,
            f"Meet {GROUPS} to resolve at least 3 failures. If device-taints is not supported, declare "
            "`device-taints: none` to resolve 3 failures.",
        ),
        (
            [*TAINTS, *(_of_feature(result(Verdict.PASS, f"p{at}"), "device-taints") for at in range(4))],
            f"Meet {GROUPS} to resolve at least 3 failures.",
        ),
        ([result(Verdict.CRASH)], ""),
        (
            [_CHANGED_INPUT, replace(_CHANGED_INPUT, case=result(requirements=[GROUPS]).case)],
            "Copy the objects of the request before you change them, to resolve 2 failures.",
        ),
    ],
    ids=[
        "part",
        "part-of-several",
        "single-failure",
        "requirement",
        "feature",
        "feature-that-mostly-passes",
        "crash",
        "changed-input",
    ],
)
def test_what_to_do_about_the_first_cause(results: list[CaseResult], expected: str) -> None:
    judged = run(results)
    assert advice(causes(judged.results)[0], judged) == expected


def test_failures_that_are_listed_under_another_cause_count_in_the_whole() -> None:
    judged = run([result(Verdict.FAIL, f"c{at}", findings=(_SELECTOR,)) for at in range(3)])
    [cause] = causes(judged.results)
    expected = "Set nodeSelector as DRA/node-access/node-name requires, or declare `node-selector: none`, to resolve 2 of these 7 failures."
    assert advice(replace(cause, alone=2, also=4), judged) == expected


def _unallocated(name: str, *features: str, requirement: str = GROUPS) -> CaseResult:
    outcomes = {"expected": {"outcome": "allocated"}, "actual": {"outcome": "unallocatable"}}
    failure = result(Verdict.FAIL, name, requirements=[requirement], **outcomes)
    return _of_feature(failure, *features)


def test_a_feature_that_is_never_allocated_is_the_cause() -> None:
    failures = [_unallocated(f"f{at}", "allocation-mode-all", "cel-selectors") for at in range(3)]
    passing = _of_feature(result(Verdict.PASS, "p"), "cel-selectors")
    judged = run([*failures, passing, _unallocated("other", "cel-selectors", requirement=STEP_UP)])
    first, second = causes(judged.results)
    assert (first.feature, len(first.results)) == ("allocation-mode-all", 3)
    assert advice(first, judged) == (
        "No ResourceClaim that uses allocation-mode-all is allocated: support it, or declare "
        "`allocation-mode-all: none`, to resolve 3 failures."
    )
    assert (second.feature, len(second.results)) == ("", 1)


def test_a_feature_that_is_allocated_once_is_no_cause() -> None:
    failures = [_unallocated(f"f{at}", "allocation-mode-all") for at in range(3)]
    passing = _of_feature(result(Verdict.PASS, "p"), "allocation-mode-all")
    assert [cause.feature for cause in causes([*failures, passing])] == [""]


def test_an_overclaimed_feature_is_declared_as_partial() -> None:
    judged = run([_of_feature(result(Verdict.OVERCLAIM), "device-taints")])
    identity = replace(judged.started.implementation, features={"device-taints": "full"})
    judged = replace(judged, started=replace(judged.started, implementation=identity))
    assert advice(causes(judged.results)[0], judged) == (
        "Answer these cases, or declare `device-taints: partial`, to resolve 1 failure."
    )


def test_a_declined_case_without_features_is_to_be_answered() -> None:
    judged = run([result(Verdict.OVERCLAIM), result(Verdict.OVERCLAIM, "other")])
    assert advice(causes(judged.results)[0], judged) == (
        "Answer these cases, or do not declare their operation, to resolve 2 failures."
    )


def test_a_part_whose_failures_have_other_causes_too() -> None:
    judged = run([result(Verdict.FAIL, findings=(_SELECTOR,))])
    cause = causes(judged.results)[0]
    assert advice(replace(cause, alone=0), judged) == (
        "Set nodeSelector as DRA/node-access/node-name requires, or declare `node-selector: none`. "
        "All of these failures have another cause, too."
    )


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            "exec:./a b",
            "Run `dra-conform adapter check 'exec:./a b'`, which says what to correct, to resolve 2 failures.",
        ),
        (
            "python:m:A",
            "Run `dra-conform adapter check python:m:A`, which says what to correct, to resolve 2 failures.",
        ),
        ("driver:driver.yaml", ""),
        ("", ""),
    ],
)
def test_a_violated_protocol_leads_to_adapter_check(spec: str, expected: str) -> None:
    judged = run([result(Verdict.PROTOCOL, name, detail="not a dict") for name in ("a", "b")])
    started = replace(judged.started, implementation=replace(judged.started.implementation, spec=spec))
    judged = replace(judged, started=started)
    assert advice(causes(judged.results)[0], judged) == expected


def test_a_malformed_answer_is_to_be_corrected_and_violates_no_requirement() -> None:
    shape = Finding("shape", "the allocation of ResourceClaim default/c is missing")
    judged = run([result(Verdict.FAIL, findings=(shape,)), result(Verdict.FAIL, "other", findings=(shape,))])
    [cause] = causes(judged.results)
    assert cause.requirement == ""
    assert advice(cause, judged) == (
        "Correct the form of these answers, to resolve 2 failures: their content was not judged."
    )
