"""Schedulers under test on a real control plane: another release, one that is right, and five with a fault."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished, RunStarted
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.codec import plain
from dra_conform.kube.yaml import parse_yaml
from tests.support.adapters.control_plane.planes import build, build_faulty_scheduler, chosen
from tests.support.go_builds import ROOT

pytestmark = [pytest.mark.live, pytest.mark.slow]

VERSION, PROFILE = "v1.37.1", "kubernetes-1.37"
OLDER = "v1.36.3"
FILE = ROOT / "tools" / "kube-control-plane" / "faulty-scheduler" / "faults.yaml"

FAULTS = {
    "ignores-taints": "dra/tainted-devices-in-use/pod-tolerations-of-node-taints",
    "ignores-nodes": "dra/scheduling/wait-for-node-of-claim",
    "keeps-claims": "kep-5004/left-over-claims/node-cordoned-claim-replaced",
    "misses-slices": "dra/scheduling/device-published",
    "does-not-wait": "api/binding/two-claims-first-waits",
}
"""The only case of all these that a scheduler with the fault fails."""


@pytest.fixture(params=chosen((VERSION,)))
def version(request: pytest.FixtureRequest) -> str:
    version: str = request.param
    build(version)
    return version


def judged(spec: str, suite: LoadedSuite, expressions: Sequence[str]) -> tuple[str, list[CaseResult]]:
    """Return the name of the implementation and the results of the selected cases."""
    cases = applicable(select(suite.cases, " or ".join(f"id:{one}" for one in expressions)), PROFILE)
    events = list(
        run(open_implementation(spec), Suite("", "", ""), cases, settings=Settings(profile=PROFILE))
    )
    [started] = [event for event in events if isinstance(event, RunStarted)]
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    return started.implementation.name, results


def failures(results: Sequence[CaseResult]) -> dict[str, str]:
    return {one.case.id: one.detail for one in results if one.verdict is not Verdict.PASS}


def faulty_file(folder: Path, fault: str) -> str:
    """Write the control plane file of the faulty scheduler with a fault; return its spec."""
    [document] = parse_yaml(FILE.read_text(), str(FILE))
    content: dict[str, Any] = plain(document.value)
    component = content["components"]["scheduler"]
    program, *options = component["command"]
    component["command"] = [str(ROOT / program), *options[:-1], f"--fault={fault}"]
    path = folder / "control-plane.yaml"
    path.write_text(json.dumps(content))
    return f"kube:{path}"


@pytest.mark.usefixtures("version")
@pytest.mark.parametrize("fault", ["", *FAULTS])
def test_a_faulty_scheduler_fails_only_where_its_fault_shows(
    fault: str, tmp_path: Path, shipped_suite: LoadedSuite
) -> None:
    build_faulty_scheduler(VERSION)
    name, results = judged(faulty_file(tmp_path, fault), shipped_suite, [*FAULTS.values()])
    assert name == f"faulty-scheduler {VERSION} as scheduler of Kubernetes"
    assert {one.case.id for one in results} == {*FAULTS.values()}
    assert [*failures(results)] == ([FAULTS[fault]] if fault else [])


@pytest.mark.parametrize("older", chosen((OLDER,)))
def test_the_scheduler_of_an_older_release_runs_on_a_newer_api_server(
    older: str, version: str, shipped_suite: LoadedSuite
) -> None:
    command = [
        str(build(older)),
        "kube-scheduler",
        "--kubeconfig={kubeconfig}",
        "--leader-elect=false",
        "--authentication-skip-lookup",
        "--bind-address=127.0.0.1",
        "--secure-port={port}",
    ]
    spec = f"kube:{version},scheduler=exec:{' '.join(command)}"
    cases = ["dra/scheduling/device-published", "dra/scheduling/several-pods-one-claim", "dra/gate-cycles/*"]
    name, results = judged(spec, shipped_suite, [*cases, "dra/admin-access-admission/*"])
    assert name.endswith(" as scheduler of Kubernetes")
    verdicts = {one.case.id: one.verdict for one in results}
    assert verdicts["dra/scheduling/device-published"] is Verdict.PASS
    assert verdicts["dra/scheduling/several-pods-one-claim"] is Verdict.PASS
    assert {*failures(results).values()} <= {
        "the implementation does not declare operation admit",
        "the scenario judges nothing that the scheduler decides",
    } | {detail for detail in failures(results).values() if "takes no feature gates" in detail}


def test_a_scheduler_that_ends_costs_its_verdicts_and_not_the_run(
    version: str, shipped_suite: LoadedSuite
) -> None:
    command = "sh -c 'echo cannot reach {server}; exit 7'"
    cases = ["dra/scheduling/device-published", "dra/scheduling/several-pods-one-claim"]
    _, results = judged(f"kube:{version},scheduler=exec:{command}", shipped_suite, cases)
    assert {one.verdict for one in results} == {Verdict.CRASH}
    assert "scheduler sh: ended with exit code 7 before it was ready" in results[0].detail
    assert "cannot reach https://127.0.0.1:" in results[0].log
