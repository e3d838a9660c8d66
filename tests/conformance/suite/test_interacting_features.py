"""The interacting features that a case uses in a cluster."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.feature_pairs import CLUSTER_FEATURES, cluster_features
from tests.support.conformance.suite.writing import golden

SCENARIO = """
document: KEP-5075
area: rounding
title: x
cases:
  - case: x
    title: x
    requirements: [KEP-5075/rounding/step-up]
    given: [{given}]
    steps: [{{when: {when}}}, {{when: {{reachSteadyState: true}}, then: [{{running: {{pod: p}}}}]}}]
"""
SETTLE = "{reachSteadyState: true}"


def used(given: str, when: str = SETTLE) -> set[str]:
    (one,) = golden(SCENARIO.format(given=given, when=when))
    return set(cluster_features(one))


@pytest.mark.parametrize(
    ("given", "features"),
    [
        ("{pod: {name: p}}", set()),
        ("{pod: {name: p, containers: [{name: a, claims: [c]}, {name: b, claims: [d]}]}}", set()),
        ("{pod: {name: p, containers: [{name: a, claims: [c]}, {name: b, claims: [c]}]}}", {"shared-claims"}),
        ("{pod: {name: p, resourceClaims: [c]}}, {pod: {name: q, resourceClaims: [c]}}", {"shared-claims"}),
        ("{pod: {name: p, resourceClaims: [c]}}, {pod: {name: q, resourceClaims: [d]}}", set()),
        (
            "{pod: {name: p, resourceClaimTemplates: {t: t}}}, {pod: {name: q, resourceClaimTemplates: {t: t}}}",
            set(),
        ),
        ("{pod: {name: p, containers: [{name: a, kind: init}, {name: b}]}}", set()),
        ("{pod: {name: p, containers: [{name: a, kind: sidecar}, {name: b}]}}", {"sidecars"}),
        ("{pod: {name: p}}, {podResources: {pod: p, overhead: {cpu: 1}}}", {"overhead"}),
        ("{pod: {name: p}}, {podResources: {pod: p, requests: {cpu: 1}}}", {"pod-level-resources"}),
        ("{pod: {name: p}}, {resourceQuota: {name: q, hard: {cpu: 1}}}", {"quota"}),
        ("{devices: [{device: a, mappings: {cpu: {multiplier: 1}}}]}", {"node-allocatable-resources"}),
        ("{deviceClass: {name: gpu, extendedResourceName: example.com/gpu}}", {"extended-resources"}),
    ],
)
def test_features_of_the_setup(given: str, features: set[str]) -> None:
    assert used(given) == features
    assert features <= set(CLUSTER_FEATURES)


@pytest.mark.parametrize(
    ("when", "features"),
    [
        (
            "{setFeatureGates: {components: [scheduler], featureGates: {DRAExtendedResource: false}}}",
            {"gate-changes"},
        ),
        ("{resize: {pod: p, fields: {'spec.containers[0].resources.requests.cpu': 2}}}", {"resize"}),
        ("{createPod: {name: q, containers: [{name: a, kind: sidecar}, {name: b}]}}", {"sidecars"}),
        ("{createPod: {name: q, resourceClaims: [c]}}", {"shared-claims"}),
    ],
)
def test_features_of_actions(when: str, features: set[str]) -> None:
    assert used("{pod: {name: p, resourceClaims: [c]}}", when) == features


def test_an_allocation_has_no_cluster_features() -> None:
    assert all(cluster_features(one) == () for one in golden())
