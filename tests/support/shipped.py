"""The suite that dra-conform ships, loaded once a process."""

from __future__ import annotations

from functools import cache

from dra_conform.conformance.suite.loading import LoadedSuite, load_suite


@cache
def shipped_suite() -> LoadedSuite:
    """Return the shipped suite."""
    return load_suite(cached=True)
