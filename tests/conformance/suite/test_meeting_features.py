"""Which features that meet in clusters a case uses."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.conformance.suite.meeting_features import MEETING, meeting
from tests.support.conformance.suite.writing import golden

Json = Any
STORY = """
document: KEP-5075
area: rounding
title: x
cases:
  - case: x
    title: x
    requirements: [KEP-5075/rounding/step-up]
    given: [{given}]
    acts: [{{when: {when}}}, {{when: {{settle: true}}, then: [{{runs: {{pod: p}}}}]}}]
"""
SETTLE = "{settle: true}"


def used(given: str, when: str = SETTLE) -> set[str]:
    (one,) = golden(STORY.format(given=given, when=when))
    return set(meeting(one))


@pytest.mark.parametrize(
    ("given", "features"),
    [
        ("{pod: {name: p}}", set()),
        ("{pod: {name: p, containers: [{name: a, claims: [c]}, {name: b, claims: [d]}]}}", set()),
        ("{pod: {name: p, containers: [{name: a, claims: [c]}, {name: b, claims: [c]}]}}", {"shared-claims"}),
        ("{pod: {name: p, claims: [c]}}, {pod: {name: q, claims: [c]}}", {"shared-claims"}),
        ("{pod: {name: p, claims: [c]}}, {pod: {name: q, claims: [d]}}", set()),
        ("{pod: {name: p, templates: {t: t}}}, {pod: {name: q, templates: {t: t}}}", set()),
        ("{pod: {name: p, containers: [{name: a, kind: init}, {name: b}]}}", set()),
        ("{pod: {name: p, containers: [{name: a, kind: sidecar}, {name: b}]}}", {"sidecars"}),
        ("{pod: {name: p}}, {pod-amounts: {pod: p, overhead: {cpu: 1}}}", {"overhead"}),
        ("{pod: {name: p}}, {pod-amounts: {pod: p, requests: {cpu: 1}}}", {"pod-level-resources"}),
        ("{pod: {name: p}}, {quota: {name: q, hard: {cpu: 1}}}", {"quota"}),
        ("{devices: [{device: a, takes: {cpu: {times: 1}}}]}", {"node-allocatable-resources"}),
        ("{class: {name: gpu, resource: example.com/gpu}}", {"extended-resources"}),
    ],
)
def test_features_of_what_is_given(given: str, features: set[str]) -> None:
    assert used(given) == features
    assert features <= set(MEETING)


@pytest.mark.parametrize(
    ("when", "features"),
    [
        ("{set-gates: {components: [scheduler], gates: {DRAExtendedResource: false}}}", {"gate-changes"}),
        ("{resize: {pod: p, fields: {'spec.containers[0].resources.requests.cpu': 2}}}", {"resize"}),
        ("{create-pod: {name: q, containers: [{name: a, kind: sidecar}, {name: b}]}}", {"sidecars"}),
        ("{create-pod: {name: q, claims: [c]}}", {"shared-claims"}),
    ],
)
def test_features_of_what_is_done(when: str, features: set[str]) -> None:
    assert used("{pod: {name: p, claims: [c]}}", when) == features


def test_an_allocation_is_in_no_cluster() -> None:
    assert all(meeting(one) == () for one in golden())
