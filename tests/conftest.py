"""The fixture that tests of several areas share."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.support import shipped


@pytest.fixture(scope="session")
def shipped_suite() -> LoadedSuite:
    """The suite that dra-conform ships."""
    return shipped.shipped_suite()
