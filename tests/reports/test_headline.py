from __future__ import annotations

from dataclasses import replace

from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports.headline import headline
from tests.support.reports.fake_runs import result, run


def unsupported(profile: str, *, gate: str = "") -> CaseResult:
    found = result(Verdict.UNSUPPORTED, profile=profile)
    return replace(found, case=replace(found.case, gates_turned_on=frozenset([gate] if gate else [])))


def test_breadth_counts_unsupported_but_not_inapplicable_cases() -> None:
    newer = "DRADeviceCompatibilityGroups"
    old, new = "kubernetes-1.34", "kubernetes-1.37"
    found = headline(run([result(), unsupported(old), unsupported(old, gate=newer)], profile=old))
    assert (found.judged, found.declined, found.beyond) == (1, 1, 1)
    assert str(found.breadth) == "breadth 50 % (1 of 2 applicable cases were judged)"
    declined = headline(run([result(), unsupported(new, gate=newer)], profile=new))
    assert (declined.declined, declined.beyond) == (1, 0)


def test_a_percentage_of_nothing_is_a_dash_and_only_all_is_100() -> None:
    assert [share.figure for share in headline(run([])).shares] == ["-", "-", "0 of 0"]
    nearly = [result() for _ in range(4999)] + [result(Verdict.FAIL)]
    assert headline(run(nearly)).correctness.figure == "99.9 %"
