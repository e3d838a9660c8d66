"""The ledgers of the shipped suite name cases and requirements that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.suite.folders import shipped
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.suite.selection import matches_glob
from dra_conform.reports.ledger import UNEXPLAINED, read_ledger
from dra_conform.reports.published_ledgers import FOLDER, published_ledgers

FILES = sorted((shipped() / FOLDER).rglob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_entry_names_cases_of_the_suite_and_a_reason(file: Path, shipped_suite: LoadedSuite) -> None:
    requirements = {requirement.id for requirement in shipped_suite.catalogue}
    for group in read_ledger(str(file)).groups:
        assert group.reason != UNEXPLAINED
        for name in (*group.cases, *(pattern.case for pattern in group.matching if pattern.case)):
            assert any(matches_glob(case.id, name) for case in shipped_suite.cases), name
        assert {pattern.requirement for pattern in group.matching} <= {"", *requirements}


@pytest.mark.parametrize(
    ("name", "version", "found"),
    [
        ("kube-scheduler allocator", "v0.36.6 auto", True),
        ("kube-scheduler allocator", "v0.36.6 stable", False),
        ("..", "x" * 100_000, False),
    ],
)
def test_a_ledger_belongs_to_one_version(name: str, version: str, found: bool) -> None:
    ledger = published_ledgers(shipped(), lambda case: case)(Identity(name, version))
    assert (ledger is not None) == found
