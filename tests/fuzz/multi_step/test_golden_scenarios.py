"""Golden cases of counterexamples from campaigns that belong to no requirement."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.conformance.verdict import Verdict

FOUND = [
    case
    for path in sorted((Path(__file__).parent / "found").glob("*.yaml"))
    for case in golden_cases(path.read_text(), f"golden/dra/{path.name}", lambda _: ())
]
PROFILES = ("kubernetes-1.36", "kubernetes-1.37")


@pytest.mark.parametrize("case", FOUND, ids=lambda case: case.id)
def test_the_built_in_behaves_like_real_clusters(case: Case) -> None:
    for profile in PROFILES:
        for case_ in applicable([case], profile):
            built_in = open_implementation("builtin", limits=Limits())
            events = run(built_in, Suite("found", "1", "sha256:0"), [case_], settings=Settings(profile))
            [finished] = [event for event in events if isinstance(event, CaseFinished)]
            assert finished.result.verdict is Verdict.PASS, (profile, finished.result)
