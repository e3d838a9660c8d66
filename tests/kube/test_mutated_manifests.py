"""Ten thousand randomly broken manifests: each loads or gives errors without a traceback."""

from __future__ import annotations

import random

import pytest

from dra_conform.kube.errors import InputErrors
from dra_conform.kube.manifests import loads
from tests.support.kube.breaking import broken
from tests.support.rows import mostly_slow


@pytest.mark.parametrize("seed", mostly_slow(range(10), 2))
def test_no_traceback(seed: int) -> None:
    chance = random.Random(seed)
    refused: list[InputErrors] = []
    for _ in range(1000):
        try:
            loads(broken(chance), "f")
        except InputErrors as errors:
            refused.append(errors)
    assert 500 < len(refused) < 1000
    assert all(one.errors for one in refused)
    assert all(error.file == "f" and error.message for one in refused for error in one.errors)
