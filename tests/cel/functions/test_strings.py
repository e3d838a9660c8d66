"""The regex library. `test_patterns` tests the patterns themselves."""

from __future__ import annotations

import pytest

from dra_conform.cel.values.cel_errors import EvaluationError
from tests.support.cel.functions.calling import call


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("find", ("abc 123 45", "[0-9]+"), "123"),
        ("find", ("abc", "[0-9]+"), ""),
        ("findAll", ("abc 123 45", "[0-9]+"), ("123", "45")),
        ("findAll", ("abc 123 45", "[0-9]+", 1), ("123",)),
        ("findAll", ("abc 123 45", "[0-9]+", 0), ()),
        ("findAll", ("abc 123 45", "[0-9]+", -1), ("123", "45")),
        ("findAll", ("abc", "[0-9]+"), ()),
    ],
)
def test_found(name: str, arguments: tuple[object, ...], result: object) -> None:
    assert call(name, *arguments) == result


@pytest.mark.parametrize("name", ["find", "findAll"])
def test_a_bad_pattern(name: str) -> None:
    with pytest.raises(EvaluationError, match="Illegal regex: error parsing regexp: missing closing"):
        call(name, "a", "(a")
