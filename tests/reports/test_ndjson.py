from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.events import CaseFinished, CaseJudged
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.reports.ndjson import Ndjson
from tests.support.reports.fake_runs import events, of_every_sort, put, result


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_each_event_is_on_disk_as_soon_as_it_happened(tmp_path: Path) -> None:
    path = tmp_path / "e.ndjson"
    path.write_text("older")
    handler = Ndjson(str(path))
    assert path.read_text() == "older"
    for number, event in enumerate(events([result(), result()]), 1):
        handler.handle(event)
        assert len(lines(path)) == number
    handler.close()
    assert [event["event"] for event in lines(path)] == [
        "run-started",
        "case-finished",
        "case-finished",
        "run-finished",
        "end",
    ]


def test_a_result_is_written_when_it_is_there_and_once(tmp_path: Path) -> None:
    path = tmp_path / "e.ndjson"
    started, first, second, finished = events([result(), result(Verdict.FAIL)])
    assert isinstance(second, CaseFinished)
    handler = Ndjson(str(path))
    for event in (started, CaseJudged(second.result)):
        handler.handle(event)
    assert [event.get("case") for event in lines(path)] == [None, "kep-5075/rounding/fail"]
    for event in (first, second, finished):
        handler.handle(event)
    handler.close()
    assert [event["case"] for event in lines(path) if event["event"] == "case-finished"] == [
        "kep-5075/rounding/fail",
        "kep-5075/rounding/pass",
    ]
    assert lines(path)[-1] == {"event": "end", "runs": 1, "results": 2}


def test_every_line_of_a_case_stands_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "e.ndjson"
    put([Ndjson(str(path))], events(of_every_sort()), events([result()], name="other"))
    found = lines(path)
    assert found[-1] == {"event": "end", "runs": 2, "results": 20}
    cases = [event for event in found if event["event"] == "case-finished"]
    assert len(cases) == 20
    for case in cases:
        assert case["suite"] == "ab12" * 16
        assert case["profile"] == "kep"
    assert cases[-1]["implementation"] == {"name": "other", "version": "0.1.0"}
    assert cases[-1]["run"] == 2
    failed = next(case for case in cases if case["kind"])
    assert failed["why"][0] == "request r0"
    assert failed["actual"]["outcome"] == "allocated"
    first_end, second_end = (event for event in found if event["event"] == "run-finished")
    assert first_end["summary"]["total"] == 19
    assert second_end["summary"] == {"pass": 1, "total": 1}


def test_a_run_cut_off_has_no_last_line(tmp_path: Path) -> None:
    path = tmp_path / "e.ndjson"
    handler = Ndjson(str(path))
    for event in events([result()])[:2]:
        handler.handle(event)
    assert lines(path)[-1]["event"] == "case-finished"
    handler.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_clear_error() -> None:
    handler = Ndjson("/dev/full")
    with pytest.raises(InputError, match="/dev/full: cannot be written: No space left"):
        handler.handle(events([])[0])
    handler.close()


def test_two_runs_cannot_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "e.ndjson"
    first, second = Ndjson(str(path)), Ndjson(str(path))
    for event in events([result()])[:2]:
        first.handle(event)
    with pytest.raises(
        InputError, match="cannot be written: another run is writing it, expected a different"
    ):
        second.handle(events([result()])[0])
    second.close()
    assert [event["event"] for event in lines(path)] == ["run-started", "case-finished"]
    first.close()
    third = Ndjson(str(path))
    put([third], events([result()]))
    assert len(lines(path)) == 4
