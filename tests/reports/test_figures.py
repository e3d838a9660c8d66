from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.verdict import Finding, Verdict
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementState, Tally, percent
from dra_conform.reports.headline import headline
from dra_conform.reports.runs import INTERRUPTED, RunCollector
from tests.support.reports.fake_runs import (
    CATALOGUE,
    DEFAULTS,
    GROUPS,
    STEP_UP,
    case,
    events,
    of_every_sort,
    result,
    run,
)


@pytest.mark.parametrize(
    ("verdicts", "state"),
    [
        ([], RequirementState.UNCOVERED),
        (["pass", "pass"], RequirementState.PASSED),
        (["pass", "fail"], RequirementState.FAILED),
        (["unsupported", "crash"], RequirementState.FAILED),
        (["pass", "unsupported"], RequirementState.PASSED),
        (["pass", "optional"], RequirementState.UNSUPPORTED),
        (["unsupported"], RequirementState.UNSUPPORTED),
        (["pass", "not-run"], RequirementState.NOT_RUN),
        (["not-run"], RequirementState.NOT_RUN),
        *(
            ([name], RequirementState.FAILED)
            for name in ("overclaim", "timeout", "protocol", "adapter-error")
        ),
    ],
)
def test_a_requirement_passes_if_no_case_that_was_taken_on_fails(
    verdicts: list[str], state: RequirementState
) -> None:
    assert figures.state_of(CATALOGUE[0], [result(Verdict(name)) for name in verdicts]) is state


def test_a_requirement_is_not_violated_by_the_invariants_of_another_one() -> None:
    surplus = Finding("share-ids-distinct", "surplus", requirement=GROUPS)
    failing = result(Verdict.FAIL, findings=(surplus,))
    states = {row.requirement.id: row.state for row in figures.requirement_results(run([failing]))}
    assert states[STEP_UP] is RequirementState.NOT_SHOWN
    assert states[GROUPS] is RequirementState.FAILED
    assert figures.state_of(CATALOGUE[0], [failing, result()]) is RequirementState.PASSED
    unmet = result(Verdict.FAIL, findings=(surplus, Finding("expectation", "expected 5, got 3", 0)))
    assert figures.state_of(CATALOGUE[0], [unmet, result()]) is RequirementState.FAILED


def test_declined_requirements_are_counted_beside_those_taken_on() -> None:
    results = [result(), result(Verdict.UNSUPPORTED, requirements=[GROUPS])]
    counts = figures.tally(figures.requirement_results(run(results)))
    assert (counts.passed, counts.taken_on, counts.declined) == (1, 1, 1)


def test_requirements_without_a_judged_case_are_not_counted_as_judged() -> None:
    results = [
        result(),
        result(Verdict.UNSUPPORTED, "declined"),
        result(Verdict.NOT_RUN, requirements=[GROUPS]),
    ]
    both = replace(CATALOGUE[0], polarity=frozenset({"accepts"}))
    counts = figures.tally(figures.requirement_results(run(results, catalogue=(both, *CATALOGUE[1:]))))
    assert (counts.taken_on, counts.not_run) == (1, 1)
    assert "1 not run" in headline(run(results)).shares[2].meaning


def test_a_judged_requirement_that_neither_passes_nor_fails_is_counted_and_named() -> None:
    results = [result(), result(Verdict.NOT_RUN, "rest")]
    counts = figures.tally(figures.requirement_results(run(results)))
    assert (counts.taken_on, counts.passed, counts.undecided) == (1, 0, 1)
    share = headline(run(results)).shares[2]
    assert (share.figure, share.meaning) == (
        "0 of 1",
        "judged requirements pass; 1 neither pass nor fail, 4 in total",
    )


def test_a_requirement_is_covered_by_cases_of_both_polarities() -> None:
    both = replace(CATALOGUE[0], polarity=frozenset({"accepts", "rejects"}))
    accepts = result()
    [step] = accepts.case.case_steps
    nothing = replace(step, expectation=AllocationExpectation(frozenset({Outcome.UNALLOCATABLE})))
    rejects = replace(accepts, case=replace(accepts.case, id="other", case_steps=(nothing,)))
    assert figures.state_of(both, [accepts]) is RequirementState.UNCOVERED
    assert figures.state_of(both, [rejects]) is RequirementState.UNCOVERED
    assert figures.state_of(both, [accepts, rejects]) is RequirementState.PASSED
    rows = figures.requirement_results(run([accepts], catalogue=(both,)))
    assert figures.tally(rows) == Tally(total=1, covered=0, passed=0, uncovered=1)


def test_a_violated_requirement_counts_as_judged_although_its_cases_do_not_cover_it() -> None:
    both = replace(CATALOGUE[0], polarity=frozenset({"accepts", "rejects"}))
    violation = Finding("share-ids-distinct", "surplus", requirement=GROUPS)
    of_one_polarity = result(Verdict.FAIL)
    of_another = result(Verdict.FAIL, "other", requirements=[DEFAULTS], findings=(violation,))
    failing = run([of_one_polarity, of_another], catalogue=(both, *CATALOGUE[1:]))
    rows = figures.requirement_results(failing)
    failed = sum(row.state is RequirementState.FAILED for row in rows)
    counts = figures.tally(rows)
    assert (failed, counts.covered, counts.taken_on, counts.passed) == (2, 3, 3, 0)
    assert sum(level.failed for level in figures.by_level(rows)) == failed
    assert headline(failing).shares[2].figure == "0 of 3"


def test_requirements_are_counted_by_document() -> None:
    rows = figures.requirement_results(run(of_every_sort()))
    assert figures.tally(rows) == Tally(total=4, covered=3, passed=2)
    assert {name: figures.tally(found) for name, found in figures.by_document(rows).items()} == {
        "KEP-5075": Tally(2, 2, 1),
        "KEP-5963": Tally(2, 1, 1),
    }


def test_requirements_that_only_cases_name_count_as_well() -> None:
    rows = figures.requirement_results(
        run([result(requirements=["KEP-1/area/new", "KEP-1/area/new"])], catalogue=())
    )
    assert [(row.requirement.id, row.requirement.document, len(row.results)) for row in rows] == [
        ("KEP-1/area/new", "KEP-1", 1)
    ]


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 0, "-"), (0, 7, "0 %"), (7, 7, "100 %"), (9999, 10000, "99.9 %"), (1, 3, "33.3 %"), (1, 2, "50 %")],
)
def test_a_share_is_rounded_down(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


def test_a_case_belongs_where_its_first_requirement_does() -> None:
    catalogue = {requirement.id: requirement for requirement in CATALOGUE}
    assert figures.place(case(requirements=[DEFAULTS, STEP_UP]), catalogue) == ("KEP-5075", "defaults")
    assert figures.place(case(requirements=["KEP-9/x/y"]), catalogue) == ("KEP-9", "x")
    assert figures.place(case("kep-1/area/name", requirements=[]), catalogue) == ("kep-1", "area")
    assert figures.place(case("name", requirements=[]), catalogue) == ("other", "other")


def test_a_run_without_its_end_counts_as_interrupted() -> None:
    gathering = RunCollector()
    for event in [*events([result()])[:2], *events([result()], name="second")]:
        gathering.add(event)
    first, second = gathering.runs()
    assert (first.name, first.aborted, len(first.results)) == ("builtin 0.1.0", INTERRUPTED, 1)
    assert (second.name, second.aborted, second.seconds) == ("second 0.1.0", "", 1.25)
