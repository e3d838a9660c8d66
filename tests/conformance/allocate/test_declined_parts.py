"""Declined parts of a result: the rest is judged, and the verdict is unsupported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.implementation import Identity, Reply, Request, Status
from dra_conform.conformance.judging import judged
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.profile import KEP, Profile
from tests.support.conformance.allocate.judging import allocated, case_of, share
from tests.support.conformance.allocate.trials import only_on

GIVEN = "[{devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}]}, {resourceClaim: {name: c, capacity: {bw: 3}}}]"
ALLOCATED = "[{allocated: c}]"
SHARED = "[{allocatedExactly: {resourceClaim: c, results: [{device: d, shareID: true}]}}]"
CONSUMES = "[{consumes: {resourceClaim: c, capacity: {bw: 3}}}]"
RIGHT = share("d", bw="3")
WITHOUT_ID = {name: value for name, value in RIGHT.items() if name != "shareID"}
WITHOUT_CONSUMED = {name: value for name, value in RIGHT.items() if name != "consumedCapacity"}
HERE = only_on(allocated(RIGHT), "node-1")
EVERYWHERE = allocated(RIGHT)


def verdict(then: str, answer: AllocationAnswer, *declined: str) -> tuple[Verdict, str]:
    case = case_of(GIVEN, then=then)
    identity = Identity("trial", "1", features=dict.fromkeys(declined, "none"))
    profile = Profile.named(KEP)
    request = Request(1, case.id, case.operation, profile, case.objects, case.ask)
    result = judged(case, request, Reply(1, Status.OK, answer), identity, KEP)
    return result.verdict, result.detail


@pytest.mark.parametrize(
    ("then", "answer", "declined", "expected"),
    [
        (ALLOCATED, only_on(allocated(WITHOUT_ID), "node-1"), "share-id", Verdict.PASS),
        (SHARED, only_on(allocated(WITHOUT_ID), "node-1"), "share-id", Verdict.UNSUPPORTED),
        (CONSUMES, only_on(allocated(WITHOUT_ID), "node-1"), "share-id", Verdict.PASS),
        (ALLOCATED, only_on(allocated(WITHOUT_CONSUMED), "node-1"), "consumed-capacity", Verdict.PASS),
        (CONSUMES, only_on(allocated(WITHOUT_CONSUMED), "node-1"), "consumed-capacity", Verdict.UNSUPPORTED),
        (ALLOCATED, EVERYWHERE, "node-selector", Verdict.PASS),
        (
            "[{availableOn: {resourceClaim: c, nodes: [node-1]}}]",
            EVERYWHERE,
            "node-selector",
            Verdict.UNSUPPORTED,
        ),
    ],
)
def test_declined_parts(then: str, answer: AllocationAnswer, declined: str, expected: Verdict) -> None:
    assert verdict(then, answer)[0] is Verdict.FAIL
    found, detail = verdict(then, answer, declined)
    assert found is expected
    if expected is Verdict.UNSUPPORTED:
        assert detail == f"feature {declined} is declared as not supported; the rest of the answer is correct"


def test_other_errors_still_fail() -> None:
    other = replace(HERE, allocations={"default/c": allocated(share("x", bw="3")).allocations["default/c"]})
    assert verdict(ALLOCATED, other, *RESULT_PARTS)[0] is Verdict.FAIL


def test_the_absence_of_a_field_is_still_demanded() -> None:
    then = "[{allocatedExactly: {resourceClaim: c, results: [{device: d, shareID: false}]}}]"
    assert verdict(then, HERE, "share-id")[0] is Verdict.FAIL
