"""The runner: sends cases to an implementation, judges the answers, and yields events."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from time import perf_counter
from types import MappingProxyType

from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished, CaseJudged, Event, RunFinished, RunStarted
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import Answer, Identity, Implementation, Reply, Request, Suite
from dra_conform.conformance.judging import Explain, MissingAnswers, judged, not_run, obstacle_to
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Finding, Kind, Verdict
from dra_conform.kube.listing import counted
from dra_conform.kube.profile import KEP, Profile

_NO_REPLY = "the implementation sent no reply, expected one for each request"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run. `deadline_ms` is per case; `max_failures` 0 means no limit.

    `memory` (in bytes, 0 is no limit) and `in_process` say how implementations were opened.
    """

    profile: str = KEP
    strict: bool = False
    seed: int = 0
    deadline_ms: int = 2000
    max_failures: int = 0
    memory: int = 0
    in_process: bool = False

    def options(self) -> Mapping[str, str]:
        """Return the settings that affect verdicts, except the profile, by option, in words."""
        return {
            "--strict-choice": "given" if self.strict else "not given",
            "--seed": str(self.seed),
            "--deadline": f"{self.deadline_ms} ms",
            "--memory": f"{self.memory} bytes" if self.memory else "not given",
            "--in-process": "given" if self.in_process else "not given",
        }

    def words(self) -> tuple[str, ...]:
        """Return the settings as words of the command line, without the profile and defaults."""
        default = Settings()
        words = ["--strict-choice"] if self.strict else []
        words += ["--seed", str(self.seed)] if self.seed != default.seed else []
        if self.deadline_ms != default.deadline_ms:
            words += ["--deadline", f"{Decimal(self.deadline_ms).scaleb(-3).normalize():f}"]
        words += ["--memory", str(self.memory)] if self.memory else []
        return (*words, *(["--in-process"] if self.in_process else []))


def about_subjects(cases: Iterable[Case], identity: Identity) -> list[Case]:
    """Return the cases about the subjects of an implementation: the control plane, drivers or kubelets."""
    subjects = {OPERATIONS[name].subject for name in identity.operations if name in OPERATIONS}
    return [case for case in cases if OPERATIONS[case.operation].subject in subjects]


def run(
    implementation: Implementation,
    suite: Suite,
    cases: Sequence[Case],
    *,
    settings: Settings,
    catalogue: Sequence[Requirement] = (),
    explain: Explain | None = None,
    started: str = "",
    known: Mapping[str, CaseResult] = MappingProxyType({}),
) -> Generator[Event]:
    """Run cases on an implementation; yield one `CaseFinished` for each, in order.

    Cases about another subject than the implementation, such as those about drivers, are left out. Cases with
    `known` results, by id, are not run again. Known results, and answers that arrive out of order, are also
    reported by a `CaseJudged` as soon as possible. Raises CannotStart if the implementation cannot be
    started; every later fault becomes a verdict.
    """
    begin = perf_counter()
    identity = implementation.start(suite)
    try:
        cases = about_subjects(cases, identity)
        yield RunStarted(
            identity,
            settings.profile,
            suite,
            len(cases),
            tuple(catalogue),
            started,
            settings.options(),
            options=settings.words(),
        )
        in_progress = _Run(implementation, identity, cases, settings, explain, known)
        yield from in_progress.events()
    finally:
        implementation.close()
    yield RunFinished(perf_counter() - begin, in_progress.aborted, in_progress.gave_up)


class _Run:
    """A run in progress: results that are not reported yet, and requests without a reply.

    `aborted` and `gave_up` are those of `RunFinished`, once `events` has ended.
    """

    def __init__(
        self,
        implementation: Implementation,
        identity: Identity,
        cases: Sequence[Case],
        settings: Settings,
        explain: Explain | None = None,
        known: Mapping[str, CaseResult] = MappingProxyType({}),
    ) -> None:
        self._implementation = implementation
        self._identity = identity
        self._cases = cases
        self._settings = settings
        self._explain = explain
        self._early = {index: known[case.id] for index, case in enumerate(cases) if case.id in known}
        """Results that are reported before their turn, by the index of their case."""
        self._results = dict(self._early)
        self._known = frozenset(self._early)
        self._sent: dict[int, Request] = {}
        self._failures = 0
        self._missing = MissingAnswers()
        self.aborted = ""
        self.gave_up = False

    def events(self) -> Iterator[Event]:
        """Yield a `CaseFinished` for each case, in order, and a `CaseJudged` for each early result."""
        yield from map(CaseJudged, self._early.values())
        replies = self._implementation.run(self._requests())
        for index in range(len(self._cases)):
            while index not in self._results:
                yield from self._judge_next(replies, index)
                if self._has_enough_failures and index not in self._results:
                    yield from self._stop(index)
                    return
            result = self._results.pop(index)
            self._sent.pop(index, None)
            self._count(index, result)
            yield CaseFinished(result)
            first_left = index + 1
            if self._has_enough_failures and first_left < len(self._cases):
                yield from self._stop(first_left)
                return
        common = "" if self.aborted else self._missing.common_reason()
        self.aborted, self.gave_up = self.aborted or common, self.gave_up or bool(common)
        # The end of the requests tells an implementation that it can stop.
        for _ in replies:
            pass

    def _requests(self) -> Iterator[Request]:
        """Yield a request for each case without a known result. A case that cannot run gets its result."""
        for index, case in enumerate(self._cases):
            if index in self._early:
                continue
            profile, missing = profile_of(case, self._settings.profile)
            obstacle = obstacle_to(case, self._identity, self._settings.profile, missing)
            if obstacle:
                self._results[index] = CaseResult(
                    case, self._settings.profile, Verdict.UNSUPPORTED, detail=obstacle
                )
                continue
            self._sent[index] = request = _request(index, case, profile, self._settings)
            yield request

    def _judge_next(self, replies: Iterator[Reply], awaited: int) -> Iterator[Event]:
        """Judge the next reply. Without a reply, the awaited case and all later cases count as not run."""
        reply = next(replies, None)
        if reply is None:
            unanswered = [index for index in range(awaited, len(self._cases)) if index not in self._results]
            for index in unanswered:
                self._results[index] = not_run(self._cases[index], self._settings.profile, _NO_REPLY)
            self.gave_up = self.gave_up or bool(unanswered)
            return
        self._results[reply.id] = result = self._judged(reply)
        self._failures += result.verdict in CONFORMANCE_FAILURES
        if result.verdict is Verdict.NOT_RUN:
            self.aborted = self.aborted or result.detail or "the implementation stopped answering"
            self.gave_up = True
        elif reply.id != awaited:
            self._early[reply.id] = result
            yield CaseJudged(result)

    def _judged(self, reply: Reply) -> CaseResult:
        """Judge a reply; repeat a failing case as often as the implementation wants."""
        case, request, settings = self._cases[reply.id], self._sent[reply.id], self._settings
        result = judged(
            case, request, reply, self._identity, settings.profile, settings.strict, self._explain
        )
        if result.verdict is not Verdict.FAIL:
            return result
        return _tried_again(self._implementation, result, request, self._identity, settings)

    @property
    def _has_enough_failures(self) -> bool:
        """Whether as many cases have failed as the run may have, early results included."""
        return 0 < self._settings.max_failures <= self._failures

    def _count(self, index: int, result: CaseResult) -> None:
        if index in self._known:  # Other failures were counted when they were judged.
            self._failures += result.verdict in CONFORMANCE_FAILURES
        self._missing.count(result)

    def _stop(self, first: int) -> Iterator[Event]:
        """Finish the run early: yield early results, and all other cases as not run."""
        left = range(first, len(self._cases))
        if missing := len(left) - len(self._early.keys() & left):
            self.aborted = (
                f"stopped after {counted(self._failures, 'failure')}, {counted(missing, 'case')} not run"
            )
        for index in left:
            yield CaseFinished(
                self._early.get(index) or not_run(self._cases[index], self._settings.profile, self.aborted)
            )


def _tried_again(
    implementation: Implementation,
    first: CaseResult,
    request: Request,
    identity: Identity,
    settings: Settings,
) -> CaseResult:
    """Repeat a failing case; return the first failure, marked as flaky if a later result differs.

    An implementation with several tries accepts a request while other requests are in progress.
    """
    for number in range(2, identity.tries + 1):
        [reply] = implementation.run([request])
        again = judged(first.case, request, reply, identity, settings.profile, settings.strict)
        if (again.verdict, again.findings) != (first.verdict, first.findings):
            why = "; ".join(finding.message for finding in again.findings) or again.detail
            message = f"try {number} differs from the first try: {again.verdict}"
            flaky = Finding("flaky", f"{message} ({why})" if why else message)
            return replace(first, kind=Kind.FLAKY, findings=(*first.findings, flaky))
    return first


def _request(index: int, case: Case, profile: Profile, settings: Settings) -> Request:
    return Request(
        id=index,
        case_id=case.id,
        operation=case.operation,
        profile=profile,
        objects=case.objects,
        ask=case.ask,
        seed=settings.seed,
        deadline_ms=settings.deadline_ms,
    )


def run_case(
    implementation: Implementation,
    identity: Identity,
    case: Case,
    settings: Settings,
    explain: Explain | None = None,
) -> CaseResult:
    """Run a single case on a started implementation."""
    single = replace(settings, max_failures=0)
    events = _Run(implementation, identity, [case], single, explain).events()
    [result] = [event.result for event in events if isinstance(event, CaseFinished)]
    return result


def answer_of(implementation: Implementation, case: Case, profile: str) -> Answer | None:
    """Return the answer of a started implementation to a case in a profile, None if there is no answer."""
    request = _request(0, case, profile_of(case, profile)[0], Settings(profile))
    [reply] = implementation.run([request])
    return reply.answer
