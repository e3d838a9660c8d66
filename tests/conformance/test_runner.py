"""The runner: which cases are sent, the order of results, and the verdict of each reply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished, CaseJudged, RunFinished, RunStarted
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite
from dra_conform.conformance.judging import judged
from dra_conform.conformance.runner import Settings, run, run_case
from dra_conform.conformance.verdict import CaseResult, Kind, Verdict
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted
from tests.support.conformance.allocate.judging import allocated, case_of, dedicated, share
from tests.support.conformance.allocate.trials import only_on

SUITE = Suite("trial", "1", "sha256:0")
SHARED = "[{devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}]}, {resourceClaim: {name: c, capacity: {bw: 3}}}]"
PLAIN = "[{devices: [{device: d}]}, {resourceClaim: {name: c}}]"
RIGHT = only_on(allocated(share("d", bw="3")), "node-1")
WRONG = AllocationAnswer(Outcome.UNALLOCATABLE)

Replies = Callable[[list[Request]], Iterable[Reply]]


def ok(request: Request, answer: AllocationAnswer = RIGHT, **fields: Json) -> Reply:
    return Reply(request.id, Status.OK, answer, **fields)


def in_order(requests: list[Request]) -> Iterable[Reply]:
    return map(ok, requests)


@dataclass
class Scripted:
    """An implementation with prepared answers; it accepts `window` requests before it answers."""

    replies: Replies = in_order
    window: int = 1
    operations: frozenset[str] = frozenset({"allocate"})
    features: Mapping[str, str] = field(default_factory=dict)
    seen: list[Request] = field(default_factory=list)
    closed: int = 0
    starts: bool = True
    tries: int = 1

    def start(self, suite: Suite) -> Identity:
        assert suite is SUITE
        if not self.starts:
            raise CannotStart("it will not")
        return self.identity

    @property
    def identity(self) -> Identity:
        return Identity("scripted", "1", operations=self.operations, features=self.features, tries=self.tries)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        waiting: list[Request] = []
        for request in requests:
            self.seen.append(request)
            waiting.append(request)
            if len(waiting) == self.window:
                yield from self.replies(waiting)
                waiting = []
        yield from self.replies(waiting)

    def close(self) -> None:
        self.closed += 1


def cases_of(count: int, given: str = SHARED) -> list[Case]:
    return [case_of(given, name=f"trial/{number}") for number in range(count)]


def results(implementation: Scripted, cases: Sequence[Case], **options: Json) -> list[CaseResult]:
    events = list(run(implementation, SUITE, cases, settings=Settings(**options)))
    assert isinstance(events[0], RunStarted)
    assert events[0].total == len(cases)
    assert isinstance(events[-1], RunFinished)
    assert implementation.closed == 1
    finished = [event.result for event in events[1:-1] if isinstance(event, CaseFinished)]
    assert all(isinstance(event, CaseFinished | CaseJudged) for event in events[1:-1])
    assert [result.case for result in finished] == list(cases)
    return finished


def verdicts(implementation: Scripted, cases: Sequence[Case], **options: Json) -> list[Verdict]:
    return [result.verdict for result in results(implementation, cases, **options)]


def end(implementation: Scripted, cases: Sequence[Case], **options: Json) -> tuple[str, bool]:
    *_, last = run(implementation, SUITE, cases, settings=Settings(**options))
    assert isinstance(last, RunFinished)
    return last.aborted, last.gave_up


# --- requests ----------------------------------------------------------------------------------------------


def test_requests() -> None:
    implementation = Scripted(lambda found: [ok(one, only_on(RIGHT, "node-9")) for one in found])
    case = case_of(SHARED, node="node-9", name="trial/put")
    assert verdicts(implementation, [case], seed=7, deadline_ms=30) == [Verdict.PASS]
    (request,) = implementation.seen
    assert (request.case_id, request.operation, request.seed, request.deadline_ms) == (
        "trial/put",
        "allocate",
        7,
        30,
    )
    assert request.ask == {"node": "node-9", "claims": ["default/c"]}
    assert request.objects is case.objects
    assert not {"expectation", "deviations", "requirements"} & set(Request.__slots__)


@pytest.mark.parametrize(
    ("profile", "given", "enabled", "missing"),
    [
        ("kep", SHARED, True, ""),
        ("kep", "[{featureGates: {DRAConsumableCapacity: false}}, {resourceClaim: {name: c}}]", False, ""),
        ("kubernetes-1.34", PLAIN, False, ""),
        ("kubernetes-1.34", SHARED, True, ""),
        (
            "kubernetes-1.34",
            SHARED.replace("[", "[{featureGates: {DRAConsumableCapacity: false}}, ", 1),
            False,
            "",
        ),
        ("kubernetes-1.33", SHARED, False, "DRAConsumableCapacity"),
        ("kubernetes-1.33", PLAIN, False, ""),
    ],
)
def test_gates(profile: str, given: str, enabled: bool, missing: str) -> None:
    found, lacking = profile_of(case_of(given), profile)
    assert (found.name, found.enabled("DRAConsumableCapacity"), lacking) == (profile, enabled, missing)


def test_applicable() -> None:
    everywhere, somewhere = case_of(SHARED), case_of(SHARED)
    somewhere = type(somewhere)(
        **{name: getattr(somewhere, name) for name in Case.__slots__ if name != "profiles"},
        profiles=frozenset({"kep"}),
    )
    assert applicable([everywhere, somewhere], "kep") == [everywhere, somewhere]
    assert applicable([everywhere, somewhere], "kubernetes-1.36") == [everywhere]


# --- unsupported -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "declared", "detail"),
    [
        (
            {"profile": "kubernetes-1.33"},
            {},
            "kubernetes-1.33 has no feature gate DRAConsumableCapacity, which the case needs",
        ),
        ({}, {"operations": frozenset({"admit"})}, "the implementation does not declare operation allocate"),
        (
            {},
            {"features": {"consumable-capacity": "none"}},
            "feature consumable-capacity is declared as not supported",
        ),
    ],
)
def test_cases_that_are_not_sent(options: Json, declared: Json, detail: str) -> None:
    implementation = Scripted(**declared)
    found = results(implementation, cases_of(2), **options)
    assert [(result.verdict, result.detail) for result in found] == [(Verdict.UNSUPPORTED, detail)] * 2
    assert implementation.seen == []
    assert end(Scripted(**declared), cases_of(2), **options) == ("", False)


def test_other_features_do_not_matter() -> None:
    assert verdicts(Scripted(features={"device-taints": "none"}), cases_of(1)) == [Verdict.PASS]


def test_sent_and_skipped_cases_keep_their_order() -> None:
    plain = only_on(allocated(dedicated("d")), "node-1")
    cases = [case_of(PLAIN if letter == "p" else SHARED, name=letter) for letter in "sppsspss"]
    for window in range(1, 5):
        implementation = Scripted(
            lambda requests: [ok(one, plain) for one in requests],
            window,
            features={"consumable-capacity": "none"},
        )
        found = verdicts(implementation, cases)
        assert found == [Verdict.PASS if case.id == "p" else Verdict.UNSUPPORTED for case in cases]
        assert len(implementation.seen) == 3
    last = Scripted(
        lambda requests: [ok(one, plain) for one in requests], features={"consumable-capacity": "none"}
    )
    assert end(last, cases) == ("", False)


@pytest.mark.parametrize(
    ("features", "verdict", "detail"),
    [
        ({}, Verdict.UNSUPPORTED, "not today"),
        ({"consumable-capacity": "partial"}, Verdict.UNSUPPORTED, "not today"),
        (
            {"consumable-capacity": "full"},
            Verdict.OVERCLAIM,
            "the answer is unsupported, but feature consumable-capacity is declared as fully supported\n"
            "message of the implementation: not today",
        ),
    ],
)
def test_answering_unsupported(features: Mapping[str, str], verdict: Verdict, detail: str) -> None:
    def unsupported(requests: list[Request]) -> Iterable[Reply]:
        return [Reply(one.id, Status.UNSUPPORTED, detail="not today") for one in requests]

    (result,) = results(Scripted(unsupported, features=features), cases_of(1))
    assert (result.verdict, result.detail) == (verdict, detail)
    (plain,) = results(Scripted(unsupported), cases_of(1, PLAIN))
    assert plain.verdict is Verdict.OVERCLAIM  # it declared the operation, and the case needs no feature
    assert "the case uses no feature that can be declared as not supported" in plain.detail


def test_answering_unsupported_if_a_declined_part_is_demanded() -> None:
    def unsupported(requests: list[Request]) -> Iterable[Reply]:
        return [Reply(one.id, Status.UNSUPPORTED) for one in requests]

    demanding = case_of(PLAIN, then="[{config: {resourceClaim: c, entries: []}}]")
    declining = Scripted(unsupported, features={"configuration": "none"})
    assert verdicts(declining, [demanding]) == [Verdict.UNSUPPORTED]
    assert verdicts(Scripted(unsupported), [demanding]) == [Verdict.OVERCLAIM]


# --- order and number of replies ---------------------------------------------------------------------------


@pytest.mark.parametrize("window", [1, 2, 3, 7, 50])
def test_replies_in_any_order(window: int) -> None:
    def backwards(requests: list[Request]) -> Iterable[Reply]:
        return [ok(one, RIGHT if one.id % 3 else WRONG) for one in reversed(requests)]

    found = verdicts(Scripted(backwards, window), cases_of(7))
    assert found == [Verdict.PASS if number % 3 else Verdict.FAIL for number in range(7)]


def test_missing_replies() -> None:
    def some(requests: list[Request]) -> Iterable[Reply]:
        return [ok(one) for one in requests if one.id != 1]

    found = results(Scripted(some), cases_of(3))
    assert [result.verdict for result in found] == [Verdict.PASS, Verdict.NOT_RUN, Verdict.PASS]
    assert found[1].detail == "the implementation sent no reply, expected one for each request"
    assert end(Scripted(some), cases_of(3)) == ("", True)


def test_giving_up() -> None:
    def given_up(requests: list[Request]) -> Iterable[Reply]:
        return [
            ok(one) if one.id == 0 else Reply(one.id, Status.NOT_RUN, detail="3 crashes in a row")
            for one in requests
        ]

    assert verdicts(Scripted(given_up), cases_of(3)) == [Verdict.PASS, Verdict.NOT_RUN, Verdict.NOT_RUN]
    assert end(Scripted(given_up), cases_of(3)) == ("3 crashes in a row", True)


def test_no_cases() -> None:
    assert results(Scripted(), []) == []
    assert end(Scripted(), []) == ("", False)


def test_an_implementation_that_cannot_be_started() -> None:
    with pytest.raises(CannotStart, match="it will not"):
        list(run(Scripted(starts=False), SUITE, cases_of(1), settings=Settings()))


def test_an_abandoned_run_is_closed() -> None:
    implementation = Scripted()
    events = run(implementation, SUITE, cases_of(3), settings=Settings())
    next(events)
    next(events)
    events.close()  # type: ignore[attr-defined]  # it is a generator
    assert implementation.closed == 1


def test_results_out_of_order_are_reported_at_once() -> None:
    cases = cases_of(4)
    events = run(
        Scripted(lambda found: map(ok, reversed(found)), window=4), SUITE, cases, settings=Settings()
    )
    told = [
        (type(event), event.result.case.id)
        for event in events
        if isinstance(event, CaseFinished | CaseJudged)
    ]
    early = [(CaseJudged, case.id) for case in reversed(cases[1:])]
    assert told == [*early, *((CaseFinished, case.id) for case in cases)]


def test_known_results_are_reported_at_once_and_kept() -> None:
    cases = cases_of(4)
    known = {result.case.id: result for result in results(Scripted(), cases)[2:]}
    failing = Scripted(lambda found: [ok(one, WRONG) for one in found])
    events = list(run(failing, SUITE, cases, settings=Settings(max_failures=1), known=known))
    assert [event.result for event in events if isinstance(event, CaseJudged)] == list(known.values())
    finished = [event.result.verdict for event in events if isinstance(event, CaseFinished)]
    assert finished == [Verdict.FAIL, Verdict.NOT_RUN, Verdict.PASS, Verdict.PASS]
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert last.aborted == "stopped after 1 failure, 1 case not run"


# --- max_failures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "judged_cases"), [(0, 6), (1, 2), (2, 4), (3, 6), (9, 6)])
def test_max_failures(most: int, judged_cases: int) -> None:
    def every_other(requests: list[Request]) -> Iterable[Reply]:
        return [ok(one, WRONG if one.id % 2 else RIGHT) for one in requests]

    found = results(Scripted(every_other), cases_of(6), max_failures=most)
    pattern = [Verdict.FAIL if number % 2 else Verdict.PASS for number in range(judged_cases)]
    assert [result.verdict for result in found] == pattern + [Verdict.NOT_RUN] * (6 - judged_cases)
    aborted, gave_up = end(Scripted(every_other), cases_of(6), max_failures=most)
    left = 6 - judged_cases
    assert aborted == (
        f"stopped after {counted(most, 'failure')}, {counted(left, 'case')} not run" if left else ""
    )
    assert not gave_up


def test_failures_that_are_judged_early_end_the_run() -> None:
    def last_first(requests: list[Request]) -> Iterable[Reply]:
        return (ok(one, WRONG) for one in reversed(requests))

    found = results(Scripted(last_first, window=6), cases_of(6), max_failures=2)
    assert [result.verdict for result in found] == [Verdict.NOT_RUN] * 4 + [Verdict.FAIL] * 2
    aborted, _ = end(Scripted(last_first, window=6), cases_of(6), max_failures=2)
    assert aborted == "stopped after 2 failures, 4 cases not run"


def test_a_run_whose_cases_are_all_judged_early_is_complete() -> None:
    def last_first(requests: list[Request]) -> Iterable[Reply]:
        return (ok(one, RIGHT if one.id else WRONG) for one in reversed(requests))

    def two_wrong(requests: list[Request]) -> Iterable[Reply]:
        return (ok(one, WRONG if one.id in (0, 5) else RIGHT) for one in [*requests[1:], requests[0]])

    for replies, most in ((last_first, 1), (two_wrong, 2)):
        aborted, _ = end(Scripted(replies, window=6), cases_of(6), max_failures=most)
        assert aborted == ""


# --- from a reply to a result ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "answer", "verdict", "kind"),
    [
        (Status.OK, RIGHT, Verdict.PASS, None),
        (Status.OK, WRONG, Verdict.FAIL, Kind.WRONG_OUTCOME),
        (Status.OK, None, Verdict.PROTOCOL, None),
        (Status.FAILED, None, Verdict.ADAPTER_ERROR, None),
        (Status.CRASH, None, Verdict.CRASH, None),
        (Status.TIMEOUT, None, Verdict.TIMEOUT, None),
        (Status.PROTOCOL, None, Verdict.PROTOCOL, None),
        (Status.NOT_RUN, None, Verdict.NOT_RUN, None),
        (Status.MUTATED, RIGHT, Verdict.FAIL, Kind.MUTATED_INPUT),
        (Status.MUTATED, WRONG, Verdict.FAIL, Kind.MUTATED_INPUT),
        (Status.MUTATED, None, Verdict.FAIL, Kind.MUTATED_INPUT),
        (Status.CRASH, RIGHT, Verdict.CRASH, None),
    ],
)
def test_a_reply(
    status: Status, answer: AllocationAnswer | None, verdict: Verdict, kind: Kind | None
) -> None:
    asked: list[Request] = []

    def explain(request: Request) -> tuple[str, ...]:
        asked.append(request)
        return ("it is so",)

    implementation = Scripted(
        lambda requests: [Reply(one.id, status, answer, "what happened", "a log", 0.5) for one in requests]
    )
    case = case_of(SHARED)
    (event,) = (
        event
        for event in run(implementation, SUITE, [case], settings=Settings(), explain=explain)
        if isinstance(event, CaseFinished)
    )
    result = event.result
    assert (result.verdict, result.kind, result.seconds) == (verdict, kind, 0.5)
    if verdict is Verdict.FAIL:
        assert result.why == ("it is so",)
        assert asked == implementation.seen
        assert result.expected == {"outcome": "allocated", "claims": {"default/c": []}}
        assert result.actual == (
            None if answer is None else {**result.actual, "outcome": answer.outcome.value}
        )
    else:
        assert result.why == ()
        assert asked == []
        assert (result.expected, result.actual) == (None, None)
    assert result.log == ("" if verdict is Verdict.PASS else "a log")
    assert result.detail == (
        "the reply has no answer, expected one"
        if verdict is Verdict.PROTOCOL and status is Status.OK
        else "what happened"
    )


def test_deviations() -> None:
    case = case_of(SHARED, deviations={"kubernetes-1.36": "[{unallocatable: true}]"})
    wrong = Scripted(lambda requests: [ok(one, WRONG) for one in requests])
    (there,) = results(wrong, [case], profile="kubernetes-1.36")
    assert (there.verdict, there.deviation, there.profile) == (Verdict.PASS, "it is so", "kubernetes-1.36")
    (here,) = results(Scripted(), [case], profile="kubernetes-1.37")
    assert (here.verdict, here.deviation) == (Verdict.PASS, "")
    (failed,) = results(Scripted(), [case], profile="kubernetes-1.36")
    assert (failed.verdict, failed.deviation) == (Verdict.FAIL, "it is so")
    assert failed.expected == {"outcome": "unallocatable"}
    assert failed.as_documented


@pytest.mark.parametrize("level", ["none", "full"])
def test_declined_parts_do_not_affect_as_documented(level: str) -> None:
    case = case_of(SHARED, deviations={"kubernetes-1.36": "[{unallocatable: true}]"})
    nowhere = Scripted(
        lambda requests: [ok(one, allocated(share("d", bw="3"))) for one in requests],
        features={"node-selector": level},
    )
    (failed,) = results(nowhere, [case], profile="kubernetes-1.36")
    assert (failed.verdict, failed.as_documented) == (Verdict.FAIL, level == "none")


def test_an_answer_that_neither_specification_nor_release_expects() -> None:
    case = case_of(SHARED, deviations={"kubernetes-1.36": "[{unallocatable: true}]"})
    errs = Scripted(lambda requests: [ok(one, AllocationAnswer(Outcome.ERRORED)) for one in requests])
    (failed,) = results(errs, [case], profile="kubernetes-1.36")
    assert (failed.verdict, failed.as_documented) == (Verdict.FAIL, False)


def test_strict_is_passed_to_the_judge() -> None:
    case = case_of(
        SHARED, then="[{allocatedAtLeast: {resourceClaim: c, results: [{device: x}]}}]", order=True
    )
    assert verdicts(Scripted(), [case]) == [Verdict.PASS]
    assert verdicts(Scripted(), [case], strict=True) == [Verdict.FAIL]


@pytest.mark.parametrize(
    ("level", "profile", "verdict", "recommended"),
    [
        ("MUST", "kep", Verdict.FAIL, False),
        ("SHOULD", "kep", Verdict.FAIL, True),
        ("MAY", "kep", Verdict.OPTIONAL, False),
        ("SHOULD", "kubernetes-1.37", Verdict.FAIL, False),
        ("MAY", "kubernetes-1.37", Verdict.FAIL, False),
    ],
)
def test_the_level_of_a_case_decides_whether_another_answer_is_a_failure(
    level: str, profile: str, verdict: Verdict, recommended: bool
) -> None:
    case = replace(case_of(SHARED), level=level)
    wrong = Scripted(lambda requests: [ok(one, WRONG) for one in requests])
    (result,) = results(wrong, [case], profile=profile)
    assert (result.verdict, result.only_recommended) == (verdict, recommended)
    assert verdicts(Scripted(), [case], profile=profile) == [Verdict.PASS]


def test_an_invalid_allocation_is_a_failure_at_every_level() -> None:
    case = replace(case_of(SHARED), level="MAY")
    oversold = only_on(allocated(share("d", bw="30")), "node-1")
    (result,) = results(Scripted(lambda requests: [ok(one, oversold) for one in requests]), [case])
    assert (result.verdict, result.kind) == (Verdict.FAIL, Kind.INVALID_ALLOCATION)


def test_a_single_case() -> None:
    implementation = Scripted(lambda requests: [ok(one, WRONG) for one in requests])
    identity = implementation.start(SUITE)
    result = run_case(
        implementation,
        identity,
        case_of(SHARED),
        Settings(max_failures=1),
        lambda request: (request.case_id,),
    )
    assert (result.verdict, result.why) == (Verdict.FAIL, ("trial/one",))
    unsupported = Scripted(operations=frozenset())
    result = run_case(unsupported, unsupported.identity, case_of(SHARED), Settings())
    assert result.verdict is Verdict.UNSUPPORTED


def test_request_and_judge_have_the_same_profile() -> None:
    case = case_of(
        "[{featureGates: {DRAConsumableCapacity: false}}, {devices: [{device: d, allowMultipleAllocations: true}]}, {resourceClaim: {name: c}}]"
    )
    implementation = Scripted(lambda requests: [ok(one, allocated(share("d"))) for one in requests])
    (result,) = results(implementation, [case])
    assert result.kind is Kind.INVALID_ALLOCATION
    (request,) = implementation.seen
    assert judged(case, request, ok(request), implementation.identity, "kep").verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("answers", "kind", "asked"),
    [
        ([RIGHT], None, 1),
        ([WRONG, WRONG, WRONG], Kind.WRONG_OUTCOME, 3),
        ([WRONG, RIGHT], Kind.FLAKY, 2),
        ([WRONG, WRONG, RIGHT], Kind.FLAKY, 3),
    ],
)
def test_a_failure_is_repeated_if_answers_depend_on_chance(
    answers: list[AllocationAnswer], kind: Kind | None, asked: int
) -> None:
    left = iter(answers)
    implementation = Scripted(lambda requests: (ok(one, next(left)) for one in requests), tries=3)
    (result,) = results(implementation, cases_of(1))
    assert result.kind == kind
    assert result.verdict is (Verdict.FAIL if kind else Verdict.PASS)
    assert len(implementation.seen) == asked
    if kind is Kind.FLAKY:
        assert result.findings[-1].rule == "flaky"
