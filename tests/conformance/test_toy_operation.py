"""An operation that only this file and the table know: a counter, with a scenario of three steps."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from dra_conform.adapters.answers import to_reply
from dra_conform.adapters.check import check
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.serve import FrameServer
from dra_conform.adapters.session import profile_body, run_body
from dra_conform.adapters.specs import open_implementation
from dra_conform.adapters.wire import Frame
from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Implementation, Reply, Request, Suite
from dra_conform.conformance.operation import Operation, Probe
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.runner import Settings, answer_of, run
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import StepError, then, when
from dra_conform.conformance.suite.coverage import coverage
from dra_conform.conformance.suite.lint import lint
from dra_conform.conformance.suite.loading import load_suite
from dra_conform.conformance.verdict import PASSED, CaseResult, Finding, Judgement, Kind, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.reports import json_report
from dra_conform.reports.failure import failure_lines
from dra_conform.reports.terminal import Terminal
from tests.support.conformance.suite.writing import feature, golden, suite
from tests.support.reports.fake_runs import run as run_of

pytest_plugins = ["pytester"]

SUITE = Suite("tests", "1", "sha256:0")


# The operation.


@dataclass(frozen=True, slots=True)
class CountExpectation:
    """The count after a step; None if any is correct, -1 if the step is rejected."""

    count: int | None
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return self.count != -1

    @property
    def rejects(self) -> bool:
        return self.count == -1


@dataclass
class CountExpectationBuilder:
    ask: Mapping[str, Json]
    count: int | None = None
    steps: list[str] = field(default_factory=list)

    def build(self) -> CountExpectation:
        if not self.steps:
            raise StepError("has no count, expected at least one Then step")
        return CountExpectation(self.count, tuple(self.steps))


@when("{n} is added", n="[0-9]+")
def add(_: Given, n: int) -> int:
    return n


@when("the count is asked")
def ask_count(_: Given, __: bool) -> int:
    return 0


@then("the count is {n}", n="[0-9]+")
def count(then: CountExpectationBuilder, n: int) -> None:
    then.count = n


@then("it is refused")
def full(then: CountExpectationBuilder, _: bool) -> None:
    then.count = -1


@then("the count is there")
def any_(then: CountExpectationBuilder, _: bool) -> None:
    """Accept each count."""


STEPS = (add, ask_count, count, full, any_)


CountExpectations = Sequence[CountExpectation | None]


class CountUp(Operation[CountExpectation, tuple[int, ...]]):
    """The sums after each step."""

    name = "count-up"
    steps = STEPS
    multi_step = True
    probes = (Probe("an addition", {}, {"added": [1]}),)

    def build_question(self, given: Given, actions: Sequence[int]) -> tuple[Objects, Mapping[str, Json]]:
        return {}, {"added": list(actions)}

    def expect(self, ask: Mapping[str, Json], step_index: int) -> CountExpectationBuilder:
        return CountExpectationBuilder(ask)

    def read(self, body: Mapping[str, Json]) -> tuple[int, ...]:
        if not isinstance(body.get("counts"), list):
            raise ValueError("status ok without counts")
        return tuple(body["counts"])

    def write(self, answer: tuple[int, ...]) -> dict[str, Json]:
        return {"outcome": "counted", "counts": list(answer)}

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: CountExpectations,
        answer: tuple[int, ...],
        *,
        strict: bool,
    ) -> Judgement:
        findings = tuple(
            Finding("expectation", f"expected {one.count}, got {got}", step=0, case_step=act)
            for act, (one, got) in enumerate(zip(expectations, answer, strict=True))
            if one is not None and one.count not in (None, got)
        )
        return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings) if findings else PASSED

    def negations(self, expectation: CountExpectation) -> Iterator[tuple[str, CountExpectation]]:
        yield (
            "its count",
            replace(expectation, count=None if expectation.count is None else expectation.count + 1),
        )

    def expected(self, expectations: CountExpectations) -> Json:
        return [None if one is None else one.count for one in expectations]

    def actual(self, answer: tuple[int, ...]) -> Json:
        return list(answer)

    def align(self, case: Case, profile: str, expected: Json, actual: Json) -> tuple[Json, Json]:
        return expected, [None if one is None else got for one, got in zip(expected, actual, strict=True)]


COUNT = CountUp()


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPERATIONS, COUNT.name, COUNT)


# Its implementations: up to ten, a release counts double.


class Counter:
    operations = ("count-up",)
    step = 1

    def count_up(self, objects: Json, ask: Json, profile: Profile) -> Json:
        total, counts = 0, []
        for number in ask["added"]:
            full = total + number > 10
            total += 0 if full else number * self.step * (2 if profile.name == "kubernetes-1.36" else 1)
            counts.append(-1 if full else total)
        return {"outcome": "counted", "counts": counts}


class Double(Counter):
    step = 2


def implementation(target: type[Counter]) -> Implementation:
    return InProcessImplementation(lambda: target, spec=f"python:{target.__name__}")


# Its texts.

GOLDEN = """\
# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
document: KEP-5075
area: counting
title: Counting
cases:
  - case: twice-and-read
    title: What is added is counted
    requirements: [KEP-5075/counting/sum]
    steps:
      - when: {add: 1}
      - when: {add: 2}
        then: [{count: 3}]
        in: [{profiles: [in 1.36], reason: that release counts double, then: [{count: 6}]}]
      - when: {askCount: true}
        then: [{count: 3}]
        in: [{profiles: [in 1.36], reason: that release counts double, then: [{count: 6}]}]
"""
FEATURE = """\
Feature: Counting
  @case:twice-and-read
  @KEP-5075/counting/sum
  Scenario: Twice and read
    When 1 is added
    When 2 is added
    Then the count is 3
    But in Kubernetes 1.36, because that release counts double: the count is 6
    When the count is asked
    Then the count is 3
    But in Kubernetes 1.36, because that release counts double: the count is 6
"""
CATALOGUE = """\
document: KEP-5075
title: Counting
requirements:
  - id: KEP-5075/counting/sum
    level: MUST
    area: counting
    operation: observe
    section: Counting
    statement: What is added is counted, up to ten.
    polarity: [accepts, rejects]
"""
REQUIREMENT = Requirement(
    "KEP-5075/counting/sum",
    "KEP-5075",
    "counting",
    "MUST",
    "observe",
    "Counting",
    "What is added is counted.",
)


def results(one: Implementation, cases: Sequence[Case], profile: str = "kep") -> list[CaseResult]:
    events = run(one, SUITE, cases, settings=Settings(profile=profile))
    return [event.result for event in events if isinstance(event, CaseFinished)]


READERS: list[Callable[[], list[Case]]] = [lambda: golden(GOLDEN), lambda: feature(FEATURE)]


@pytest.mark.parametrize("cases", READERS, ids=["golden", "gherkin"])
def test_a_scenario_of_three_steps(cases: Callable[[], list[Case]]) -> None:
    (case,) = cases()
    assert case.id == "kep-5075/trial/twice-and-read"
    assert (case.operation, case.ask, case.objects) == ("count-up", {"added": [1, 2, 0]}, {})
    first, second, third = case.case_steps
    assert (first.expectation, first.deviations) == (None, ())
    assert [getattr(act.expectation, "count", None) for act in case.case_steps] == [None, 3, 3]
    [deviation] = second.deviations
    assert (deviation.profiles, deviation.reason) == (
        frozenset({"kubernetes-1.36"}),
        "that release counts double",
    )
    assert third.deviations[0].expectation.accepts


@pytest.mark.parametrize("cases", READERS, ids=["golden", "gherkin"])
@pytest.mark.parametrize(
    ("profile", "deviation"), [("kep", ""), ("kubernetes-1.36", "that release counts double")]
)
def test_a_correct_counter_passes(cases: Callable[[], list[Case]], profile: str, deviation: str) -> None:
    [result] = results(implementation(Counter), cases(), profile)
    assert (result.verdict, result.findings, result.deviation) == (Verdict.PASS, (), deviation)


@pytest.mark.parametrize("cases", READERS, ids=["golden", "gherkin"])
def test_a_finding_names_its_step_and_its_then(cases: Callable[[], list[Case]]) -> None:
    [result] = results(implementation(Double), cases())
    assert (result.verdict, result.kind) == (Verdict.FAIL, Kind.WRONG_RESULT)
    assert [(one.case_step, one.step, one.message) for one in result.findings] == [
        (1, 0, "expected 3, got 6"),
        (2, 0, "expected 3, got 6"),
    ]
    assert (result.expected, result.actual) == ([None, 3, 3], [2, 6, 6])


def test_an_implementation_without_the_operation() -> None:
    [result] = results(open_implementation("builtin"), golden(GOLDEN))
    assert (result.verdict, result.detail) == (
        Verdict.UNSUPPORTED,
        "the implementation does not declare operation count-up",
    )


def test_failure_messages() -> None:
    [result] = results(implementation(Double), feature(FEATURE))
    text = "\n".join(failure_lines(result, [REQUIREMENT]))
    for part in (
        "When 1 is added",
        "When the count is asked",
        "    - - 3\n    + - 6",
        "differs at [1], [2]",
        "expectation: expected 3, got 6 (in step 2: Then the count is 3)",
        "expectation: expected 3, got 6 (in step 3: Then the count is 3)",
    ):
        assert part in text


def test_the_reports(capsys: pytest.CaptureFixture[str]) -> None:
    found = results(implementation(Double), golden(GOLDEN))
    document = json.loads(json_report.render([run_of(found, catalogue=[REQUIREMENT])]))
    [told] = document["results"]
    assert [(one["caseStep"], one["step"]) for one in told["findings"]] == [(1, 0), (2, 0)]
    assert (told["expected"], told["actual"]) == ([None, 3, 3], [2, 6, 6])
    terminal = Terminal(sys.stdout)
    for event in run(implementation(Double), SUITE, golden(GOLDEN), settings=Settings()):
        terminal.handle(event)
    terminal.close()
    said = capsys.readouterr().out
    assert "kep-5075/trial/twice-and-read" in said
    assert "(in step 2: count: 3)" in said
    assert "1 of 1 case failed" in said


@pytest.mark.slow
def test_the_failing_step_in_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    suite(pytester.path, golden_text=GOLDEN, feature_text=FEATURE, catalogue=CATALOGUE)
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    monkeypatch.delitem(
        sys.modules, "dra_conform.bdd", raising=False
    )  # it registers steps once, when imported
    spec = f"python:{__name__}:Double"
    plugins = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    result = pytester.runpytest_inprocess(*plugins, "features/", "--implementation", spec)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*features/kep-5075/trial.feature:7: Then the count is 3"])


def _lint(folder: Path, text: str) -> list[str]:
    one = implementation(Counter)
    one.start(SUITE)
    loaded = load_suite(suite(folder, golden_text=text, catalogue=CATALOGUE))
    return [str(error) for error in lint(loaded, lambda case: answer_of(one, case, "kep"))]


def test_each_step_with_an_expectation_can_fail(tmp_path: Path) -> None:
    assert _lint(tmp_path, GOLDEN) == []


def test_a_step_that_cannot_fail_is_vacuous(tmp_path: Path) -> None:
    text = GOLDEN.replace("when: {add: 1}", "when: {add: 1}\n        then: [{any: true}]")
    [problem] = _lint(tmp_path, text)
    assert problem.endswith("passes even with its count negated, expected a failure")


def test_the_last_step_needs_an_expectation() -> None:
    text = GOLDEN[: GOLDEN.index("        then: [{count: 3}]\n        in:", GOLDEN.index("askCount"))]
    with pytest.raises(InputError, match="steps\\[2\\]: has no count, expected at least one Then step"):
        golden(text)


def test_a_scenario_can_have_both_polarities() -> None:
    refused = GOLDEN.replace("when: {add: 1}", "when: {add: 11}\n        then: [{full: true}]")
    requirement = replace(REQUIREMENT, polarity=frozenset({"accepts", "rejects"}))

    def row(text: str) -> Json:
        return coverage([requirement], golden(text))["requirements"][0]

    assert not row(GOLDEN)["covered"]
    assert {name: row(refused)[name] for name in ("covered", "accepts", "rejects")} == {
        "covered": True,
        "accepts": 1,
        "rejects": 1,
    }


ADAPTER = """\
import json, sys
for line in sys.stdin:
    frame = json.loads(line)
    answer = {"id": frame["id"]}
    match frame["type"]:
        case "hello":
            who = {"name": "counter", "version": "1"}
            answer |= {"type": "hello", "protocol": 1, "implementation": who, "operations": ["count-up"]}
        case "configure":
            answer |= {"type": "configured", "accepted": list(frame["profiles"])}
        case "run":
            added = frame["case"]["ask"]["added"]
            counts = [sum(added[: n + 1]) for n in range(len(added))]
            answer |= {"type": "result", "status": "ok", "outcome": "counted", "counts": counts}
        case "bye":
            break
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def process(tmp_path: Path) -> str:
    (tmp_path / "counter.py").write_text(ADAPTER, encoding="utf-8")
    return f"exec:{sys.executable} -S {tmp_path / 'counter.py'}"


def test_over_the_wire(process: str) -> None:
    [result] = results(open_implementation(process), golden(GOLDEN))
    assert (result.verdict, result.detail) == (Verdict.PASS, "")
    [departed] = results(open_implementation(process), golden(GOLDEN), "kubernetes-1.36")
    assert [one.case_step for one in departed.findings] == [1, 2]


def test_served_over_the_wire() -> None:
    """The server writes an answer that the client can read."""
    (case,) = golden(GOLDEN)
    one = InProcessImplementation(Counter, spec="python:Counter")
    server = FrameServer(one)
    hello = {"type": "hello", "protocol": {"min": 1, "max": 1}}
    profile = profile_body(Profile.named("kep"))
    request = Request(2, case.id, case.operation, Profile.named("kep"), case.objects, case.ask)
    server.answer(Frame(0, hello))
    server.answer(Frame(1, {"type": "configure", "profiles": {"p1": profile}}))
    answer = server.answer(Frame(2, {"type": "run", "case": run_body(request, "p1")}))
    assert answer is not None
    reply = to_reply(request, answer)
    assert isinstance(reply, Reply)
    assert reply.answer == (1, 3, 3)


def test_an_adapter_is_checked_with_its_probes(process: str) -> None:
    found = {item.title: item.ok for item in check(process)}
    assert found["the adapter answers an addition"]
    assert found["the adapter ignores unknown fields"]


def test_a_malformed_answer() -> None:
    class Silent(Counter):
        def count_up(self, objects: Json, ask: Json, profile: Profile) -> Json:
            return {"outcome": "counted"}

    [result] = results(implementation(Silent), golden(GOLDEN))
    assert (result.verdict, result.detail) == (
        Verdict.PROTOCOL,
        "the result violates the schema: status ok without counts",
    )
