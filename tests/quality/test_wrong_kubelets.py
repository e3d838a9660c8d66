"""Faulty kubelets fail cases of the requirements that they violate."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.kubelets.catalogue import FAULTS
from tests.support.adapters.kubelet_runs import fails, faulty_kubelet, judged
from tests.support.all_faults import tried

UNRELATED = "kubelet/devices/before-prepare"
"""A case that a faulty kubelet passes, so that its fault is more than a crash."""


@pytest.mark.slow
@pytest.mark.parametrize("name", tried(FAULTS))
def test_a_faulty_kubelet_fails_its_requirement(name: str, shipped_suite: LoadedSuite) -> None:
    requirement = FAULTS[name].requirement
    cases = [case for case in shipped_suite.cases if requirement in case.requirements]
    unrelated = [case for case in shipped_suite.cases if case.id == UNRELATED and case not in cases]
    kubelet = faulty_kubelet(name)
    assert fails(kubelet, cases)
    assert {result.verdict for result in judged(kubelet, unrelated).values()} <= {Verdict.PASS}


def test_every_fault_can_be_applied() -> None:
    """Each fault is applied in a process of its own, because it changes modules."""
    done = subprocess.run([sys.executable, "-c", _APPLY_ALL], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


_APPLY_ALL = """
import os
from tests.faulty.kubelets.catalogue import FAULTS
for name, fault in FAULTS.items():
    if not (process := os.fork()):
        try:
            fault.apply()
        except Exception as error:
            print(name, error, flush=True)
        os._exit(0)
    os.waitpid(process, 0)
"""


def test_every_requirement_has_a_faulty_kubelet(shipped_suite: LoadedSuite) -> None:
    shown = {
        requirement.id
        for requirement in shipped_suite.catalogue
        if requirement.document == "KUBELET" and not requirement.untestable
    }
    violated = {fault.requirement for fault in FAULTS.values()}
    assert shown - UNFAULTY == {requirement for requirement in violated if requirement.startswith("KUBELET/")}


UNFAULTY = {
    "KUBELET/restart/no-api-server",
    "KUBELET/devices/no-status",
}
"""Requirements without a fault of their own: a kubelet that violates them fails nearly every case, or cannot."""
