"""The first cause of a report names the requirement that a faulty implementation violates.

The implementations are twenty that were drawn at random: twelve of `implementations/allocators.py`, whose
violated requirement is known, and eight of `changed_builtin`, whose requirements were written here before the
first run.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median

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
from tests.faulty.changed_builtin.faulty_allocator import FaultyBuiltin
from tests.faulty.implementations.allocators import WRONG
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


def _changed(name: str) -> Callable[[], object]:
    return partial(FaultyBuiltin, _CHANGED[name])


def _causes(
    suite: LoadedSuite, make: Callable[[], object], wanted: Callable[[Case], bool] = lambda case: True
) -> tuple[Cause, ...]:
    cases = [case for case in suite.cases if case.operation == "allocate" and wanted(case)]
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
