"""The steps as step definitions of pytest-bdd, in features outside of a suite."""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path

import pytest
from pytest_bdd.steps import step_function_context_registry

from dra_conform.bdd import STEP_DEFINITIONS
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps.lookup import given_steps
from dra_conform.conformance.steps.step import Step
from tests.support.rows import mostly_slow

pytest_plugins = ["pytester"]

FEATURE = """\
Feature: Own
  Background:
    Given a rack with the device "gpu-1"

  @KEP-5075/rounding/step-up
  Scenario Outline: A request is rounded
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw                |
      | eth1   | yes                      | 10          | default 1, min 1, max 9, step 4 |
    And a ResourceClaim "c" requesting <asked> of "bw"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated
    And ResourceClaim "c" consumes <consumed> of "bw"
    But in Kubernetes 1.34, because that is another release: ResourceClaim "c" consumes 7 of "bw"
    And the answer names 1 device

    Examples:
      | asked | consumed |
      | 3     | 5        |
      | 6     | 8        |

  Scenario: Two devices
    Given a ResourceClaim "c" requesting <count> devices of class "gpu"
    Given a DeviceClass "gpu"
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of InsufficientDevices
"""
STEPS = """\
from pytest_bdd import given, parsers, scenarios, then

scenarios("features")


@given(parsers.parse('a rack with the device "{name}"'))
def rack(name, dra_setup):
    dra_setup.add(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "rack"},
            "spec": {
                "driver": "rack.example.com",
                "nodeName": "node-1",
                "pool": {"name": "rack", "generation": 1, "resourceSliceCount": 1},
                "devices": [{"name": name}],
            },
        }
    )


@then(parsers.parse("the answer names {count:d} device"))
def answer_names(count, dra_answer):
    [results] = dra_answer["claims"].values()
    assert len(results) == count
"""


@pytest.fixture(
    params=mostly_slow(["from dra_conform.bdd import *\n", 'pytest_plugins = ["dra_conform.bdd"]\n'])
)
def own_features(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> pytest.Pytester:
    pytester.makeini("[pytest]\nfilterwarnings = error\n")
    pytester.makeconftest(request.param)
    (pytester.path / "features").mkdir()
    feature = pytester.path / "features" / "own.feature"
    feature.write_text(FEATURE.replace("<count>", "2"), encoding="utf-8")
    pytester.makepyfile(test_own=STEPS)
    return pytester


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    plugins = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    return pytester.runpytest_inprocess(*plugins, *arguments)


def test_own_features_use_the_vocabulary_and_own_steps(own_features: pytest.Pytester) -> None:
    result = run(own_features)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            '*features/own.feature:*: And ResourceClaim "c" consumes 8 of "bw"',
            "KEP-5075/rounding/step-up (MUST)",
        ]
    )


def test_a_deviation_is_judged_in_its_release(own_features: pytest.Pytester) -> None:
    result = run(own_features, "--profile", "kubernetes-1.34", "-k", "rounded and 3")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*: But in Kubernetes 1.34, because that is another release: *consumes 7 of*"]
    )


def test_a_failure_names_the_pytest_command_that_runs_it_again(
    own_features: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`dra-conform run` cannot select scenarios that are in no suite; with CI, pytest's summary is untrimmed."""
    monkeypatch.setenv("CI", "true")
    own = ("--implementation", "python:dra_conform.adapters.builtin:Builtin", "--dra-deadline", "60")
    result = run(own_features, *own, "-k", "rounded and 6")
    [command] = [line.strip() for line in result.outlines if line.strip().startswith("pytest ")]
    assert command == "pytest 'test_own.py::test_a_request_is_rounded[6-8]' " + " ".join(own)
    run(own_features, *shlex.split(command)[1:]).assert_outcomes(failed=1)


def test_an_invalid_step_fails_at_its_line(own_features: pytest.Pytester) -> None:
    feature = own_features.path / "features" / "own.feature"
    feature.write_text(FEATURE.replace("| eth1   | yes", "| eth1   | maybe"), encoding="utf-8")
    result = run(own_features, "-k", "rounded")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*own.feature:7: the cell is 'maybe', expected yes or no*"])


def test_the_summary_and_junit_say_what_is_wrong(
    own_features: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = run(own_features, "-k", "rounded and 6", "--junitxml", "junit.xml")
    expected = "ResourceClaim default/c: expected a result with consumedCapacity 8 of bw, got none"
    [line] = [line for line in result.outlines if line.startswith("FAILED ")]
    assert line.endswith(f" - {expected} (KEP-5075/rounding/step-up)")
    assert f'message="{expected} (KEP-5075/rounding/step-up)"' in Path("junit.xml").read_text("utf-8")


def test_the_setup_of_a_failure_has_own_steps(own_features: pytest.Pytester) -> None:
    result = run(own_features, "-k", "rounded and 6")
    result.stdout.fnmatch_lines(
        ["  setup", '    Given a rack with the device "gpu-1"', "    Given the device"]
    )


def test_own_then_steps_alone_are_not_enough(own_features: pytest.Pytester) -> None:
    feature = own_features.path / "features" / "own.feature"
    lines = FEATURE.replace("<count>", "2").splitlines(keepends=True)
    kept = [line for line in lines if " consumes " not in line and "Then ResourceClaim" not in line]
    feature.write_text("".join(kept).replace("And the answer", "Then the answer"), encoding="utf-8")
    result = run(own_features, "-k", "rounded and 3")
    message = "no Then step of dra-conform follows, expected at least one; your own do not count"
    result.stdout.fnmatch_lines([f"features/own.feature:11: {message}"])


def test_a_mistyped_step_names_the_nearest_sentence(own_features: pytest.Pytester) -> None:
    feature = own_features.path / "features" / "own.feature"
    feature.write_text(FEATURE.replace("is attempted", "is atempted"), encoding="utf-8")
    result = run(own_features, "-k", "rounded and 3")
    result.stdout.fnmatch_lines(['*Did you mean: allocation of ResourceClaim "{claims}"* is attempted'])


def test_generate_missing_names_only_unknown_steps(own_features: pytest.Pytester) -> None:
    feature = own_features.path / "features" / "own.feature"
    feature.write_text(FEATURE.replace("<count> devices", "2 boxes"), encoding="utf-8")
    result = run(own_features, "--generate-missing", "--feature", "features")
    missing = [line for line in result.outlines if "is not defined" in line]
    assert len(missing) == 1
    assert "requesting 2 boxes" in missing[0]


HINT = ["*features/own.feature: no collected Python file runs these scenarios.*", '  scenarios("features")']


@pytest.mark.parametrize(
    ("arguments", "ended", "hinted"),
    [
        (("features",), pytest.ExitCode.NO_TESTS_COLLECTED, True),
        (("features/own.feature",), pytest.ExitCode.USAGE_ERROR, True),
        (("features", "--collect-only"), pytest.ExitCode.NO_TESTS_COLLECTED, True),
        (("features", "test_own.py"), pytest.ExitCode.TESTS_FAILED, False),
        (("-k", "none"), pytest.ExitCode.NO_TESTS_COLLECTED, False),
    ],
)
def test_features_that_no_python_file_binds_lead_to_a_hint(
    own_features: pytest.Pytester, arguments: tuple[str, ...], ended: int, hinted: bool
) -> None:
    result = run(own_features, *arguments)
    assert result.ret == ended
    assert ("features without tests" in result.stdout.str()) == hinted
    if hinted:
        result.stdout.fnmatch_lines(HINT)


def test_a_second_feature_without_tests_is_named(own_features: pytest.Pytester) -> None:
    feature = own_features.path / "features" / "own.feature"
    other = own_features.mkdir("others") / "other.feature"
    other.write_text(feature.read_text("utf-8"), encoding="utf-8")
    result = run(own_features)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["others/other.feature: no collected *"])


ALL = {(step.keyword, step.key): step for step in given_steps()} | {
    (step.keyword, step.key): step for operation in OPERATIONS.values() for step in operation.steps
}


@pytest.mark.parametrize("step", ALL.values(), ids=lambda step: f"{step.keyword} {step.key}")
def test_each_sentence_is_a_step_definition_at_its_function(step: Step) -> None:
    for phrase in step.phrases:
        fixture = STEP_DEFINITIONS[f"{step.keyword} {phrase.words}"]
        context = step_function_context_registry[fixture._get_wrapped_function()]
        assert context.type == step.keyword
        assert inspect.getsourcefile(context.step_func) == step.function.__code__.co_filename
        lines, _ = inspect.getsourcelines(context.step_func)
        assert any(line.startswith(f"def {step.function.__name__}(") for line in lines)
