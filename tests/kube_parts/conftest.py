"""One running build a release for all tests: a build keeps nothing between questions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.adapter_process import AdapterProcess
from tests.support.kube_parts.builds import RELEASES, chosen, running


@pytest.fixture(scope="module", params=chosen(RELEASES))
def parts(request: pytest.FixtureRequest) -> Iterator[tuple[str, AdapterProcess]]:
    """Each release with its build."""
    with running(request.param) as found:
        yield request.param, found
