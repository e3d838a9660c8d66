from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports.breadth import Breadth
from dra_conform.reports.headline import badge_endpoint, headline
from tests.support.reports.fake_runs import CATALOGUE, result, run


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


@pytest.mark.parametrize(
    ("more", "part", "badge"),
    [
        ({}, "", "100 % correct, 100 % breadth"),
        (
            {"level": "core"},
            "; --level core chooses a part of the suite",
            "core: 100 % correct, 100 % breadth",
        ),
        (
            {"selection": ("--select", "kep-5075")},
            "; --select chooses a part of the suite",
            "selected cases: 1 of 1 correct",
        ),
        (
            {"options": ("--shard", "1/4")},
            "; --shard chooses a part of the suite",
            "selected cases: 1 of 1 correct",
        ),
        (
            {"level": "core", "selection": ("--level", "core", "--select", "x", "--shard", "1/2")},
            "; --level core and --select and --shard choose a part of the suite",
            "core, selected cases: 1 of 1 correct",
        ),
    ],
)
def test_the_breadth_of_a_part_of_the_suite_names_the_part(
    more: dict[str, Any], part: str, badge: str
) -> None:
    whole = run([result()])
    narrowed = replace(whole, started=replace(whole.started, **more))
    assert headline(narrowed).breadth.meaning == f"1 of 1 applicable cases were judged{part}"
    assert json.loads(badge_endpoint([narrowed]))["message"] == badge


def test_requirements_that_the_cases_do_not_cover_are_counted() -> None:
    both = replace(CATALOGUE[0], polarity=frozenset({"accepts", "rejects"}))
    *_, requirements = headline(run([result()], catalogue=(both,))).shares
    assert str(requirements) == (
        "requirements 0 of 0 (judged requirements pass; 1 not covered by these cases, 1 in total)"
    )


def test_the_breadth_of_an_incomplete_run_names_the_cases_that_were_not_run() -> None:
    stopped = run([result(), unsupported("kep"), result(Verdict.NOT_RUN)], aborted="stopped")
    words = "1 of 2 applicable cases that were run were judged; 1 was not run"
    assert (headline(stopped).breadth.figure, headline(stopped).breadth.meaning) == ("50 %", words)
    interrupted = replace(stopped, started=replace(stopped.started, total=5))
    assert headline(interrupted).breadth.meaning == words.replace("1 was", "3 were")
    assert str(Breadth.of(stopped.results)) == "50 % (1 of 2 cases, 1 not run)"


def test_a_percentage_of_nothing_is_a_dash_and_only_all_is_100() -> None:
    assert [share.figure for share in headline(run([])).shares] == ["-", "-", "0 of 0"]
    nearly = [result() for _ in range(4999)] + [result(Verdict.FAIL)]
    assert headline(run(nearly)).correctness.figure == "99.9 %"


def test_the_breadth_of_an_allocator_is_also_that_of_its_operation() -> None:
    other = unsupported("kep")
    other = replace(other, case=replace(other.case, operation="admit"))
    found = headline(run([result(), unsupported("kep"), other, other]))
    of_operations = "50 % of those of its operations (allocate)"
    assert found.breadth.meaning == f"1 of 4 applicable cases were judged, {of_operations}"
