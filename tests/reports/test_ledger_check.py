from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dra_conform.conformance.case import Deviation
from dra_conform.conformance.verdict import CaseResult, Finding, Verdict
from dra_conform.reports.ledger import (
    KnownGroup,
    KnownPattern,
    Ledger,
    explained,
    known_failure,
    read_ledger,
)
from dra_conform.reports.ledger_check import LedgerCheck, missing_in_run, unexpected_results
from dra_conform.reports.ledger_update import ONE_ENTRY, LedgerUpdate, updated
from tests.support.reports.fake_runs import STEP_UP, events, put, result, run

SELECTOR = Finding(
    "node-selector-fits", "wide", requirement="DRA/node-access/node-name", part="node-selector"
)
UNMET = Finding("expectation", "expected 5, got 3", 0)


def _failing(name: str, *findings: Finding) -> CaseResult:
    return result(Verdict.FAIL, name, findings=findings)


MANY = [_failing(f"c{at}", SELECTOR) for at in range(ONE_ENTRY)]


@pytest.mark.parametrize(
    ("pattern", "known"),
    [
        (KnownPattern(part="node-selector"), True),
        (KnownPattern(part="share-id"), False),
        (KnownPattern(finding="node-selector-fits: *"), True),
        (KnownPattern(finding="node-selector-fits"), False),
        (KnownPattern(case="kep-5075/*[1]"), True),
        (KnownPattern(case="kep-5075/*[2]", part="node-selector"), False),
        (KnownPattern(requirement="KEP-5075/*"), True),
        (KnownPattern(feature="device-*"), True),
        (KnownPattern(deviation="kubernetes-1.36"), True),
        (KnownPattern(deviation="kubernetes-1.37"), False),
        (KnownPattern(feature="binding-conditions"), False),
    ],
)
def test_a_pattern_explains_failures_that_it_fits(pattern: KnownPattern, known: bool) -> None:
    failure = _failing("kep-5075/x[1]", SELECTOR)
    [step] = failure.case.case_steps
    deviation = Deviation(frozenset({"kubernetes-1.36"}), step.expectation, "rounds otherwise")
    steps = (replace(step, deviations=(deviation,)),)
    features = frozenset({"device-taints"})
    failure = replace(failure, case=replace(failure.case, features=features, case_steps=steps))
    assert explained(failure, [pattern]) == known


def test_another_finding_is_not_explained_by_the_pattern_of_one() -> None:
    both = _failing("a", SELECTOR, UNMET)
    patterns = [KnownPattern(part="node-selector"), KnownPattern(finding="expectation: *")]
    assert not explained(both, patterns[:1])
    assert explained(both, patterns)
    assert not explained(result(Verdict.CRASH, "b", findings=()), patterns)


def test_many_failures_of_a_result_part_become_one_entry() -> None:
    judged = run([*MANY, _failing("other", UNMET), _failing("both", SELECTOR, UNMET)])
    [group] = updated((), judged, [item.case for item in judged.results], "not filled in yet")
    assert group.matching == (KnownPattern(part="node-selector"),)
    assert sorted(group.cases) == ["both", "other"]
    ledger = Ledger("known.yaml", (group,))
    assert not [each.message for each in unexpected_results(ledger, judged, ["other", "both"])]


def test_few_failures_of_a_result_part_stay_single_entries() -> None:
    [group] = updated((), run(MANY[1:]), [item.case for item in MANY], "why")
    assert (len(group.cases), group.matching) == (ONE_ENTRY - 1, ())


@pytest.mark.parametrize("several", [True, False])
def test_an_update_says_that_failures_of_several_causes_have_one_reason(
    tmp_path: Path, several: bool
) -> None:
    failures = [_failing("a", SELECTOR), _failing("b", UNMET if several else SELECTOR)]
    file = str(tmp_path / "known.yaml")
    update = LedgerUpdate(Ledger(file, ()), [item.case for item in failures], "why")
    put([update], events(failures))
    first, *others = update.lines()
    assert first == f"{file}: written"
    advice = (
        f"{file}: 2 new failures of 2 causes have one reason; give the cases of each cause a group with its "
        "own reason"
    )
    assert others == ([advice] if several else [])
    again = LedgerUpdate(read_ledger(file), [item.case for item in failures], "another")
    put([again], events(failures))
    assert [*again.lines()] == [first]


@pytest.mark.parametrize(("failures", "listed"), [(11, 11), (12, 10)])
def test_only_the_first_differences_are_listed(failures: int, listed: int) -> None:
    check = LedgerCheck(lambda _: Ledger("known.yaml", ()), None)
    put([check], events([_failing(f"c{at}") for at in range(failures)]))
    *lines, last = check.lines()
    assert last == f"known.yaml: {failures} results differ from the ledger"
    assert sum("is fail: " in line for line in lines) == listed
    rest = [] if listed == failures else ["known.yaml: ... and 2 more (--verbose lists all)"]
    assert lines[listed:] == rest
    assert len([*check.lines(every=True)]) == failures + 1


def test_declining_a_feature_makes_no_entry_stale() -> None:
    group = KnownGroup(reason="why", cases={item.case.id: known_failure(item) for item in MANY})
    declined = run([result(Verdict.UNSUPPORTED, item.case.id, requirements=[STEP_UP]) for item in MANY])
    cases = [item.case for item in MANY]
    ids = [case.id for case in cases]
    assert not list(unexpected_results(Ledger("known.yaml", (group,)), declined, ids))
    assert updated((group,), declined, cases, "") == (group,)


@pytest.mark.parametrize("sometimes", [True, False])
def test_failures_that_depend_on_chance_may_pass(sometimes: bool) -> None:
    failure = {"a": known_failure(_failing("a", UNMET))}
    pattern = KnownPattern(case="b")
    group = KnownGroup(reason="a race", sometimes=sometimes, cases=failure, matching=(pattern,))
    ledger = Ledger("known.yaml", (group,))
    passing = run([result(Verdict.PASS, name) for name in "ab"])
    stale = [*unexpected_results(ledger, passing, ["a", "b"]), *missing_in_run(ledger, passing)]
    assert bool(stale) is not sometimes
    cases = [item.case for item in passing.results]
    assert (updated((group,), passing, cases, "", whole=True) == (group,)) is sometimes


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        (KnownPattern(requirement=STEP_UP), True),
        (KnownPattern(requirement="KEP-5075/rounding/step-upp"), False),
        (KnownPattern(feature="no-such-feature"), False),
        (KnownPattern(case="b*"), False),
        (KnownPattern(finding="nothing"), True),
    ],
)
def test_a_pattern_that_matches_no_case_of_the_suite_is_stale(pattern: KnownPattern, matches: bool) -> None:
    passing = result(Verdict.PASS, "a", requirements=[STEP_UP])
    ledger = Ledger("known.yaml", (KnownGroup(reason="why", matching=(pattern,)),))
    check = LedgerCheck(lambda _: ledger, [passing.case], whole=False)
    put([check], events([passing]))
    stale = [line for line in check.lines() if "matches no case of the suite, expected at least one" in line]
    assert bool(stale) is not matches
    assert check.as_expected(0) is matches
    assert bool(updated(ledger.groups, run([passing]), [passing.case], "", whole=False)) is matches
