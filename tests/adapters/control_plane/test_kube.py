"""`kube:` asks a real control plane: every operation, gates that differ, and what it cannot be asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Implementation, Suite
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.adapters.control_plane.planes import RELEASES, build, chosen

pytestmark = pytest.mark.live


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


def test_writes_allocations_and_stories_of_one_run(
    kube: Implementation, version: str, shipped_suite: LoadedSuite
) -> None:
    expression = (
        "dra/admin-access-admission/* or dra/api-versions/* "
        "or dra/pools/* or dra/taint-rules/* or dra/claim-lifetime/a-pod-waits*"
    )
    found = results(kube, shipped_suite, version, expression)
    assert {one.case.operation for one in found} == {"admit", "allocate", "cluster"}
    assert {
        one.case.id: one.detail for one in found if one.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED)
    } == {}
    assert sum(one.verdict is Verdict.PASS for one in found) > 0.9 * len(found)


def test_components_start_again_with_the_gates_of_a_case(
    kube: Implementation, version: str, shipped_suite: LoadedSuite
) -> None:
    """With a gate off, what was written while it was on is still in the store."""
    found = results(kube, shipped_suite, version, "kep-5075/feature-gate/* and operation:allocate")
    switched = [one for one in found if one.case.gates]
    assert switched
    assert {one.case.id: one.findings for one in found if one.verdict is Verdict.FAIL} == {}


def test_what_an_api_server_refuses_cannot_be_asked(
    kube: Implementation, version: str, shipped_suite: LoadedSuite
) -> None:
    [one] = results(
        kube, shipped_suite, version, "dra/allocation-mode/a-request-with-an-unknown-allocation-mode*"
    )
    assert one.verdict is Verdict.UNSUPPORTED
    assert one.detail.startswith("the API server refuses ResourceClaim c: ")


def test_another_release_is_not_asked(kube: Implementation, shipped_suite: LoadedSuite) -> None:
    [one] = results(
        kube, shipped_suite, "v1.34.4", "dra/pools/a-pool-in-which-a-device-name-occurs-twice-gives*"
    )
    assert (one.verdict, one.detail[:18]) == (Verdict.UNSUPPORTED, "this is Kubernetes")
