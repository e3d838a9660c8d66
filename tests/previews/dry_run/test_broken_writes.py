"""Randomly broken manifests: each write has an answer, and every reported line exists."""

from __future__ import annotations

import json
import random

import pytest

from dra_conform.cli.admit import table
from dra_conform.kube.errors import InputError
from dra_conform.kube.manifest_files import manifests_of
from dra_conform.kube.profile import RELEASE_PROFILES, Profile
from dra_conform.previews.dry_run import DryRunResult, dry_run, propose
from dra_conform.previews.dry_run.dry_run_result import machine_form
from tests.support.kube.breaking import broken
from tests.support.rows import mostly_slow


@pytest.mark.parametrize("profile", ["kep", RELEASE_PROFILES[-1]])
@pytest.mark.parametrize("seed", mostly_slow(range(4)))
def test_every_object_has_an_answer(seed: int, profile: str) -> None:
    chance = random.Random(seed)
    asked = Profile.named(profile)
    found: list[DryRunResult] = []
    for _ in range(500):
        text, errors = broken(chance), list[InputError]()
        manifests = list(manifests_of(text, "f", errors))
        results = list(dry_run(propose(manifests, manifests[:1]), asked))
        for one in results:
            places = [
                one.line,
                *(error.line for error in one.errors),
                *(error.line or 0 for error in one.problems()),
            ]
            places += [one.line_of(change.path) for change in one.changes]
            assert all(1 <= place <= text.count("\n") + 1 for place in places)
            assert (one.stored is None) == bool(one.problems())
        assert list(table(results, {}, asked))
        json.dumps(machine_form(results, {}, asked, "builtin"))
        found += results
    refused = sum(bool(one.reason) for one in found)
    assert len(found) > 100
    assert 30 < refused < len(found)
