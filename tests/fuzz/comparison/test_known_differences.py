"""Known differences are counted by reason, and do not hide other differences."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.verdict import Finding
from dra_conform.fuzz.comparison.difference import Difference, DifferenceKind, Side
from dra_conform.fuzz.comparison.known_differences import why_allocations_differ
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile
from tests.support.conformance.suite.writing import GOLDEN, golden

CAPACITY, CONSTRAINT, ALL = "consumed-capacity-complete", "constraints-hold", "all-devices-allocated"


def _difference(kind: DifferenceKind, *rules: str) -> Difference:
    reply = Reply(0, Status.OK, AllocationAnswer(Outcome.ALLOCATED))
    return Difference(kind, (Side(reply), Side(reply, tuple(Finding(rule, "") for rule in rules))))


@pytest.mark.parametrize(
    ("amount", "profile", "difference", "why"),
    [
        (
            "9223372036854775807",
            "kubernetes-1.36",
            _difference(DifferenceKind.INVALID, CAPACITY),
            "wrap around",
        ),
        ("8Ei", "kubernetes-1.34", _difference(DifferenceKind.OUTCOME), "wrap around"),
        (
            "1073741823999999999n",
            "kubernetes-1.36",
            _difference(DifferenceKind.OUTCOME),
            "grows with each comparison",
        ),
        ("-5", "kubernetes-1.36", _difference(DifferenceKind.OUTCOME), "negative request"),
        ("-5", "kubernetes-1.36", _difference(DifferenceKind.INVALID, ALL), "negative request"),
        ("8Ei", "kubernetes-1.36", _difference(DifferenceKind.INVALID, ALL), ""),
        ("-5", "kubernetes-1.37", _difference(DifferenceKind.OUTCOME), ""),
        ("9223372036854775807", "kubernetes-1.37", _difference(DifferenceKind.OUTCOME), ""),
        ("9223372036854775807", "kep", _difference(DifferenceKind.OUTCOME), ""),
        ("9223372036854775807", "kubernetes-1.36", _difference(DifferenceKind.FAULT), ""),
        ("8Ei", "kubernetes-1.34", _difference(DifferenceKind.FAULT), "panics"),
        ("1", "kubernetes-1.34", _difference(DifferenceKind.FAULT), ""),
        ("9223372036854775807", "kubernetes-1.36", _difference(DifferenceKind.INVALID, CONSTRAINT), ""),
        ("1000000000000", "kubernetes-1.36", _difference(DifferenceKind.OUTCOME), ""),
    ],
)
def test_known_by_the_requested_quantity(amount: str, profile: str, difference: Difference, why: str) -> None:
    (case,) = golden(
        GOLDEN.replace("capacity: {bw: 3}}\n    when", f"capacity: {{bw: {amount}}}}}\n    when")
    )
    scenario = Scenario(case.objects, case.ask["node"], tuple(case.ask["claims"]), case.gates)
    found = why_allocations_differ(scenario, Profile.named(profile), difference)
    assert why in found
    assert bool(why) is bool(found)
