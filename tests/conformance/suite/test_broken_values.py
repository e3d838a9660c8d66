"""Values of a wrong type in suites: an error with file and line."""

from __future__ import annotations

import pytest
import yaml

from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import GOLDEN, feature, golden

HEAD = GOLDEN.partition("    given:")[0]
REST = "    when: {allocate: {resourceClaims: [c]}}\n    then: [{unallocatable: true}]\n"
CLAIM = "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: {requests: %s}}}"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "{apiVersion: [x], kind: Node, metadata: {name: n}}",
            "apiVersion of the object is ['x'], expected a string",
        ),
        (
            "{apiVersion: v1, kind: [x], metadata: {name: n}}",
            "kind of the object is ['x'], expected a string",
        ),
        ("{apiVersion: v1, kind: Node, metadata: x}", "metadata of the object is 'x', expected a map"),
        (
            "{apiVersion: v1, kind: Node, metadata: {name: [x]}}",
            "metadata.name of the object is ['x'], expected a string",
        ),
        (CLAIM % "[true]", "requests[0]: is true or false ('True'), expected a map"),
        (CLAIM % "[{name: r, firstAvailable: [[x]]}]", "firstAvailable[0]: is a list, expected a map"),
        (
            CLAIM % "[{name: r, firstAvailable: [true]}]",
            "firstAvailable[0]: is true or false ('True'), expected a map",
        ),
    ],
)
def test_objects_of_the_wrong_shape(given: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        golden(f"{HEAD}    given: [{{objects: [{given}]}}]\n{REST}")
    assert message in str(caught.value)


FEATURE = """\
Feature: Broken
  @case:nothing-is-there
  @KEP-5075/rounding/step-up
  Scenario Outline: Nothing is there
    Given a node "n" with the labels
      | {header} |
      | a | <amount> |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible
    Examples:
      | {column} |
      | 1 |
"""


@pytest.mark.parametrize(
    ("header", "column", "message"),
    [
        ("x | y", "amount", "the table has the columns x, y, expected label and value"),
        ("label | value", "(amount", "has the column '(amount', expected letters, digits, dashes and blanks"),
    ],
)
def test_tables_with_other_headers(header: str, column: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        feature(FEATURE.format(header=header, column=column))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        'a ResourceClaim "c" with the request\n      | count |\n      | {cell} |',
        "the devices\n      | device | generation |\n      | d | {cell} |",
        'ResourceClaim "c" has the allocated device\n      | device | share |\n      | 1 | {cell} |',
    ],
)
@pytest.mark.parametrize("cell", ["<count>", "two"])
def test_a_cell_that_is_not_an_integer(given: str, cell: str) -> None:
    with pytest.raises(InputError) as caught:
        feature(
            "Feature: Broken\n  @case:broken\n  @KEP-5075/rounding/step-up\n  Scenario: Broken\n"
            f"    Given {given.format(cell=cell)}\n"
            '    When allocation of ResourceClaim "c" is attempted\n    Then no allocation is possible\n'
        )
    assert f"the cell is {cell!r}, expected an integer" in str(caught.value)


SHARED = """\
document: KEP-5075
area: limits
title: Limits
given: [{{objects: [{given}]}}]
cases:
  - case: a
    title: A ResourceClaim is stored
    requirements: [KEP-5075/rounding/step-up]
    when: {{create: {{kind: ResourceClaim, name: c, fields: {{}}}}}}
    then: [{{stored: true}}]
"""


def test_an_object_of_a_file_whose_kind_is_a_list() -> None:
    with pytest.raises(InputError) as caught:
        golden(SHARED.format(given="{apiVersion: v1, kind: [x], metadata: {name: n}}"))
    assert "kind of the object is ['x'], expected a string" in str(caught.value)


def test_a_created_object_whose_kind_is_a_list() -> None:
    with pytest.raises(InputError) as caught:
        feature(
            "Feature: Broken\n  @case:broken\n  @KEP-5075/rounding/step-up\n  Scenario: Broken\n"
            '    Given a pod "p" that uses ResourceClaim "c"\n    When another client creates this object\n'
            '      """\n      {apiVersion: v1, kind: [x], metadata: {name: n}}\n      """\n'
            '    Then pod "p" is retried\n'
        )
    assert "kind of the object is ['x'], expected a string" in str(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        "x",
        "{containers: x}",
        "{containers: [x]}",
        "{containers: [{name: c, resources: x}]}",
        "{containers: [{name: c, resources: {limits: x}}]}",
        "{containers: [{name: c, resources: {limits: {cpu: 1}, requests: x}}]}",
    ],
)
def test_a_pod_of_the_wrong_shape_is_kept_for_admission(spec: str) -> None:
    pod = f"{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default}}, spec: {spec}}}"
    [case] = golden(
        f"{HEAD}    given: [{{objects: [{pod}]}}]\n"
        "    when: {quotaUsage: default}\n    then: [{namespaceUses: {pods: 1}}]\n"
    )
    assert case.objects["pods"][0]["spec"] == yaml.safe_load(spec)
