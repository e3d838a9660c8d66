"""The built-in counts the same quota usage and node resource usage of pods as Kubernetes.

Some hundred random questions a release; `python -m tests.support.kube_parts.compare` takes as many as one likes. What is
answered otherwise, and why, is in `tests/support/kube_parts/known_differences.py`.
"""

from __future__ import annotations

import pytest

from tests.support.adapter_process import AdapterProcess
from tests.support.kube_parts.compare import COUNTED, answered
from tests.support.kube_parts.known_differences import reason

pytestmark = pytest.mark.slow

COUNT = 300


@pytest.mark.parametrize("operation", COUNTED)
def test_random_questions(parts: tuple[str, AdapterProcess], operation: str) -> None:
    release, process = parts
    asked = answered(process, release, operation, COUNT, seed=1)
    unknown = [(one.number, one.difference) for one in asked if one.difference and not reason(one)]
    assert unknown == []
