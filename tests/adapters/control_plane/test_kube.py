"""`kube:` on a real control plane: every operation, different gates, and unsupported requests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from dra_conform.adapters.control_plane import component_supervisor
from dra_conform.adapters.live.settling import Settling
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Implementation, Suite
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.support.adapters.control_plane.planes import RELEASES, build, chosen

pytestmark = [pytest.mark.live, pytest.mark.slow]


@pytest.fixture(params=chosen(RELEASES)[-1:])
def version(request: pytest.FixtureRequest) -> str:
    version: str = request.param
    build(version)
    return version


@pytest.fixture
def kube(version: str) -> Iterator[Implementation]:
    opened = open_implementation(f"kube:{version}")
    yield opened
    opened.close()


def results(kube: Implementation, suite: LoadedSuite, version: str, expression: str) -> list[CaseResult]:
    profile = f"kubernetes-{version[1:].rpartition('.')[0]}"
    cases = applicable(select(suite.cases, expression), profile)
    events = run(kube, Suite("", "", ""), cases, settings=Settings(profile=profile))
    return [event.result for event in events if isinstance(event, CaseFinished)]


def test_one_run_has_writes_allocations_and_scenarios(
    kube: Implementation, version: str, shipped_suite: LoadedSuite
) -> None:
    """Components restart with other gates, and the objects written before are still stored."""
    found = results(
        kube,
        shipped_suite,
        version,
        "dra/admin-access-admission/* or dra/pools/duplicate-name* or dra/claim-lifetime/pod-waits-for-claim* "
        "or dra/allocation-mode/unknown-mode* "
        "or (kep-5075/feature-gate/* and operation:allocate)",
    )
    assert {one.case.operation for one in found} == {"admit", "allocate", "cluster"}
    assert len({tuple(one.case.gates.items()) for one in found}) > 1
    unsupported = {one.case.id: one.detail for one in found if one.verdict is Verdict.UNSUPPORTED}
    refused = "dra/allocation-mode/unknown-mode"
    assert unsupported.pop(refused).startswith("the API server rejects ResourceClaim c: ")
    assert all("the API server rejects" in detail for detail in unsupported.values())
    failed = [one for one in found if one.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED)]
    assert {one.case.id: one.detail or one.findings for one in failed} == {}


BY_HAND = {
    "compatibility groups": "kep-5963/scheduling/mig-and-vgpu-pod-pending*",
    "node-allocatable resources": "kep-5517/lifecycle/bound-pod-counts-once*",
    "taint eviction": "dra/tainted-devices-in-use/successor-pod-stays-pending*",
    "quota of a class": "kep-5004/quota/worked-example-with-deletions*",
    "writes that fail": "kep-5517/lifecycle/claim-write-fails*",
    "an extended resource": "kep-5004/class-selection/devices-of-class-allocated*",
}
"""Behaviour of 1.37 that was first seen manually, with the scenarios that show it; docs/live.md lists it."""


def test_cases_of_manually_checked_behaviour_pass(
    kube: Implementation, version: str, shipped_suite: LoadedSuite
) -> None:
    for what, pattern in BY_HAND.items():
        found = results(kube, shipped_suite, version, f"operation:cluster and id:{pattern}")
        assert found, what
        assert {one.case.id: one.verdict for one in found if one.verdict is not Verdict.PASS} == {}, what


def test_a_case_of_another_release_is_unsupported(kube: Implementation, shipped_suite: LoadedSuite) -> None:
    [one] = results(kube, shipped_suite, "v1.34.4", "dra/pools/duplicate-name-other-device")
    assert (one.verdict, one.detail[:33]) == (Verdict.UNSUPPORTED, "the control plane runs Kubernetes")


def kill_scheduler() -> None:
    """Kill the scheduler of the control plane of this process."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            supervisor = Path(f"/proc/{parent}/cmdline").read_bytes()
            starter = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if (
            b"kube-scheduler" in command
            and component_supervisor.__file__.encode() in supervisor
            and starter == os.getpid()
        ):
            os.kill(int(folder.name), signal.SIGKILL)


def test_a_scheduler_that_ends_in_a_scenario_is_a_crash(
    kube: Implementation, version: str, shipped_suite: LoadedSuite, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle = Settling.settle

    def kill_and_settle(settling: Settling) -> None:
        kill_scheduler()
        settle(settling)

    with monkeypatch.context() as patched:
        patched.setattr(Settling, "settle", kill_and_settle)
        [one] = results(kube, shipped_suite, version, "dra/scheduling/several-pods-one-claim")
    assert (one.verdict, one.detail) == (Verdict.CRASH, "the scheduler ended with signal 9")
    [one] = results(kube, shipped_suite, version, "dra/scheduling/several-pods-one-claim")
    assert one.verdict is Verdict.PASS
