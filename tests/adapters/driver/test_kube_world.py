"""The reference driver on a real API server has the verdicts that it has on the simulated one."""

from __future__ import annotations

import pytest

from dra_conform.adapters.specs import BadSpec, files_of, open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from tests.support.adapters.control_plane.planes import build, chosen

WORLDS = {
    "driver:reference,world=": "has the world ''",
    "driver:reference,world=kube": "has the world 'kube'",
    "driver:reference,world=kube:1.37": "has the world 'kube:1.37'",
    "driver:reference,world=v1.37.1": "has the world 'v1.37.1'",
    "driver:,world=kube:v1.37.1": "is incomplete",
}


@pytest.mark.parametrize("spec", WORLDS)
def test_a_malformed_world_is_explained(spec: str) -> None:
    with pytest.raises(BadSpec, match=WORLDS[spec]):
        open_implementation(spec)


def test_the_world_is_no_part_of_the_file_name() -> None:
    assert [str(path) for path in files_of("driver:a/driver.yaml,world=kube:v1.37.1")] == ["a/driver.yaml"]


def verdicts(spec: str, suite: LoadedSuite) -> dict[str, str]:
    cases = [case for case in applicable(suite.cases, "kep") if case.operation == "driver"]
    implementation = open_implementation(spec)
    events = run(implementation, Suite("", "", ""), cases, settings=Settings())
    return {
        event.result.case.id: str(event.result.verdict) for event in events if isinstance(event, CaseFinished)
    }


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.parametrize("version", chosen(("v1.37.1",)))
def test_the_reference_driver_passes_on_a_real_api_server(version: str, shipped_suite: LoadedSuite) -> None:
    build(version)
    found = verdicts(f"driver:reference,world=kube:{version}", shipped_suite)
    assert len(found) > 80
    assert {case: verdict for case, verdict in found.items() if verdict != "pass"} == {}
