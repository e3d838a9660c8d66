"""What tests of several areas share: the shipped suite, and how much hypothesis draws."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.garbage_collection import collect_less, without_garbage_collection
from tests.support import shipped
from tests.support.draws import register_profiles

register_profiles()

os.environ["XDG_CACHE_HOME"] = str(Path(tempfile.gettempdir()) / "dra-conform-tests")
"""One cache for all processes of the tests, apart from that of the user."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Suspend garbage collection while tests are collected; then exempt the tests from it."""
    with without_garbage_collection():
        collected = yield
    collect_less()
    return collected


@pytest.fixture(scope="session")
def shipped_suite() -> LoadedSuite:
    """The suite that dra-conform ships."""
    return shipped.shipped_suite()
