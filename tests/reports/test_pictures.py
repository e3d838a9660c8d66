from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import feature_matrix, headline
from dra_conform.reports.feature_matrix import feature_rows
from tests.support.reports.fake_runs import of_every_sort, result, run


def texts(svg: str) -> list[str]:
    return [
        "".join(item.itertext()).strip()
        for item in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_a_feature_is_right_where_every_judged_case_that_uses_it_is() -> None:
    runs = [
        run(of_every_sort()),
        run([result()], name="other"),
        run([result(Verdict.UNSUPPORTED)], name="no"),
    ]
    [row] = feature_rows(runs)
    assert row.name == "plain requests"
    assert [(cell.grade, cell.text) for cell in row.cells] == [
        ("wrong", "18.7 %"),
        ("right", "100 %"),
        ("none", "not judged"),
    ]


def test_drivers_have_a_row_for_each_area() -> None:
    areas = {"DRIVER/slices/complete": Verdict.FAIL, "DRIVER/prepare/devices": Verdict.PASS}
    results = [result(verdict, requirements=[name]) for name, verdict in areas.items()]
    of_drivers = [replace(each, case=replace(each.case, operation="driver")) for each in results]
    rows = feature_rows([run(of_drivers)])
    assert [(row.name, row.cells[0].text) for row in rows] == [
        ("drivers: prepare", "100 %"),
        ("drivers: slices", "0 %"),
    ]


def test_the_matrix_names_implementations_features_and_figures() -> None:
    svg = feature_matrix.render([run(of_every_sort()), run([result()], name="a-name-that-goes-on-and-on")])
    found = " ".join(texts(svg))
    for part in (
        "builtin",
        "a-name-that-goes-…",
        "plain requests",
        "✗ 18.7 %",
        "✓ 100 %",
        "94.1 %",
        "1 of 1",
    ):
        assert part in found
    assert "18.7" in svg
    assert "script" not in svg


def test_nothing_that_an_implementation_is_called_becomes_markup() -> None:
    evil = "</svg><script>\x1b"
    svg = feature_matrix.render([run([result()], name=evil, profile=evil)])
    assert "<script" not in svg
    assert ET.fromstring(svg) is not None


@pytest.mark.parametrize(
    ("results", "aborted", "message", "colour"),
    [
        ([result()], "", "100 % correct, 100 % breadth", headline.GOOD),
        ([result(), result(Verdict.UNSUPPORTED)], "", "100 % correct, 50 % breadth", headline.GOOD),
        ([result()] * 9 + [result(Verdict.FAIL)], "", "90 % correct, 100 % breadth", headline.FAIR),
        ([result(), result(Verdict.FAIL)], "", "50 % correct, 100 % breadth", headline.POOR),
        ([result()], "stopped", "incomplete", headline.UNKNOWN),
        ([result(Verdict.UNSUPPORTED)], "", "no case judged", headline.UNKNOWN),
    ],
)
def test_a_badge_says_correctness_and_breadth(
    results: list[object], aborted: str, message: str, colour: str
) -> None:
    runs = [run(results, aborted=aborted)]  # type: ignore[arg-type]
    assert json.loads(headline.badge_endpoint(runs)) == {
        "schemaVersion": 1,
        "label": "DRA conformance",
        "message": message,
        "color": colour[1:],
    }
    svg = headline.badge_svg(runs)
    assert texts(svg) == ["DRA conformance", message]
    assert f'fill="{colour}"' in svg


def test_a_badge_is_grey_for_cases_of_ones_own_choice() -> None:
    """A few cases that pass are no conformance, so neither they nor an own suite make a green badge."""
    whole = run([result()])
    declined = run([result()] + [result(Verdict.UNSUPPORTED)] * 10)
    selected = replace(whole, started=replace(whole.started, selection=("--select", "x")))
    own = replace(whole, started=replace(whole.started, suite=replace(whole.started.suite, folder="mine")))
    messages = {
        "9 % breadth": declined,
        "selected cases: 1 of 1 correct": selected,
        "own suite: 1 of 1 correct": own,
    }
    for message, narrow in messages.items():
        badge = json.loads(headline.badge_endpoint([narrow]))
        assert message in badge["message"]
        assert badge["color"] == headline.UNKNOWN[1:]
    assert json.loads(headline.badge_endpoint([whole]))["color"] == headline.GOOD[1:]
