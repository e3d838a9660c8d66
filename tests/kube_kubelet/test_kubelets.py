"""The kubelets of releases pass the suite in the profiles of their releases, but for known deviations."""

from __future__ import annotations

import pytest

from dra_conform.adapters.kubelet.implementation import KubeletImplementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.support.go_builds import Builds

pytestmark = pytest.mark.slow

RELEASES = ("v1.34.4", "v1.35.4", "v1.36.3", "v1.37.1")
BUILDS = Builds("kube-control-plane", "kube-kubelet", "KUBE_KUBELET_BUILDS")


@pytest.mark.parametrize("release", BUILDS.chosen(RELEASES))
def test_the_cases_of_the_suite_pass(release: str, shipped_suite: LoadedSuite) -> None:
    kubelet = KubeletImplementation(str(BUILDS.build(release)), spec=f"kubelet:exec:kube-kubelet-{release}")
    settings = Settings(profile=f"kubernetes-{release[1:].rpartition('.')[0]}")
    cases = [case for case in shipped_suite.cases if case.operation == "kubelet"]
    chosen = applicable(cases, settings.profile)
    assert len(chosen) > 55
    events = run(kubelet, shipped_suite.as_suite(), chosen, settings=settings)
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    wrong = [one for one in results if one.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED)]
    assert {one.case.id: one.findings for one in wrong} == {}
    unsupported = [one.detail for one in results if one.verdict is Verdict.UNSUPPORTED]
    assert all(f"{settings.profile} has no feature gate " in detail for detail in unsupported)
