"""A difference is known only if its reason explains all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.fuzz.multi_step.known_cluster_differences import why_known
from dra_conform.fuzz.multi_step.step_difference import (
    MISSING,
    Disagreement,
    StepDifference,
    StepDifferenceKind,
)

CLAIM = Disagreement("", "there it is", MISSING, "ResourceClaim default/t0 of pod default/p2")
STATUS = Disagreement("status.resourceClaimStatuses", [{"name": "t0"}], MISSING, "Pod default/p2")
QUOTA = Disagreement("status.used[pods]", "3", "1", "ResourceQuota default/r0")
OTHER = Disagreement("", "there it is", MISSING, "ResourceClaim default/t0 of pod default/p1")


@pytest.mark.parametrize(
    ("found", "known"),
    [
        ((CLAIM, STATUS, QUOTA), True),
        ((CLAIM, STATUS), False),
        ((CLAIM, QUOTA), False),
        ((OTHER, STATUS, QUOTA), False),
    ],
)
def test_a_claim_that_a_quota_delayed(found: tuple[Disagreement, ...], known: bool) -> None:
    difference = StepDifference(StepDifferenceKind.STATE, 3, "settle", "the cluster", found)
    assert bool(why_known(difference)) is known


MINE = Disagreement("spec.nodeName", "left", MISSING, "Pod default/p1")
THEIRS = Disagreement("spec.nodeName", MISSING, "left", "Pod default/p3")
RUNS = Disagreement("status.phase", "Running", "Pending", "Pod default/p1")
MADE = Disagreement("", "there it is", MISSING, "ResourceClaim default/extended resources of pod default/p1")
HELD = Disagreement("metadata.finalizers", MISSING, ["held"], "ResourceClaim default/r0")
ALSO_MINE = Disagreement("spec.nodeName", "left", MISSING, "Pod default/p2")
ELSEWHERE = Disagreement("spec.nodeName", "left", "right", "Pod default/p4")
OF_ANOTHER = Disagreement("status.phase", "Running", "Pending", "Pod default/p4")
LABELS = Disagreement("metadata.labels", {"a": "b"}, MISSING, "ResourceClaim default/r0")


@pytest.mark.parametrize(
    ("found", "known"),
    [
        ((MINE, THEIRS), True),
        ((MINE, THEIRS, RUNS, MADE, HELD, QUOTA), True),
        ((MINE, RUNS, MADE), False),
        ((MINE, ALSO_MINE, THEIRS), False),
        ((MINE, THEIRS, ELSEWHERE), False),
        ((MINE, THEIRS, OF_ANOTHER), False),
        ((MINE, THEIRS, LABELS), False),
    ],
)
def test_another_pending_pod_is_allocated(found: tuple[Disagreement, ...], known: bool) -> None:
    difference = StepDifference(StepDifferenceKind.STATE, 13, "settle", "the cluster", found)
    assert bool(why_known(difference)) is known


ELSEWHERE = Disagreement("", MISSING, "there it is", "ResourceClaim default/t0 of pod default/p1")


@pytest.mark.parametrize(
    ("found", "known"),
    [
        ((CLAIM, ELSEWHERE), True),
        ((CLAIM, STATUS, ELSEWHERE), True),
        ((CLAIM,), False),
        ((STATUS,), False),
        ((CLAIM, ELSEWHERE, replace(STATUS, of="Pod default/p3")), False),
        ((CLAIM, ELSEWHERE, replace(STATUS, path="status.phase")), False),
    ],
    ids=["claims", "claims-and-status", "one-more-claim", "no-claim", "third-pod", "other-field"],
)
def test_a_quota_allows_the_claim_of_another_pod(found: tuple[Disagreement, ...], known: bool) -> None:
    difference = StepDifference(StepDifferenceKind.STATE, 9, "settle", "the cluster", found)
    assert bool(why_known(difference)) is known
