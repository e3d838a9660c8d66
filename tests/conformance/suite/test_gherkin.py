"""Feature files as cases: backgrounds, rules, outlines, tags, deviations and errors."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.gates import CHECKED_WITH
from tests.support.conformance.suite.writing import feature

FEATURE = """\
@KEP-5075/rounding/step-up
Feature: Rounding

  Background:
    Given a node "left"

  @case:a-plain-one
  Scenario: A plain one
    Given the devices
      | device | allowMultipleAllocations | capacity bw |
      | d      | yes                      | 10          |
    And a ResourceClaim "c" requesting 3 of "bw"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated
    And ResourceClaim "c" consumes 3 of "bw"
    But from Kubernetes 1.34 to 1.36, because it steps in whole numbers: no allocation is possible

  @KEP-5075/rounding/below-min
  Rule: Amounts

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bw |
        | d      | yes                      | 12          |

    @case:asking-for-its-own
    @order @profile:kep @profile:in-1.36
    Scenario Outline: Asking <amount> for it's own
      Given a ResourceClaim "c" requesting <amount> of "bw"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity bw |
        | d      | <amount>            |

      Examples:
        | amount |
        | 3      |
        | 500m   |
"""

SHORT = """\
Feature: F
  @case:s
  Scenario: S
    Given the devices
      | device |
      | d      |
    Given a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated
"""


def test_a_scenario() -> None:
    case = feature(FEATURE)[0]
    assert (case.id, case.kind) == ("kep-5075/trial/a-plain-one", "scenario")
    assert str(case.source) == "features/kep-5075/trial.feature:8"
    assert case.requirements == ("KEP-5075/rounding/step-up",)
    assert [node["metadata"]["name"] for node in case.objects["nodes"]] == ["left"]
    assert len(case.case_steps[0].expectation.checks) == 2
    assert [check.step for check in case.case_steps[0].expectation.checks] == [0, 1]
    assert case.case_steps[0].expectation.steps[1] == 'Then ResourceClaim "c" consumes 3 of "bw"'


def test_deviations() -> None:
    case = feature(FEATURE)[0]
    (deviation,) = case.case_steps[0].deviations
    assert deviation.profiles == {"kubernetes-1.34", "kubernetes-1.35", "kubernetes-1.36"}
    assert deviation.reason == "it steps in whole numbers"
    assert deviation.expectation.outcomes == {Outcome.UNALLOCATABLE}
    single = FEATURE.replace("from Kubernetes 1.34 to 1.36", "in Kubernetes 1.36")
    assert feature(single)[0].case_steps[0].deviations[0].profiles == {"kubernetes-1.36"}


def test_a_step_with_expectations_only_in_deviations() -> None:
    text = """\
Feature: F
  @case:s
  Scenario: S
    Given a pod "p" without ResourceClaims
    When the cluster reaches a steady state
    Then since Kubernetes 1.34, because the document does not say so: pod "p" is Running
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "p" does not exist
"""
    first = feature(text)[0].case_steps[0]
    assert first.expected("kep") == (None, "")
    expectation, reason = first.expected("kubernetes-1.36")
    assert expectation is not None
    assert reason == "the document does not say so"


def test_an_outline_in_a_rule() -> None:
    _, first, second = feature(FEATURE)
    assert [first.id, second.id] == [f"kep-5075/trial/asking-for-its-own[{cell}]" for cell in ("3", "500m")]
    assert [first.source.line, second.source.line] == [37, 38]
    assert second.row == ("500m",)
    assert set(second.requirements) == {"KEP-5075/rounding/step-up", "KEP-5075/rounding/below-min"}
    assert second.order
    assert second.profiles == frozenset({"kep", "kubernetes-1.36"})
    assert second.case_steps[0].expectation.checks[0].choices[0][0].consumed == {"bw": "500m"}
    assert second.objects["resourceSlices"][0]["spec"]["devices"][0]["capacity"] == {"bw": {"value": "12"}}


def test_placeholders_in_doc_strings() -> None:
    text = SHORT.replace("Scenario: S", "Scenario Outline: S").replace(
        "    When",
        '    Given a DeviceClass "k" with the selector\n      """\n      device.driver == "<driver>"\n      """\n    When',
    )
    (case,) = feature(text + "    Examples:\n      | driver |\n      | x.example |\n")
    chosen = next(one for one in case.objects["deviceClasses"] if one["metadata"]["name"] == "k")
    assert chosen["spec"]["selectors"] == [{"cel": {"expression": 'device.driver == "x.example"'}}]


BROKEN = {
    "column of examples twice": (
        'Then ResourceClaim "c" is allocated\n',
        'Then ResourceClaim "c" is allocated\n\n    Examples:\n      | claim | claim |\n      | c     | d     |\n',
        "12: repeats the column 'claim', expected distinct columns",
    ),
    "unknown step": (
        "Given the devices",
        "Given the deviced",
        "4: unknown Given step 'the deviced', expected something like: the device[s]",
    ),
    "step of another keyword": (
        "Then ResourceClaim",
        "Then a ResourceClaim",
        '9: unknown Then step \'a ResourceClaim "c" is allocated\', expected something like: ResourceClaim "{claim}" is allocated',
    ),
    "unknown column": (
        "| device |",
        "| devise |",
        "4: [0].devise: is an unknown field, expected device",
    ),
    "no when": (
        '    When allocation of ResourceClaim "c" is attempted\n',
        "",
        "8: is a Then before the first When, expected a When step first",
    ),
    "neither when nor then": (
        '    When allocation of ResourceClaim "c" is attempted\n    Then ResourceClaim "c" is allocated\n',
        "",
        '3: has no When step, expected a When step such as: allocation of ResourceClaim "c" is attempted',
    ),
    "Given after When": (
        "    Then",
        '    Given a node "late"\n    Then',
        "9: is a Given after a When, expected all Given steps first",
    ),
    "two questions of different kinds": (
        '    When allocation of ResourceClaim "c" is attempted\n    Then ResourceClaim "c" is allocated\n',
        '    When allocation of ResourceClaim "c" is attempted\n    When DeviceClass "any" is created\n    Then the object is stored\n',
        "9: belongs to another operation, expected a When step of operation allocate",
    ),
    "a then step of another operation": (
        'Then ResourceClaim "c" is allocated',
        "Then the object is stored",
        "9: unknown Then step 'the object is stored', expected something like: "
        'ResourceClaim "{claim}" is allocated, or: nothing is allocated[ because of {category}]',
    ),
    "a sentence like several": (
        'Then ResourceClaim "c" is allocated',
        "Then the claim is allocated",
        "9: unknown Then step 'the claim is allocated', expected something like: "
        'nothing is allocated[ because of {category}], or: ResourceClaim "{claim}" is allocated',
    ),
    "two whens": (
        "    Then",
        '    When allocation of ResourceClaim "c" is attempted\n    Then',
        "9: is a second When step, expected only one for operation allocate",
    ),
    "no then": (
        '    Then ResourceClaim "c" is allocated\n',
        "",
        "8: has no outcome, expected at least one Then step",
    ),
    "no such claim": (
        'When allocation of ResourceClaim "c"',
        'When allocation of ResourceClaim "d"',
        "8: ResourceClaim 'd' is not in the setup, expected one of default/c",
    ),
    "conjunction first": (
        "Given the devices",
        "And the devices",
        "4: begins with And, But or *, expected Given, When or Then first",
    ),
    "no such profile": (
        "    Then",
        "    Then in Kubernetes 1.99, because it is so: no allocation is possible\n    Then",
        f"9: names the release 1.99, expected one of {', '.join(CHECKED_WITH)}",
    ),
    "the same name twice": (
        '    Then ResourceClaim "c" is allocated\n',
        '    Then ResourceClaim "c" is allocated\n  @case:other\n  Scenario: S\n    Given a node "left"\n',
        "11: duplicate scenario 'S', expected only one; the first is in line 3",
    ),
    "no name": ("  @case:s\n", "", "2: has 0 tags @case:NAME, expected one"),
    "two names": (
        "@case:s",
        "@case:s @case:t",
        "3: has 2 tags @case:NAME, expected one",
    ),
    "an odd name": (
        "@case:s",
        "@case:It_is",
        "3: has the tag @case:It_is, expected a name of at most 60 lower-case letters, digits, dashes and dots",
    ),
    "the same @case twice": (
        '    Then ResourceClaim "c" is allocated\n',
        '    Then ResourceClaim "c" is allocated\n  @case:s\n  Scenario: T\n    Given a node "left"\n',
        "11: duplicate name @case:s, expected only one; the first is in line 3",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_feature(name: str) -> None:
    old, new, message = BROKEN[name]
    assert old in SHORT
    with pytest.raises(InputError) as caught:
        feature(SHORT.replace(old, new, 1))
    assert str(caught.value) == f"features/kep-5075/trial.feature:{message}"


def test_profiles_that_a_scenario_only_repeats() -> None:
    text = SHORT.replace("@case:s", "@case:s @profile:since-1.36")
    assert len(feature(text)) == 1
    with pytest.raises(InputError, match=r":4: has the tag @profile:since-1\.36, which its feature or rule"):
        feature("@profile:since-1.35\n" + text)


def test_text_that_is_not_gherkin() -> None:
    with pytest.raises(InputErrors) as caught:
        feature(SHORT.replace("| d      |", "| d | e |"))
    assert str(caught.value.errors[0]).startswith("features/kep-5075/trial.feature:6: is not valid Gherkin: ")
    with pytest.raises(InputError, match="has no Feature, expected a Feature"):
        feature("# nothing\n")


def test_too_many_lines_or_characters() -> None:
    with pytest.raises(InputError, match="has 20001 lines, expected at most 20000"):
        feature(SHORT + "\n" * (20_001 - SHORT.count("\n")))
    with pytest.raises(InputError, match=r":2: has a line of 4097 characters, expected at most 4096"):
        feature("Feature: F\n" + " " * 4_097)


def test_reading_stops_after_a_hundred_problems() -> None:
    scenarios = "".join(
        f"  @case:s{number}\n  Scenario: S{number}\n    Given nothing of {number}\n" for number in range(200)
    )
    with pytest.raises(InputErrors) as caught:
        feature("Feature: F\n" + scenarios)
    assert len(caught.value.errors) == 101
    assert "the rest of the file was not read" in str(caught.value.errors[-1])
