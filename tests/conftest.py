"""What tests of several areas share: the shipped suite, and how much hypothesis draws."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.support import shipped
from tests.support.draws import register_profiles

register_profiles()


@pytest.fixture(scope="session")
def shipped_suite() -> LoadedSuite:
    """The suite that dra-conform ships."""
    return shipped.shipped_suite()
