"""Rows of parametrized tests of which `make test` takes only some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def mostly_slow(rows: Iterable[Any], quick: int = 1) -> Sequence[ParameterSet]:
    """Return the rows as parameters, all but the first `quick` of them marked `slow`.

    A row is one value, a tuple of values, or a parameter with an id.
    """
    parameters = [_parameter(row) for row in rows]
    return [
        *parameters[:quick],
        *(
            pytest.param(*parameter.values, id=parameter.id, marks=pytest.mark.slow)
            for parameter in parameters[quick:]
        ),
    ]


def _parameter(row: Any) -> ParameterSet:
    if isinstance(row, ParameterSet):
        return row
    return pytest.param(*row) if isinstance(row, tuple) else pytest.param(row)
