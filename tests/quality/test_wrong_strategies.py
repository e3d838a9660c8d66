"""Faulty API servers fail a case of the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations import nested_fields, strategies, updates_and_versions
from tests.faulty.implementations.running import KEP_AND_RELEASE, passes, verdicts
from tests.faulty.implementations.strategies import ApiServer

WRONG = strategies.WRONG | updates_and_versions.WRONG | nested_fields.WRONG


@pytest.mark.parametrize(
    ("server", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_faulty_api_server_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, server: type[ApiServer], requirement: str
) -> None:
    assert passes(ApiServer, "admit", requirement)
    faulty = verdicts(shipped_suite, server, "admit", requirement, KEP_AND_RELEASE)
    assert faulty - {Verdict.PASS} == {Verdict.FAIL}
