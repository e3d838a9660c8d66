from __future__ import annotations

import json
from importlib import resources
from typing import Any

import jsonschema
import pytest

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import json_report
from tests.support.reports.fake_runs import DEFAULTS, GROUPS, of_every_sort, result, run

SCHEMA = json.loads((resources.files("dra_conform") / "schemas" / "report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def rendered(*runs: Any) -> Any:
    return json.loads(json_report.render(runs))


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_reports_of_one_and_of_several_runs_keep_the_schema() -> None:
    VALIDATOR.validate(rendered(run(of_every_sort())))
    VALIDATOR.validate(rendered(run([], aborted="gave up")))
    several = rendered(run(of_every_sort()), run([result()], name="other"))
    VALIDATOR.validate(several)
    assert [run["implementation"]["name"] for run in several["runs"]] == ["builtin", "other"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["summary", "pass"], -1),
        (["summary", "passed"], 1),
        (["results", 0, "verdict"], "passed"),
        (["results", 0, "kind"], "odd"),
        (["requirements", "documents", "KEP-5075"], {}),
        (["suite"], {}),
        (["format"], "dra-conform-report/2"),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: list[Any], value: Any) -> None:
    report = rendered(run(of_every_sort()))
    at = report
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    assert not VALIDATOR.is_valid(report)


def test_the_contract() -> None:
    report = rendered(run(of_every_sort(), aborted="stopped"))
    assert report["implementation"]["name"] == "builtin"
    assert report["implementation"]["components"] == {"scheduler": "./my-scheduler '<gates>'"}
    assert report["profile"] == "kep"
    assert report["suite"]["fingerprint"] == "ab12" * 16
    assert (report["complete"], report["aborted"]) == (False, "stopped")
    assert report["summary"]["total"] == 19
    assert report["summary"]["fail"] == 8
    assert report["summary"]["crash"] == 1
    assert sum(report["summary"][verdict] for verdict in Verdict) == 19
    assert report["requirements"] == {
        "total": 4,
        "covered": 3,
        "passed": 2,
        "takenOn": 3,
        "declined": 0,
        "documents": {
            "KEP-5075": {"total": 2, "covered": 2, "passed": 1, "takenOn": 2, "declined": 0},
            "KEP-5963": {"total": 2, "covered": 1, "passed": 1, "takenOn": 1, "declined": 0},
        },
    }
    assert report["catalogue"][GROUPS]["level"] == "SHOULD"
    by_case = {entry["case"]: entry for entry in report["results"]}
    failed = by_case["kep-5075/rounding/fail"]
    assert (failed["verdict"], failed["kind"], failed["seconds"]) == ("fail", "wrong-result", 0.0015)
    assert failed["findings"][0]["step"] == 0
    assert by_case["kep-5075/rounding/pass"] == {
        "case": "kep-5075/rounding/pass",
        "title": "An amount between two valid points goes up to the next one",
        "source": "golden/kep-5075/rounding.yaml:12",
        "requirements": ["KEP-5075/rounding/step-up"],
        "verdict": "pass",
        "kind": None,
        "seconds": 0.0015,
    }
    assert by_case["kep-5963/groups/same[1-2]"]["requirements"] == [GROUPS, DEFAULTS]
    assert by_case["kep-5075/defaults/departs"]["deviation"] == "release 1.36 rounds in whole units"


def test_whatever_an_implementation_answers_the_report_is_strict_json() -> None:
    odd = result(Verdict.FAIL, actual={"x": float("inf"), "y": "\ud800", 3: b"z"}, detail="\x00")
    text = json_report.render([run([odd])])
    json.loads(text, parse_constant=pytest.fail)
    text.encode("utf-8")
