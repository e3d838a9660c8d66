from __future__ import annotations

import pytest

from dra_conform.conformance.suite.case_ids import case_id, row_keys


def test_the_file_gives_document_and_area() -> None:
    assert case_id("golden/kep-5075/rounding.yaml", "step-up") == "kep-5075/rounding/step-up"
    assert case_id("features/dra/pools.feature", "empty-pool", "v1") == "dra/pools/empty-pool[v1]"


@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        ([["3", "5"], ["6", "8"]], ["3", "6"]),
        ([["3", "5"], ["3", "8"]], ["5", "8"]),
        ([["3", "5"], ["3", "8"], ["6", "8"]], ["3-5", "3-8", "6-8"]),
        ([["3", "5"], ["3", "5"]], ["1", "2"]),
        ([["x" * 41, "5"], ["y" * 41, "5"]], ["1", "2"]),
        ([["[a, b]", "x"], ["{a: b}", "x"]], ["1", "2"]),
        ([["-1", "x"], ["1", "x"]], ["-1", "1"]),
        ([["", "x"], ["1", "y"]], ["x", "y"]),
    ],
)
def test_a_key_is_as_few_cells_as_tell_the_rows_apart(rows: list[list[str]], keys: list[str]) -> None:
    assert row_keys(["request", "consumed"], rows) == keys


def test_the_author_marks_a_column() -> None:
    assert row_keys(["a", "b"], [["1", "x"], ["2", "y"]], "b") == ["x", "y"]
    with pytest.raises(ValueError, match="unknown key column 'c', expected one of a, b"):
        row_keys(["a", "b"], [["1", "x"]], "c")
    with pytest.raises(ValueError, match="key column 'b' cannot identify the rows, expected distinct cells"):
        row_keys(["a", "b"], [["1", "x"], ["2", "x"]], "b")
