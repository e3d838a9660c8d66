"""The first cause of a report names the requirement that a faulty implementation violates.

The implementations are twenty that were drawn at random: twelve of `implementations/allocators.py`, whose
violated requirement is known, and eight of `changed_builtin`, whose requirements were written here before the
first run. Further faults are in base features and in other operations.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.suite.selection import matches_glob
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.json_values import Json
from dra_conform.reports.causes import Cause, causes
from tests.faulty.changed_builtin.catalogue import FAULTY_ALLOCATORS
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, FaultyBuiltin, World, requests_of
from tests.faulty.implementations.allocators import WRONG
from tests.faulty.implementations.counters import CountsUsageOfClaims
from tests.faulty.implementations.footprints import (
    ForgetsClaimsOfInitContainers,
    ForgetsUnusedClaims,
    RoundsUp,
)
from tests.faulty.implementations.strategies import IgnoresNamespaceLabels, StoresEveryStringAsQuantity
from tests.reference.textbook import Taken, Textbook
from tests.reference.textbook_world import Device
from tests.support.all_faults import only_with_all_faults

REQUIREMENTS: Mapping[str, tuple[str, ...]] = {
    "ComparesWithTheLatest": ("KEP-5963/rolling-intersection/*",),
    "AllocatesFewerThanTheCount": ("DRA/allocation-mode/exact-count",),
    "NeverBacktracksSubrequests": ("DRA/prioritized-list/with-other-requests",),
    "IgnoresGroupsWhenOff": ("KEP-5963/feature-gate/off-skips-declaring-devices",),
    "ForgetsTheClass": ("DRA/class/*",),
    "DistinctUnlessEqual": ("API/attribute/lists-distinct",),
    "ComparesWithTotal": ("KEP-5075/capacity-accounting/*",),
    "IgnoresStep": ("KEP-5075/rounding/step-up",),
    "MixesDrivers": ("DRA/pool/identity-by-driver-and-name",),
    "RoundsDown": ("KEP-5075/rounding/step-up",),
    "UsesObsoleteGenerations": ("DRA/pool/highest-generation-only",),
    "IgnoresNodes": ("DRA/node-access/node-name",),
    "slices with perDeviceNodeSelection do not exist": (
        "DRA/node-access/*",
        "DRA/pool/slices-for-different-nodes",
        "DRA/partitionable/devices-across-nodes",
    ),
    "configuration is sorted by request": ("DRA/claim/configuration-applies-to-pod",),
    "PCI addresses have no domain": ("DRA/selector/cel-on-attributes", "DRA/claim/constraints-limit-devices"),
    "selectors of DeviceClasses are ignored together with a count": ("DRA/class/*",),
    "a device whose driver reports it as not ready does not exist": (
        "DRA/device-status/not-used-for-decisions",
    ),
    "tolerations with operator Equal and effect NoSchedule are none": ("DRA/toleration/*",),
    "a string is split once": ("DRA/selector/cel-on-attributes",),
    "the second share of a device consumes nothing": ("KEP-5075/capacity-accounting/*",),
}
"""The violated requirements of each implementation, as globs."""

_ALLOCATORS = {allocator.__name__: allocator for allocator in WRONG}
_CHANGED = {faulty.name: faulty for faulty in FAULTY_ALLOCATORS}


def _all_takes_one(allocations: dict[str, Json], world: World) -> None:
    names = {
        request["name"]
        for claim in world.claims
        for request in requests_of(claim)
        if request.get("exactly", {}).get("allocationMode") == "All"
    }
    for allocation in allocations.values():
        results = allocation["devices"].get("results") or []
        first = {result["request"]: result for result in reversed(results)}
        kept = [each for each in results if each["request"] not in names or each is first[each["request"]]]
        allocation["devices"]["results"] = kept


def _one_counter_set(world: World) -> None:
    for device in world.devices:
        device["consumesCounters"] = (device.get("consumesCounters") or [])[:1]


def _forgets_no_execute(world: World) -> None:
    for device in world.devices:
        device["taints"] = [each for each in device.get("taints") or () if each["effect"] != "NoExecute"]


NEW: Mapping[str, tuple[FaultyAllocator, tuple[str, ...]]] = {
    faulty.name: (faulty, globs)
    for faulty, *globs in (
        (FaultyAllocator("All takes one device", changes_answer=_all_takes_one), "DRA/allocation-mode/*"),
        (FaultyAllocator("a device has one counter set", _one_counter_set), "DRA/partitionable/*"),
        (FaultyAllocator("NoExecute has no effect on devices", _forgets_no_execute), "DRA/taint/*"),
    )
}
"""Further faulty allocators, written from the documents alone, with globs of the violated requirements."""


def _changed(name: str) -> Callable[[], object]:
    return partial(FaultyBuiltin, _CHANGED[name])


def _causes(
    suite: LoadedSuite,
    make: Callable[[], object],
    wanted: Callable[[Case], bool] = lambda case: True,
    operation: str = "allocate",
) -> tuple[Cause, ...]:
    cases = [case for case in suite.cases if case.operation == operation and wanted(case)]
    cases = applicable(cases, "kep")
    opened = InProcessImplementation(make, spec="faulty")
    events = run(opened, suite.as_suite(), cases, settings=Settings())
    results: list[CaseResult] = [event.result for event in events if isinstance(event, CaseFinished)]
    return causes(results)


@only_with_all_faults
def test_the_first_cause_is_under_the_violated_requirement(shipped_suite: LoadedSuite) -> None:
    wrong, counts = [], []
    for name, globs in REQUIREMENTS.items():
        found = _causes(shipped_suite, _ALLOCATORS.get(name) or _changed(name))
        counts.append(len(found))
        if not any(matches_glob(found[0].requirement, glob) for glob in globs):
            wrong.append((name, found[0].requirement, found[0].message))
    assert len(wrong) <= 2, wrong
    assert median(counts) <= 3, counts


@only_with_all_faults
@pytest.mark.parametrize("name", NEW)
def test_the_first_cause_of_a_fault_in_a_base_feature(shipped_suite: LoadedSuite, name: str) -> None:
    faulty, globs = NEW[name]
    found = _causes(shipped_suite, lambda: FaultyBuiltin(faulty))
    assert any(matches_glob(found[0].requirement, glob) for glob in globs), found[0].message
    assert len(found) <= 4


OTHER_OPERATIONS: Mapping[type, tuple[str, str]] = {
    IgnoresNamespaceLabels: ("admit", "DRA/admin-access/*"),
    StoresEveryStringAsQuantity: ("admit", "API/*"),
    CountsUsageOfClaims: ("usage", "KEP-5517/accounting/quota-counts-spec-only"),
    ForgetsClaimsOfInitContainers: ("footprint", "KEP-5517/pod-footprint/init-containers-max-then-claims"),
    RoundsUp: ("footprint", "KEP-5517/mapping/fractional-multiplier"),
    ForgetsUnusedClaims: ("footprint", "KEP-5517/accounting/unreferenced-claim-still-counted"),
}


@only_with_all_faults
@pytest.mark.parametrize("faulty", OTHER_OPERATIONS)
def test_the_first_cause_in_other_operations(shipped_suite: LoadedSuite, faulty: type) -> None:
    operation, glob = OTHER_OPERATIONS[faulty]
    [first, *_] = _causes(shipped_suite, faulty, operation=operation)
    assert matches_glob(first.requirement, glob), first.message


class WithoutNodeSelector(Textbook):
    """Leaves nodeSelector out, as a first allocator does."""

    def node_selector(self, devices: Sequence[Device]) -> list[Json]:
        return []


class WithoutTaintsEither(WithoutNodeSelector):
    """Leaves nodeSelector out, and ignores taints."""

    def untolerated(self, device: Device, requested: Json) -> list[Json]:
        return []


class DeclaresNodeSelector(WithoutTaintsEither):
    features = {"node-selector": "none"}  # noqa: RUF012


class ShareIdsEverywhere(Textbook):
    """Records a share ID for exclusive devices, too."""

    def result(self, taken: Taken) -> Json:
        return {**super().result(taken), "shareID": str(uuid.uuid4())}


def _plain(case: Case) -> bool:
    return case.id.startswith(("dra/node-access/", "dra/taints/", "dra/counts/", "dra/claims/"))


def test_a_missing_node_selector_is_the_first_cause_and_once_declared_the_next_one_is(
    shipped_suite: LoadedSuite,
) -> None:
    [first, *others] = _causes(shipped_suite, WithoutTaintsEither, _plain)
    assert first.part == "node-selector"
    assert len(first.results) > sum(len(cause.results) for cause in others)
    assert {cause.requirement.split("/")[1] for cause in others} <= {"taint", "toleration"}
    first = _causes(shipped_suite, DeclaresNodeSelector, _plain)[0]
    assert first.requirement.startswith("DRA/taint/")


def test_share_ids_of_exclusive_devices_have_one_cause(shipped_suite: LoadedSuite) -> None:
    [cause] = _causes(shipped_suite, ShareIdsEverywhere, _plain)
    assert cause.requirements == (("KEP-5075/status/share-id-absent-for-dedicated", len(cause.results)),)
    assert not cause.example.case.not_admitted
