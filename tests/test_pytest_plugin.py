"""`pytest features/` on a small suite: a test for each scenario and golden case, and readable failures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from dra_conform.conformance.operations import OPERATIONS
from tests.support.conformance.suite.writing import suite
from tests.support.rows import mostly_slow

pytest_plugins = ["pytester"]

for name in (
    "adapters.builtin",
    "adapters.inprocess",
    *(f"conformance.{name}.operation" for name in OPERATIONS),
):
    # pytester forgets what a test imports. Classes that are imported twice differ.
    import_module(f"dra_conform.{name}")

FEATURE = """\
Feature: Rounding
  @case:an-amount-goes-up
  @KEP-5075/rounding/step-up
  Scenario: An amount goes up
    Given the devices
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw                |
      | eth1   | yes                      | 10          | default 1, min 1, max 9, step 4 |
      | eth2   | yes                      | 10          | default 1, min 1, max 9, step 4 |
    And a ResourceClaim "c" requesting 3 of "bw"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated
    And ResourceClaim "c" is allocated exactly
      | device |
      | eth1   |
    But in Kubernetes 1.34, because that release starts at the end: ResourceClaim "c" is allocated exactly
      | device |
      | eth2   |

  @case:the-amount
  @KEP-5075/rounding/step-up
  Scenario Outline: The amount <asked>
    Given the devices
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "c" requesting <asked> of "bw"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" consumes <asked> of "bw"

    @profile:kep @profile:since-1.37
    Examples:
      | asked |
      | 3     |
      | 4     |

  Rule: A rule of its own
    @case:in-one-profile
    @KEP-5075/rounding/step-up @order @profile:kep
    Scenario: In one profile
      Given a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
"""

GOLDEN = """\
# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
document: KEP-5075
area: rounding
title: Amounts
cases:
  - case: amounts
    title: An amount is taken
    requirements: [KEP-5075/rounding/step-up]
    given:
      - devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}, {device: e, allowMultipleAllocations: true, capacity: {bw: 10}}]
      - resourceClaim: {name: c, capacity: {bw: <asked>}}
    when: {allocate: {resourceClaims: [c]}}
    then: [{allocatedExactly: {resourceClaim: c, results: [{device: d, consumedCapacity: {bw: <asked>}}]}}]
    table: {columns: [asked], rows: [[3], [4]]}
  - case: old-only
    title: In an old profile
    requirements: [KEP-5075/rounding/step-up]
    profiles: [in 1.34]
    given: [{resourceClaim: {name: c}}]
    when: {allocate: {resourceClaims: [c]}}
    then: [{unallocatable: true}]
"""

IMPLEMENTATIONS = """\
from dra_conform.adapters.builtin import Builtin


class Second:
    \"\"\"Takes the second device instead of the first.\"\"\"

    def allocate(self, objects, ask, profile, seed=0):
        body = Builtin().allocate(objects, ask, profile, seed)
        for allocation in body.get("allocations", {}).values():
            for result in allocation["devices"]["results"]:
                result["device"] = {"eth1": "eth2", "d": "e"}[result["device"]]
        return body


def unsupported(objects, ask, profile):
    return {"status": "unsupported", "message": "no capacities here", "feature": "consumable-capacity"}


def broken(objects, ask, profile):
    raise RuntimeError("out of ideas")


class Declared(Second):
    features = {"consumable-capacity": "none"}
"""


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """Write a suite to the folder in which pytest runs."""
    pytester.makeini("[pytest]\naddopts = --strict-markers --strict-config\nfilterwarnings = error\n")
    pytester.makepyfile(implementations=IMPLEMENTATIONS)
    return suite(pytester.path, feature_text=FEATURE, golden_text=GOLDEN)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest", *arguments)


SCENARIOS = ["an-amount-goes-up", "the-amount[3]", "the-amount[4]", "in-one-profile"]
NODE_IDS = [
    *(f"features/kep-5075/trial.feature::kep-5075/trial/{name}" for name in SCENARIOS),
    *(
        f"golden/kep-5075/trial.yaml::kep-5075/trial/{name}"
        for name in ("amounts[3]", "amounts[4]", "old-only")
    ),
]


@pytest.mark.parametrize("arguments", [["features/"], ["features", "golden"], ["."]], ids=" ".join)
def test_each_case_is_a_test(pytester: pytest.Pytester, folder: Path, arguments: Sequence[str]) -> None:
    result = run(pytester, "--collect-only", "-q", *arguments)
    assert sorted(line for line in result.outlines if "::" in line) == sorted(NODE_IDS)


def test_the_builtin_passes(pytester: pytest.Pytester, folder: Path) -> None:
    result = run(pytester, "features", "-rs")
    result.assert_outcomes(passed=6, skipped=1)
    result.stdout.fnmatch_lines(["*runs only in kubernetes-1.34, the profile is kep*"])


def test_a_node_id_runs_its_test(pytester: pytest.Pytester, folder: Path) -> None:
    run(pytester, *NODE_IDS[1:-1:2]).assert_outcomes(passed=3)


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("kind:golden and 3", [NODE_IDS[4]]),
        ("kep-5075/trial/the-amount* or old-only", [*NODE_IDS[1:3], NODE_IDS[6]]),
        ("requirement:KEP-5075/rounding/step-up", NODE_IDS),
        ("not operation:allocate", []),
    ],
)
def test_only_selected_cases_are_collected(
    pytester: pytest.Pytester, folder: Path, expression: str, chosen: Sequence[str]
) -> None:
    result = run(pytester, "--collect-only", "-q", "features/", "--select", expression)
    assert [line for line in result.outlines if "::" in line] == chosen


def test_a_selection_may_name_cases_of_files_that_are_not_collected(
    pytester: pytest.Pytester, folder: Path
) -> None:
    result = run(pytester, NODE_IDS[0], "--select", "kind:golden or kind:scenario")
    result.assert_outcomes(passed=1)


def test_failures_show_the_step_and_the_diff(pytester: pytest.Pytester, folder: Path) -> None:
    result = run(pytester, NODE_IDS[0], NODE_IDS[4], "--implementation", "python:implementations:Second")
    result.assert_outcomes(failed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            '*features/kep-5075/trial.feature:12: And ResourceClaim "c" is allocated exactly',
            "KEP-5075/rounding/step-up (MUST)",
            "*fail: wrong-result  kep-5075/trial/an-amount-goes-up",
            "*expected (-) and actual (+)*",
            "*-*device: eth1",
            "*+*device: eth2",
            "*kep-5075/trial/amounts?3?",
            "*golden/kep-5075/trial.yaml:*",
            "*-*device: d",
            "*+*device: e",
        ]
    )
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


@pytest.mark.slow
def test_an_exception_of_the_implementation_is_shown(pytester: pytest.Pytester, folder: Path) -> None:
    result = run(pytester, NODE_IDS[3], NODE_IDS[4], "--implementation", "python:implementations:broken")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*: Then no allocation is possible", "*RuntimeError: out of ideas*"])


@pytest.mark.parametrize(
    ("attribute", "reason"),
    mostly_slow(
        [
            ("unsupported", "no capacities here"),
            ("Declared", "feature consumable-capacity is declared as not supported"),
        ]
    ),
)
def test_an_unsupported_case_is_skipped_with_its_reason(
    pytester: pytest.Pytester, folder: Path, attribute: str, reason: str
) -> None:
    result = run(pytester, "-rs", NODE_IDS[0], "--implementation", f"python:implementations:{attribute}")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"*{reason}*"])


@pytest.mark.slow
def test_a_deviation_is_judged_in_its_profile(pytester: pytest.Pytester, folder: Path) -> None:
    """The deviation's step is judged instead of the specification's, and cases of other profiles are skipped."""
    chosen = [NODE_IDS[0], NODE_IDS[3], NODE_IDS[6], "--profile", "kubernetes-1.34"]
    result = run(pytester, "-rs", *chosen)
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "*trial.feature:15: But in Kubernetes 1.34, because that release starts at the end: *",
            "*-*device: eth2",
            "*runs only in kep, the profile is kubernetes-1.34*",
        ]
    )
    second = run(pytester, *chosen, "--implementation", "python:implementations:Second")
    second.assert_outcomes(passed=2, skipped=1)


LEDGER = """\
format: dra-conform-ledger/v1
known:
  - reason: takes the second device
    cases:
      kep-5075/trial/an-amount-goes-up:
        verdict: 'fail: wrong-result'
        findings: ["expectation: ResourceClaim default/c: expected a result with device eth1, got none"]
      kep-5075/trial/the-amount[3]: {verdict: 'fail: wrong-result'}
"""


@pytest.mark.slow
def test_known_failures_are_xfailed_and_changes_fail(pytester: pytest.Pytester, folder: Path) -> None:
    (folder / "known.yaml").write_text(LEDGER, encoding="utf-8")
    spec = ("--implementation", "python:implementations:Second")
    result = run(pytester, "-rx", *NODE_IDS[:2], NODE_IDS[4], *spec, "--dra-expect", "known.yaml")
    result.assert_outcomes(xfailed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*known.yaml:8: *the-amount?3?: the verdict is now fail: invalid-allocation, expected fail: wrong-result",
            "*fail: wrong-result  kep-5075/trial/amounts?3?",
            "*dra-conform run -i python:implementations:Second --suite * --select *",
            "XFAIL *an-amount-goes-up* takes the second device",
        ]
    )


def test_a_ledger_with_a_case_that_the_suite_does_not_have(pytester: pytest.Pytester, folder: Path) -> None:
    (folder / "known.yaml").write_text(LEDGER.replace("the-amount[3]", "the-sum[3]"), encoding="utf-8")
    result = run(pytester, NODE_IDS[0], "--dra-expect", "known.yaml")
    result.stderr.fnmatch_lines(["*known.yaml:8: *the-sum?3?: is not a case of the suite, expected one"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_ledger_of_which_the_suite_has_no_case(pytester: pytest.Pytester, folder: Path) -> None:
    (folder / "known.yaml").write_text(LEDGER.replace("kep-5075/trial", "other"), encoding="utf-8")
    result = run(pytester, NODE_IDS[0], "--dra-expect", "known.yaml")
    result.stderr.fnmatch_lines(["*known.yaml:5: other/an-amount-goes-up: is not a case of the suite*"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


OWN_SCENARIO = """\
Feature: Own
  Scenario: An amount
    Given a ResourceClaim "c" requesting 3 of "bw"
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible
"""


def test_a_ledger_may_have_the_cases_of_own_scenarios(pytester: pytest.Pytester, folder: Path) -> None:
    """The cases of scenarios that a Python file binds are known only when they run."""
    (folder / "own.feature").write_text(OWN_SCENARIO, encoding="utf-8")
    pytester.makepyfile(
        test_own="from dra_conform.bdd import *\nfrom pytest_bdd import scenarios\nscenarios('own.feature')\n"
    )
    (folder / "known.yaml").write_text(LEDGER.replace("kep-5075/trial", "own"), encoding="utf-8")
    ledger = ("--dra-expect", "known.yaml")
    run(pytester, NODE_IDS[0], "test_own.py", *ledger).assert_outcomes(passed=2)
    run(pytester, "test_own.py", *ledger).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("chosen", "ret", "line"),
    mostly_slow(
        [
            ([NODE_IDS[0], NODE_IDS[6]], pytest.ExitCode.NO_TESTS_COLLECTED, "2 cases were"),
            ([NODE_IDS[0], "test_other.py"], pytest.ExitCode.OK, ""),
            ([NODE_IDS[6]], pytest.ExitCode.NO_TESTS_COLLECTED, "1 case was"),
            (["test_skipped.py"], pytest.ExitCode.OK, ""),
            ([NODE_IDS[0], "test_failing.py"], pytest.ExitCode.TESTS_FAILED, ""),
        ],
        2,
    ),
)
def test_a_session_without_a_judged_case_is_not_successful(
    pytester: pytest.Pytester, folder: Path, chosen: Sequence[str], ret: pytest.ExitCode, line: str
) -> None:
    skipped = "import pytest\n\n@pytest.mark.skip\ndef test_skipped():\n    pass\n"
    failing = "def test_failing():\n    assert False\n"
    pytester.makepyfile(
        test_other="def test_other():\n    pass\n", test_skipped=skipped, test_failing=failing
    )
    result = run(pytester, *chosen, "--implementation", "python:implementations:unsupported")
    assert result.ret == ret
    if line:
        result.stdout.fnmatch_lines([f"dra-conform: no case was judged, {line} skipped (-rs shows why)"])
    else:
        result.stdout.no_fnmatch_line("*no case was judged*")


@pytest.mark.slow
def test_the_processes_of_xdist_without_a_judged_case(pytester: pytest.Pytester, folder: Path) -> None:
    spec = ("--implementation", "python:implementations:unsupported")
    result = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "-n", "2", NODE_IDS[0], NODE_IDS[4], *spec
    )
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["dra-conform: no case was judged, 2 cases were skipped*"])


def test_a_named_suite_is_run(pytester: pytest.Pytester, folder: Path) -> None:
    (folder / "other").mkdir()
    for name in ("features", "golden", "requirements"):
        (folder / name).rename(folder / "other" / name)
    result = run(pytester, "--dra-suite", "other", "--dra-deadline", "5", "--dra-memory", "256Mi")
    result.assert_outcomes(passed=6, skipped=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    mostly_slow(
        [
            (
                ["--dra-suite", "golden"],
                "*--dra-suite: golden: is not a suite, expected a folder with features*",
            ),
            (["--dra-expect", "none.yaml"], "*none.yaml: does not exist, expected a ledger*"),
            (["--dra-deadline", "0"], "*'0' is not a time, expected seconds from 0.001 to 86400*"),
            (["--dra-memory", "much"], "*'much' is not a quantity of memory, expected 1Mi or more*"),
            (
                ["--select", "kind:golden and"],
                "*--select: column 16: the expression ends here, expected a word*",
            ),
            (
                ["--select", "kind:golden or kind:goldn"],
                "*--select: column 16: found 'kind:goldn', which no case of the suite matches, expected a value that "
                "`list` prints, did you mean kind:golden?",
            ),
            (["--profile", "none"], "*argument --profile: invalid choice: 'none'*"),
            (["--implementation", "none"], "*'none' names no implementation*"),
            (["--implementation", "python:implementations:Nobody"], "*has no attribute 'Nobody'*"),
        ],
        4,
    ),
)
def test_bad_usage_is_an_error(
    pytester: pytest.Pytester, folder: Path, arguments: Sequence[str], message: str
) -> None:
    result = run(pytester, "features", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    (result.stderr if result.stderr.lines else result.stdout).fnmatch_lines([message])


@pytest.mark.parametrize("argument", ["features", NODE_IDS[4]])
def test_a_broken_suite_is_a_usage_error(pytester: pytest.Pytester, folder: Path, argument: str) -> None:
    file = folder / "golden" / "kep-5075" / "trial.yaml"
    file.write_text(GOLDEN.replace("{allocatedExactly:", "{got:"), encoding="utf-8")
    result = run(pytester, argument)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: the suite * is broken:", "golden/kep-5075/trial.yaml:*got*"])
    assert "Traceback" not in result.stdout.str() + result.stderr.str()


@pytest.mark.slow
def test_a_session_has_one_process(pytester: pytest.Pytester, folder: Path) -> None:
    """One process serves the whole session, and gets `bye` at its end."""
    adapter = folder / "adapter.py"
    adapter.write_text(
        "import json, pathlib, sys\n"
        "log = pathlib.Path('log.txt').open('a')\n"
        "print('started', file=log, flush=True)\n"
        "for line in sys.stdin:\n"
        "    frame = json.loads(line)\n"
        "    print(frame['type'], file=log, flush=True)\n"
        "    answer = {'id': frame['id']}\n"
        "    if frame['type'] == 'hello':\n"
        "        answer |= {'type': 'hello', 'protocol': 1, 'operations': ['allocate'],\n"
        "                   'implementation': {'name': 'log', 'version': '1'}}\n"
        "    elif frame['type'] == 'configure':\n"
        "        answer |= {'type': 'configured', 'accepted': list(frame['profiles']), 'refused': []}\n"
        "    elif frame['type'] == 'run':\n"
        "        answer |= {'type': 'result', 'status': 'ok', 'outcome': 'unallocatable'}\n"
        "    else:\n"
        "        break\n"
        "    print(json.dumps(answer), flush=True)\n",
        encoding="utf-8",
    )
    result = run(pytester, NODE_IDS[3], NODE_IDS[4], "--implementation", "exec:python3 -S adapter.py")
    result.assert_outcomes(passed=1, failed=1)
    frames = (folder / "log.txt").read_text("utf-8").split()
    assert frames == ["started", "hello", "configure", "run", "run", "bye"]


def test_other_features_are_not_changed(pytester: pytest.Pytester) -> None:
    """In a folder without a suite, pytest-bdd works as usual, and undefined steps are errors."""
    (pytester.path / "features").mkdir()
    (pytester.path / "features" / "own.feature").write_text(
        "Feature: Own\n  @case:known\n  Scenario: Known\n    Given a step\n  @case:unknown\n  Scenario: Unknown\n    Given no such step\n",
        encoding="utf-8",
    )
    pytester.makepyfile(
        "from pytest_bdd import given, scenarios\n"
        "scenarios('features/own.feature')\n"
        "@given('a step')\n"
        "def a_step():\n"
        "    pass\n"
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*StepDefinitionNotFoundError*no such step*"])


def test_only_folders_of_the_suite_are_collected(pytester: pytest.Pytester, folder: Path) -> None:
    for place in ("docs/example.feature", "docs/example.yaml", "features/values.yaml"):
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text("no suite's file", encoding="utf-8")
    result = run(pytester, "--collect-only", "-q", "docs", "features/kep-5075")
    assert [line for line in result.outlines if "::" in line] == NODE_IDS[:4]


def test_a_session_without_a_suite_does_not_import_the_allocator() -> None:
    """Every session of an environment in which dra-conform is installed imports the plugin."""
    printed = "import sys; import dra_conform.pytest_plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", printed], capture_output=True, check=True, text=True)
    assert not {"dra_conform.allocator", "dra_conform.simulation", "polars"} & set(done.stdout.split())
