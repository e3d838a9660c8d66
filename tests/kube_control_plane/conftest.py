"""Start one build per release for all tests, since builds keep no state between requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.kube_control_plane.builds import RELEASES, Admission, chosen, running


@pytest.fixture(scope="session")
def _running() -> Iterator[tuple[ExitStack, dict[str, Admission]]]:
    with ExitStack() as stack:
        yield stack, {}


@pytest.fixture(params=chosen(RELEASES))
def admission(request: pytest.FixtureRequest, _running: tuple[ExitStack, dict[str, Admission]]) -> Admission:
    """Return the admission of each release."""
    stack, started = _running
    release: str = request.param
    if release not in started:
        started[release] = stack.enter_context(running(release))
    return started[release]
