from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from dra_conform.conformance.events import CaseFinished, CaseJudged
from dra_conform.conformance.verdict import Finding, Kind, Verdict
from dra_conform.reports.failure import WIDTH, failure_lines
from dra_conform.reports.terminal import SCREENS, Terminal
from tests.support.reports.fake_runs import (
    CATALOGUE,
    GROUPS,
    STEP_UP,
    events,
    many,
    of_every_sort,
    put,
    result,
)


class Tty(StringIO):
    def isatty(self) -> bool:
        return True


def printed(
    *streams: list[object],
    to: StringIO | None = None,
    verbose: bool = False,
    environment: Mapping[str, str] | None = None,
) -> str:
    stream = to or StringIO()
    ticks = iter(range(10_000_000))
    handler = Terminal(
        stream, verbose=verbose, environment=environment or {}, clock=lambda: float(next(ticks))
    )
    put([handler], *streams)  # type: ignore[arg-type]
    return stream.getvalue()


def test_a_failure_is_printed_in_order() -> None:
    text = printed(events([result(), result(Verdict.FAIL)]))
    parts = [
        "builtin 0.1.0, profile kep, 2 cases",
        "scheduler under test: ./my-scheduler '<gates>'",
        "KEP-5075/rounding/step-up (MUST)",
        "is raised to the next one.",
        "fail: wrong-result  kep-5075/rounding/fail",
        "golden/kep-5075/rounding.yaml:12",
        'a ResourceClaim "c" requesting 3 of "bw"',
        'When allocation of ResourceClaim "c" is attempted',
        "-       bw: '5'",
        "+       bw: '3'",
        "differs at claims[default/c][0].consumedCapacity.bw",
        "no result has device d",
        "3 of bw goes up to 5",
        "dra-conform run -i builtin --select id:kep-5075/rounding/fail",
        "correctness          50 %  1 of 2 judged cases are right",
        "requirements       0 of 1  judged requirements pass; 4 in total",
        "    pass               1",
        "    fail               1",
        "1 of 2 cases failed",
    ]
    for part in parts:
        _, found, text = text.partition(part)
        assert found, part


def test_lines_keep_to_the_width_and_carry_no_control_characters() -> None:
    words = "a sentence that goes on and on " * 20
    text = printed(
        events([*of_every_sort(), result(Verdict.FAIL, "long", detail=words, log="\x1b[2J\r\n\a")])
    )
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)


def test_a_run_without_cases_does_not_say_that_all_pass() -> None:
    assert printed(events([])).endswith("\n  no case was judged\n")


def test_the_name_of_an_implementation_is_one_line() -> None:
    text = printed(events([result()], name="mine\r\nall cases pass\x1b[2J"))
    assert text.count("mine\\nall cases pass\\x1b[2J 0.1.0, profile kep") == 2


def test_colours_and_the_live_line_are_for_terminals_alone() -> None:
    run = events([result(Verdict.FAIL)])
    plain = printed(run)
    assert "\x1b" not in plain
    assert "\r" not in plain
    live = printed(run, to=Tty())
    assert "\r\x1b[2K  1/1  100 %  failed 1  kep-5075/rounding/fail" in live
    assert "\x1b[31m-       bw: '5'\x1b[0m" in live
    without = printed(run, to=Tty(), environment={"NO_COLOR": "1"})
    assert "\x1b[3" not in without
    assert "\r\x1b[2K" in without
    assert "\x1b" not in printed(run, to=Tty(), environment={"TERM": "dumb"})


def test_the_live_line_fits_into_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    live = printed(events([result(), result(Verdict.FAIL)]), to=Tty())
    drawn = re.findall(r"\r\x1b\[2K([^\r\n\x1b]*)", live)
    assert max(map(len, drawn)) == 39
    assert "=" * 40 in live
    assert "=" * 41 not in live


def test_the_live_line_is_gone_before_anything_else_is_printed() -> None:
    for line in printed(events([result(), result(Verdict.FAIL)]), to=Tty()).split("\n"):
        last = line.rsplit("\r\x1b[2K", 1)[-1]
        assert not re.match(r"  \d+/\d+  ", last)


def test_in_a_file_progress_is_one_line_a_minute() -> None:
    text = printed(events([result()] * 150))  # one second each
    assert re.findall(r"(?m)^  \d+/150 .*$", text) == [
        "  60/150  40 %  failed 0",
        "  120/150  80 %  failed 0",
    ]
    assert "/150" not in printed(events([result()] * 150), verbose=True)


def test_early_results_count_in_an_interrupted_run() -> None:
    started, first, other = events([result(), result(Verdict.FAIL)])[:3]
    assert isinstance(other, CaseFinished)
    early = CaseJudged(other.result)
    assert "1/2  50 %  failed 1  kep-5075/rounding/fail" in printed([started, early], to=Tty())
    assert "1 of 1 case failed" in printed([started, early])
    assert "1 of 2 cases failed" in printed([started, early, first, other])


@pytest.mark.parametrize(
    ("results", "aborted", "end"),
    [
        ([Verdict.PASS, Verdict.PASS], "", "all 2 cases pass"),
        ([Verdict.PASS, Verdict.UNSUPPORTED], "", "no case failed, 1 without an answer to judge"),
        ([Verdict.PASS, Verdict.CRASH], "", "1 of 2 cases failed"),
        ([Verdict.PASS], "given up", "none of 1 case failed, but the run is incomplete"),
    ],
)
def test_the_last_line_sums_up(results: list[Verdict], aborted: str, end: str) -> None:
    text = printed(events([result(verdict) for verdict in results], aborted=aborted))
    assert text.rstrip().splitlines()[-1].strip() == end
    assert ("incomplete    given up" in text) == bool(aborted)


def test_many_failures_are_shortened_unless_verbose() -> None:
    results = many(500, every_fails=1)
    short = printed(events(results))
    shown = short.count("fail: wrong-result  kep-")
    assert shown >= 1
    alike = sum(map(int, re.findall(r"(\d+) more cases fail with this cause", short)))
    assert f"{500 - shown - alike} more cases failed" in short
    assert re.search(r"\.\.\. and \d+ more causes", short)
    assert short.count("\n") <= SCREENS + len(re.findall(r"(?m)^  \d+/500", short)) + 1
    assert printed(events(results[:50]), verbose=True).count("fail: wrong-result  kep-") == 50


def test_one_huge_failure_is_shortened_to_its_beginning_and_its_command() -> None:
    huge = {"outcome": "allocated", "claims": {"default/c": [{"device": f"d{n}"} for n in range(500)]}}
    text = printed(events([result(Verdict.FAIL, "x" * 200, actual=huge)]))
    assert text.count("\n") <= SCREENS
    assert max(map(len, text.splitlines())) <= WIDTH or "select id:" in max(text.splitlines(), key=len)
    assert re.search(r"\.\.\. \d+ more lines: --verbose", text)
    assert f"--select id:{'x' * 200}" in text


def test_what_happened_is_printed_before_the_manifests_of_a_fixture() -> None:
    crash = result(Verdict.ADAPTER_ERROR, detail="KeyError: 'devices'")
    objects = [{"kind": "Node", "metadata": {"name": f"node-{number}"}} for number in range(30)]
    case = replace(crash.case, given=('Given the fixture "large"',), objects={"nodes": objects})
    text = printed(events([replace(crash, case=case)]))
    assert text.index("KeyError: 'devices'\n  log") < text.index("  setup as manifests\n")


def test_verbose_prints_every_case() -> None:
    assert "pass          kep-5075/rounding/pass" in printed(events([result()]), verbose=True)


def test_an_interrupted_run_is_still_reported() -> None:
    text = printed(events([result(Verdict.FAIL), result()])[:2])
    assert "no result has device d" in text
    assert "incomplete    the run was interrupted" in text


def test_several_runs_follow_one_another_once() -> None:
    text = printed(events([result(Verdict.FAIL)]), events([result()], name="other"))
    assert text.count("1 of 1 case failed") == 1
    assert text.count("the case passes") == 1


def test_a_deviation_is_named() -> None:
    text = printed(events([result(Verdict.FAIL, deviation="release 1.36 rounds otherwise")]))
    assert (
        "kep deviates from the specification, and the case expects this: release 1.36 rounds otherwise"
        in text
    )
    assert "deviations    1 case expects" in text


def test_a_stream_of_another_encoding_gets_what_it_can_show() -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding="ascii")
    put([Terminal(stream)], events([result(Verdict.FAIL, title="größer ☃")]))
    assert b"gr??er ?" in raw.getvalue()


def test_a_failure_shows_the_requirements_that_it_violates() -> None:
    other = Finding("groups-compatible", "two groups", 0, requirement=GROUPS)
    unmet = Finding("expectation", "expected 5, got 3", 0)
    for findings in ((other,), (other, unmet)):
        failure = result(Verdict.FAIL, findings=findings, requirements=[STEP_UP])
        assert failure_lines(failure, CATALOGUE)[0].startswith(f"{GROUPS} (")


def test_the_heading_of_a_changed_input_names_its_kind_once() -> None:
    changed = result(
        Verdict.FAIL, kind=Kind.MUTATED_INPUT, actual=None, findings=(), detail="it changed nodes"
    )
    text = printed(events([changed]))
    assert "1 case fails: mutated-input\n" in text
    assert "null" not in text


def test_a_single_failure_in_plain_lines() -> None:
    lines = failure_lines(result(Verdict.FAIL), CATALOGUE)
    assert lines[0] == "KEP-5075/rounding/step-up (MUST)"
    assert "    -       bw: '5'" in lines
    assert "      device d: 3 of bw goes up to 5 (min 1, step 4)" in lines
    assert lines[-1].strip() == "dra-conform run -i IMPLEMENTATION --select id:kep-5075/rounding/fail"


def test_failures_with_a_gate_off_are_counted() -> None:
    failed = [result(Verdict.FAIL, name) for name in ("a", "b", "c")]
    off = {"DRADeviceTaints": False}
    gates = (off, {**off, "DRAAdminAccess": False}, {"DRAAdminAccess": True})
    results = [
        replace(item, case=replace(item.case, gates=of)) for item, of in zip(failed, gates, strict=True)
    ]
    text = printed(events(results))
    assert "a feature gate is disabled in 2 of them: DRADeviceTaints in 2, DRAAdminAccess in 1\n" in text
    assert "gate is off" not in printed(events(failed))


def test_the_main_reasons_of_unsupported_cases_are_listed() -> None:
    declined = [result(Verdict.UNSUPPORTED, f"c{at}", detail=f"reason {at // 3}") for at in range(15)]
    text = printed(events([result(), *declined]))
    found = [line for line in text.splitlines() if "reason " in line]
    assert found == ["           3  reason 0", "           3  reason 1", "           3  reason 2"]
