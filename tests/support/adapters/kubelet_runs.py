"""Runs of the kubelet suite on kubelets of `tests.faulty.kubelets` and `tests.right.kubelets`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from dra_conform.adapters.kubelet.implementation import KubeletImplementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.support.conformance.runs import results_by_case

ROOT = Path(__file__).resolve().parents[3]
_TOGETHER = 4
"""The number of cases that are run at the same time until one fails."""


def faulty_kubelet(name: str) -> str:
    """Return the command line of a kubelet of `tests.faulty.kubelets`."""
    return _command("tests.faulty.kubelets", name)


def correct_kubelet(name: str) -> str:
    """Return the command line of a kubelet of `tests.right.kubelets`."""
    return _command("tests.right.kubelets", name)


def _command(module: str, name: str) -> str:
    path = os.pathsep.join((str(ROOT), *filter(None, sys.path)))
    return shlex.join(("env", f"PYTHONPATH={path}", sys.executable, "-P", "-m", module, name))


def judged(command: str, cases: Sequence[Case]) -> dict[str, CaseResult]:
    """Judge a kubelet by its command line, and return the results by case."""
    return results_by_case(KubeletImplementation(command, spec=f"kubelet:exec:{command}"), cases)


def fails(command: str, cases: Sequence[Case]) -> bool:
    """Return whether a case fails. A few cases are run at the same time, and none after those."""
    return any(
        result.verdict is Verdict.FAIL
        for first in range(0, len(cases), _TOGETHER)
        for result in judged(command, cases[first : first + _TOGETHER]).values()
    )
