"""A case with a single write has, of its file's setup, only the object that it writes."""

from __future__ import annotations

import pytest

from dra_conform.conformance.case import Case
from tests.support.conformance.suite.writing import golden

SETUP = """\
# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
document: KEP-5075
area: trial
title: Writes
given:
  - devices: [{device: d}]
  - deviceClass: {name: nic}
  - resourceClaim: {name: c, requests: [{request: r0, deviceClassName: nic}, {request: r1, deviceClassName: nic}]}
  - constraint: {resourceClaim: c, matchAttribute: dra.example.com/numa}
  - resourceClaimTemplate: {name: t, deviceClassName: nic}
  - pod: {name: p}
  - objects:
      - {apiVersion: v1, kind: Namespace, metadata: {name: default}}
      - {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: other}, spec: {}}
cases:
  - case: one
    title: One write
    requirements: [KEP-5075/rounding/step-up]
"""


def given(when: str) -> list[str]:
    [case] = golden(f"{SETUP}    when: {when}\n    then: [{{rejected: true}}]\n")
    return keys(case)


def keys(case: Case) -> list[str]:
    return [words.partition(":")[0] for words in case.given]


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        ("{create: {kind: ResourceClaim, name: c}}", ["resourceClaim", "constraint"]),
        ("{create: {kind: ResourceClaimTemplate, name: t}}", ["resourceClaimTemplate"]),
        ("{update: {kind: ResourceSlice, name: pool-1-slice}}", ["devices"]),
        ("{create: {kind: DeviceClass, name: nic}}", ["deviceClass"]),
        ("{resize: {pod: p, fields: {}}}", ["pod"]),
    ],
)
def test_only_the_written_object_is_kept(when: str, kept: list[str]) -> None:
    assert given(when) == [*kept, "objects"]


def test_the_list_of_objects_keeps_the_written_one_and_other_kinds() -> None:
    text = (
        f"{SETUP}    when: {{create: {{kind: DeviceClass, name: other}}}}\n    then: [{{rejected: true}}]\n"
    )
    [case] = golden(text)
    assert keys(case) == ["objects"]
    assert "kind: Namespace" in case.given[0]
    assert "name: other" in case.given[0]


def test_an_object_in_the_when_step_is_found_by_kind_and_name() -> None:
    written = "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: {}}"
    assert given(f"{{update: {{object: {written}}}}}") == ["deviceClass", "objects"]


def test_the_setup_of_a_case_itself_is_kept() -> None:
    own = "    given: [{deviceClass: {name: own}}]\n    when: {create: {kind: ResourceClaim, name: c}}\n"
    [case] = golden(f"{SETUP}{own}    then: [{{rejected: true}}]\n")
    assert keys(case) == ["resourceClaim", "constraint", "objects", "deviceClass"]


def test_a_case_with_other_steps_has_the_whole_setup() -> None:
    [case] = golden(
        f"{SETUP}    when: {{allocate: {{resourceClaims: [c]}}}}\n    then: [{{unallocatable: true}}]\n"
    )
    assert len(case.given) == 7
