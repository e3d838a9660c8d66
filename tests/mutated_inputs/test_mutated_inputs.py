from __future__ import annotations

import pytest

from tests.mutated_inputs.campaign import finds
from tests.mutated_inputs.readers import readers

READERS = readers()


@pytest.mark.parametrize("kind", READERS)
def test_a_broken_input_is_refused_and_nothing_else(kind: str) -> None:
    assert list(finds(kind, READERS[kind], range(560), seed=1)) == []
