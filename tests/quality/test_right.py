"""Correct implementations pass the suite, however they differ from the built-in.

A failure shows a case that demands what no document says, or an implementation that is not correct.
"""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.running import results
from tests.right import (
    allocators,
    api_servers,
    cluster_orders,
    cluster_reports,
    clusters,
    counters,
    empty_fields,
    schedulers,
)
from tests.right.request_names import OtherRequestNames
from tests.support.rows import mostly_slow

NO_LOG = "log not reported; the rest of the answer is correct"
"""The detail of cases about the log of the scheduler, if the simulation asks another allocator."""

AGAINST_RECOMMENDATIONS = (
    allocators.CountsAdminAccess,
    clusters.TakesTheWorstNode,
    # These give a claim that is allocated again the share ID that it had.
    clusters.TakesTheLastDevice,
    clusters.TakesTheSmallestDevice,
    clusters.TakesAnyDevice,
    clusters.TakesAnotherDevice,
    clusters.DecidesOpenPointsDifferently,
)
"""These do otherwise than a document recommends, and fail cases that cover only recommendations."""


@pytest.mark.parametrize(
    "implementation",
    [
        *mostly_slow(api_servers.RIGHT),
        *counters.RIGHT,
        *mostly_slow(schedulers.RIGHT),
        *mostly_slow(
            [
                *allocators.RIGHT,
                *clusters.RIGHT,
                *cluster_orders.RIGHT,
                *cluster_reports.RIGHT,
                *empty_fields.RIGHT,
                OtherRequestNames,
            ],
            0,
        ),
    ],
    ids=lambda implementation: f"{implementation.operations[0]}-{implementation.__name__}",
)
def test_a_correct_implementation_passes(shipped_suite: LoadedSuite, implementation: type) -> None:
    [operation] = implementation.operations
    case_results = results(shipped_suite, implementation, operation)
    follows_recommendations = (
        operation in ("allocate", "cluster") and implementation not in AGAINST_RECOMMENDATIONS
    )
    failures = [
        (result.case.id, result.detail, result.findings)
        for result in case_results
        if result.verdict not in (Verdict.PASS, Verdict.OPTIONAL)
        and result.detail != NO_LOG
        and (follows_recommendations or not result.only_recommended)
    ]
    assert len(case_results) > 50
    assert failures == []
