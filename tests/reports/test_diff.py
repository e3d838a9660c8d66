from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import diff
from tests.support.reports.fake_runs import result, result_of


def of(expected: Any, actual: Any) -> diff.Diff:
    return diff.of(result(Verdict.FAIL, expected=expected, actual=actual))


def test_a_wrong_amount_is_one_line_against_another() -> None:
    found = diff.of(result(Verdict.FAIL))
    assert str(found) == (
        "  outcome: allocated\n"
        "  claims:\n"
        "    default/c:\n"
        "    - request: r0\n"
        "      device: d\n"
        "      consumedCapacity:\n"
        "-       bw: '5'\n"
        "+       bw: '3'"
    )
    assert found.paths == ("claims[default/c][0].consumedCapacity.bw",)


def test_equal_documents_have_no_marked_line_and_no_path() -> None:
    both = {"outcome": "allocated", "claims": {"default/c": [result_of(bw="1Gi")]}}
    other = {"outcome": "allocated", "claims": {"default/c": [result_of(bw="1024Mi")]}}
    found = of(both, other)
    assert not found
    assert found.paths == ()
    assert "bw: 1Gi" in str(found).replace("'", "")


def test_a_replaced_first_field_opens_the_item_on_both_sides() -> None:
    found = of({"outcome": "allocated", "claims": {"default/c": [{"device": "a"}]}},
               {"outcome": "allocated", "claims": {"default/c": [{"device": "b"}]}})  # fmt: skip
    assert str(found).endswith("-   - device: a\n+   - device: b")


def test_missing_and_additional_results_are_whole_blocks() -> None:
    expected = {
        "outcome": "allocated",
        "claims": {"default/c": [{"device": "a"}, {"device": "b", "request": "r"}]},
    }
    two = {"outcome": "allocated", "claims": {"default/c": [{"device": "a"}]}}
    assert str(of(expected, two)).endswith("-   - device: b\n-     request: r")
    assert str(of(two, expected)).endswith("+   - device: b\n+     request: r")


def test_a_diff_of_many_lines_is_cut_and_has_no_paths() -> None:
    found = of({"reasons": ["a"]}, {"reasons": [f"b{number}" for number in range(1_000_000)]})
    assert len(found.lines) == diff.MAX_LINES + 1
    assert found.lines[-1] == diff.Line(" ", "# further lines are left out")
    equal = ["a"] * 2 * diff.MAX_LINES
    late = of({"errors": [*equal, "b"]}, {"errors": [*equal, "c"]})
    assert {diff.Line("-", "- b"), diff.Line("+", "- c")} <= {*late.lines}
    assert found
    assert found.paths == ()


def test_without_an_answer_there_is_nothing_to_show() -> None:
    assert diff.of(result(Verdict.CRASH)) == diff.Diff(())
    assert of({"outcome": "allocated"}, None) == diff.Diff(())


@pytest.mark.parametrize("text", ["yes", "5", "1Gi", "", " a", "a: b", "null", "#", "é", "2026-11-20", "y"])
def test_scalars_read_back_as_the_text_they_are(text: str) -> None:
    line = of({"outcome": text}, {"outcome": text + "x"}).lines[0]
    assert yaml.safe_load(line.text) == {"outcome": text}


def test_what_steers_a_terminal_is_escaped() -> None:
    found = str(of({"outcome": "a"}, {"outcome": "b\x1b[2J\nc" + "x" * 10_000}))
    assert "\x1b" not in found
    assert "\\x1b[2J" in found
    assert len(found) < 700


def test_the_path_of_a_hostile_name_is_printable() -> None:
    name = "\x1b]0;x\x07\n::error::\u202e"
    expected, actual = (
        {"outcome": "allocated", "claims": {"c": [{"capacity": {at: "1"}}]}} for at in ("bw", name)
    )
    assert "claims.c[0].capacity[\\x1b]0;x\\x07\\n::error::\\u202e]" in of(expected, actual).paths


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab ", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values)
@example([{"a": False}], [{"a": 0}])
@example([False, False], [False, 0])
def test_lines_and_paths_agree_on_whether_there_is_a_difference(expected: Any, other: Any) -> None:
    found = diff.of(result(Verdict.FAIL, expected=[expected], actual=[other]))
    assert bool(found) == bool(found.paths)


@given(json_values)
def test_unmarked_lines_are_the_yaml_of_the_document(value: Any) -> None:
    lines = diff.of(result(Verdict.FAIL, expected=[value], actual=[value])).lines
    assert yaml.safe_load("\n".join(line.text for line in lines)) == [value]
