"""`--ask-again`: answers that depend on earlier questions, on the order of objects, or on names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.allocate.variants import with_variants
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.json_values import Json
from tests.reference.textbook import Textbook
from tests.support.rows import mostly_slow


class RefusesASecondTime(Textbook):
    def __init__(self) -> None:
        self.seen: set[str] = set()

    def allocate(self, objects: Json, ask: Json, profile: Any) -> Json:
        question = repr((objects, ask))
        if question in self.seen:
            return {"outcome": "unallocatable"}
        self.seen.add(question)
        return super().allocate(objects, ask, profile)


class LooksAtTheLastSliceOnly(Textbook):
    """The needed device happens to come last."""

    def allocate(self, objects: Json, ask: Json, profile: Any) -> Json:
        slices = objects["resourceSlices"]
        if len(slices) > 1 and slices[0]["metadata"]["name"] > slices[-1]["metadata"]["name"]:
            return {"outcome": "unallocatable"}
        return super().allocate(objects, ask, profile)


class KnowsADeviceByItsName(Textbook):
    def allocate(self, objects: Json, ask: Json, profile: Any) -> Json:
        names = {device["name"] for one in objects["resourceSlices"] for device in one["spec"]["devices"]}
        return (
            super().allocate(objects, ask, profile)
            if "device-0" not in names
            else {"outcome": "unallocatable"}
        )


class KnowsAClaimByItsName(Textbook):
    def allocate(self, objects: Json, ask: Json, profile: Any) -> Json:
        known = all(not one.endswith("/claim-0") for one in ask["claims"])
        return super().allocate(objects, ask, profile) if known else {"outcome": "unallocatable"}


@pytest.mark.parametrize(
    "allocator",
    mostly_slow(
        [LooksAtTheLastSliceOnly, KnowsADeviceByItsName, KnowsAClaimByItsName, RefusesASecondTime], 3
    ),
)
def test_dependence_on_order_or_names_fails(shipped_suite: LoadedSuite, allocator: type[Textbook]) -> None:
    assert Verdict.FAIL in _verdicts(shipped_suite, allocator)


def test_a_correct_allocator_passes(shipped_suite: LoadedSuite) -> None:
    assert set(_verdicts(shipped_suite, Textbook)) == {Verdict.PASS}


def test_only_names_change_in_profiles_of_releases(shipped_suite: LoadedSuite) -> None:
    [case, *_] = select(shipped_suite.cases, "operation:allocate")
    assert len(list(with_variants([case], "kubernetes-1.35"))) == 3


def _verdicts(suite: LoadedSuite, allocator: type[Textbook]) -> Sequence[Verdict]:
    pools = applicable(select(suite.cases, "id:dra/pools/* or id:dra/generations/*"), "kep")
    cases = list(with_variants((one for one in pools if one.operation == "allocate"), "kep"))
    implementation = InProcessImplementation(allocator, spec=allocator.__name__)
    events = run(implementation, suite.as_suite(), cases, settings=Settings())
    return [event.result.verdict for event in events if isinstance(event, CaseFinished)]
