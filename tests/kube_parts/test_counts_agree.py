"""The built-in and Kubernetes count equal quota usage and equal node resource usage.

The test sends some hundred random requests per release, `python -m tests.support.kube_parts.compare` any number.
`tests/support/kube_parts/known_differences.py` has the known differences with their reasons.
"""

from __future__ import annotations

import pytest

from tests.support.adapter_process import AdapterProcess
from tests.support.kube_parts.compare import COUNTED, answered
from tests.support.kube_parts.known_differences import reason

pytestmark = pytest.mark.slow

COUNT = 300


@pytest.mark.parametrize("operation", COUNTED)
def test_random_requests_have_equal_answers(parts: tuple[str, AdapterProcess], operation: str) -> None:
    release, process = parts
    asked = answered(process, release, operation, COUNT, seed=1)
    unknown = [(one.number, one.difference) for one in asked if one.difference and not reason(one)]
    assert unknown == []
