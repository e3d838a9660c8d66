from __future__ import annotations

import pytest

from tests.support.mutated_inputs.campaign import counterexamples
from tests.support.mutated_inputs.readers import readers

READERS = readers()


@pytest.mark.parametrize(
    "numbers", [range(4), pytest.param(range(4, 560), marks=pytest.mark.slow)], ids=["first", "more"]
)
@pytest.mark.parametrize("kind", READERS)
def test_a_broken_input_raises_only_expected_errors(kind: str, numbers: range) -> None:
    assert list(counterexamples(kind, READERS[kind], numbers, seed=1)) == []
