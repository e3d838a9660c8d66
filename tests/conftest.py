"""What tests of several areas share."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite, load_suite


@pytest.fixture(scope="session")
def shipped_suite() -> LoadedSuite:
    """The suite that dra-conform ships, loaded once: it takes more than a second."""
    return load_suite()
