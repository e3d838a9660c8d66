"""Start one build per release for all tests, since builds keep no state between requests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.adapter_process import AdapterProcess
from tests.support.kube_parts.builds import RELEASES, chosen, running


@pytest.fixture(scope="module", params=chosen(RELEASES))
def parts(request: pytest.FixtureRequest) -> Iterator[tuple[str, AdapterProcess]]:
    """Return each release with its build."""
    with running(request.param) as found:
        yield request.param, found
