from __future__ import annotations

import xml.etree.ElementTree as ET

from dra_conform.conformance.verdict import Kind, Verdict
from dra_conform.reports import junit
from tests.support.reports.fake_runs import of_every_sort, result, run


def parsed(*runs: object) -> ET.Element:
    return ET.fromstring(junit.render(runs))  # type: ignore[arg-type]


def test_one_suite_for_each_area_with_right_counts() -> None:
    root = parsed(run(of_every_sort()))
    found = {
        suite.get("name"): [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
        for suite in root
    }
    assert found == {
        "KEP-5075/rounding": ["17", "9", "4", "3"],
        "KEP-5075/defaults": ["1", "0", "0", "0"],
        "KEP-5963/groups": ["1", "0", "0", "0"],
    }
    assert [root.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["19", "9", "4", "3"]
    for suite in root:
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.get("tests", ""))
        for tag in ("failure", "error", "skipped"):
            attribute = tag if tag == "skipped" else f"{tag}s"
            assert len(suite.findall(f"testcase/{tag}")) == int(suite.get(attribute, ""))


def test_each_verdict_has_its_element() -> None:
    by_name = {case.get("name", ""): case for case in parsed(run(of_every_sort())).iter("testcase")}
    for verdict in (Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ADAPTER_ERROR):
        assert by_name[f"kep-5075/rounding/{verdict}"].find(f"error[@type='{verdict}']") is not None
    for verdict in (Verdict.UNSUPPORTED, Verdict.NOT_RUN):
        assert by_name[f"kep-5075/rounding/{verdict}"].find(f"skipped[@type='{verdict}']") is not None
    for kind in Kind:
        assert by_name[f"kep-5075/rounding/{kind}"].find(f"failure[@type='{kind}']") is not None
    assert by_name["kep-5075/rounding/overclaim"].find("failure[@type='overclaim']") is not None
    assert [child.tag for child in by_name["kep-5075/rounding/pass"]] == ["properties"]


def test_a_run_that_judged_nothing_has_an_error() -> None:
    root = parsed(run([result(Verdict.UNSUPPORTED), result(Verdict.NOT_RUN)]))
    assert (root.get("tests"), root.get("errors"), root.get("skipped")) == ("3", "1", "2")
    assert root.find("testsuite/testcase[@name='no-case-was-judged']/error") is not None


def test_a_run_that_ended_early_has_an_error() -> None:
    root = parsed(run([result(), result(Verdict.NOT_RUN)], aborted="the run was interrupted"))
    assert (root.get("tests"), root.get("errors"), root.get("failures")) == ("3", "1", "0")
    error = root.find("testsuite/testcase[@name='the-run-is-incomplete']/error")
    assert error is not None
    assert error.get("message") == "the run is incomplete: the run was interrupted"


def test_a_failure_has_requirement_diff_and_reasons() -> None:
    failure = parsed(run([result(Verdict.FAIL)])).find(".//failure")
    assert failure is not None
    assert failure.get("message") == "no result has device d, consuming 5 of bw"
    text = failure.text or ""
    for part in (
        "golden/kep-5075/rounding.yaml:12",
        "is raised to the next one",
        "-       bw: '5'",
        "3 of bw goes",
    ):
        assert part in text


def test_several_runs_keep_their_suites_apart() -> None:
    names = [suite.get("name") for suite in parsed(run([result()]), run([result()], name="other"))]
    assert names == ["builtin 0.1.0/KEP-5075/rounding", "other 0.1.0/KEP-5075/rounding"]


def test_no_text_breaks_the_xml() -> None:
    odd = result(Verdict.CRASH, "a<b>&\"'", detail="\x00\x1b[2J\ud800\uffff ]]>", log="\x0b", title="\x01")
    case = parsed(run([odd], name="\x02")).find(".//testcase")
    assert case is not None
    assert case.get("name") == "a<b>&\"'"
    assert case.find("error[@message='\\x00\\x1b[2J\\ud800\\uffff ]]>']") is not None
