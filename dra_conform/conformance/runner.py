"""The runner: puts cases to an implementation, judges the answers, and yields events."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from types import MappingProxyType

from dra_conform.conformance.case import Case
from dra_conform.conformance.case_profiles import profile_of
from dra_conform.conformance.events import CaseFinished, CaseJudged, Event, RunFinished, RunStarted
from dra_conform.conformance.features import features_in_words
from dra_conform.conformance.implementation import (
    Answer,
    Identity,
    Implementation,
    Request,
    Suite,
)
from dra_conform.conformance.judging import Explain, judged
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import (
    CONFORMANCE_FAILURES,
    NO_ANSWER,
    CaseResult,
    Finding,
    Kind,
    Summary,
    Verdict,
)
from dra_conform.kube.profile import KEP, KEP_FUTURE, Profile

_NO_REPLY = "the implementation gave no reply"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is done. `deadline_ms` is per case; `max_failures` 0 means go on to the end.

    `memory` (in bytes, 0 is no limit) and `in_process` say how implementations have been opened.
    """

    profile: str = KEP
    strict: bool = False
    seed: int = 0
    deadline_ms: int = 2000
    max_failures: int = 0
    memory: int = 0
    in_process: bool = False

    def options(self) -> Mapping[str, str]:
        """What bears on verdicts beside the profile, by the option that sets it, in words."""
        return {
            "--strict-choice": "given" if self.strict else "not given",
            "--seed": str(self.seed),
            "--deadline": f"{self.deadline_ms} ms",
            "--memory": f"{self.memory} bytes" if self.memory else "not given",
            "--in-process": "given" if self.in_process else "not given",
        }


def applicable(cases: Iterable[Case], profile: str) -> list[Case]:
    """The cases that hold for a profile; for what documents sketch those only that say so."""
    return [
        case
        for case in cases
        if (profile in case.profiles if case.profiles is not None else profile != KEP_FUTURE)
    ]


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
    """Judge an implementation on cases, one `CaseFinished` each in the order given.

    Cases whose results are `known` by their ids are not put to it again. These, and what an implementation
    answers before its turn, are told by a `CaseJudged` besides, as soon as they are there.
    Raises CannotStart where the implementation cannot be started; every later fault is a verdict.
    """
    begin = perf_counter()
    identity = implementation.start(suite)
    try:
        options = settings.options()
        yield RunStarted(identity, settings.profile, suite, len(cases), tuple(catalogue), started, options)
        aborted, gave_up = yield from _results(implementation, identity, cases, settings, explain, known)
    finally:
        implementation.close()
    yield RunFinished(perf_counter() - begin, aborted, gave_up)


def _results(
    implementation: Implementation,
    identity: Identity,
    cases: Sequence[Case],
    settings: Settings,
    explain: Explain | None,
    known: Mapping[str, CaseResult] = MappingProxyType({}),
) -> Generator[Event, None, tuple[str, bool]]:
    early = {index: known[case.id] for index, case in enumerate(cases) if case.id in known}
    settled = dict(early)
    sent: dict[int, Request] = {}

    def requests() -> Iterator[Request]:
        for index, case in enumerate(cases):
            if case.id in known:
                continue
            profile, missing = profile_of(case, settings.profile)
            obstacle = _obstacle(case, identity, settings.profile, missing)
            if obstacle:
                settled[index] = CaseResult(case, settings.profile, Verdict.UNSUPPORTED, detail=obstacle)
                continue
            sent[index] = request = _request(index, case, profile, settings)
            yield request

    yield from map(CaseJudged, early.values())
    failures = 0
    reasons: Counter[str] = Counter()
    aborted, gave_up = "", False
    next_index = 0
    replies = implementation.run(requests())
    while next_index < len(cases):
        if next_index not in settled:
            reply = next(replies, None)
            if reply is None:
                unanswered = [index for index in range(next_index, len(cases)) if index not in settled]
                settled |= {index: not_run(cases[index], settings.profile, _NO_REPLY) for index in unanswered}
                gave_up = gave_up or bool(unanswered)
                continue
            result = judged(
                cases[reply.id], sent[reply.id], reply, identity, settings.profile, settings.strict, explain
            )
            if result.verdict is Verdict.FAIL:
                result = _tried_again(implementation, result, sent[reply.id], identity, settings)
            settled[reply.id] = result
            if result.verdict is Verdict.NOT_RUN:
                aborted = aborted or result.detail or "the implementation was given up"
                gave_up = True
            elif reply.id != next_index:
                early[reply.id] = result
                yield CaseJudged(result)
            continue
        result = settled.pop(next_index)
        sent.pop(next_index, None)
        next_index += 1
        failures += result.verdict in CONFORMANCE_FAILURES
        if result.verdict is not Verdict.UNSUPPORTED:
            reasons[reason_of(result)] += 1
        yield CaseFinished(result)
        if settings.max_failures and failures >= settings.max_failures and next_index < len(cases):
            aborted = yield from _stopped(failures, cases, next_index, early, settings.profile)
            return aborted, gave_up
    alike = "" if aborted else failing_alike(reasons)
    aborted, gave_up = aborted or alike, gave_up or bool(alike)
    # An implementation learns from the end of its requests that it may take its leave.
    for _ in replies:
        pass
    return aborted, gave_up


def _stopped(
    failures: int, cases: Sequence[Case], first: int, early: Mapping[int, CaseResult], profile: str
) -> Generator[Event, None, str]:
    """The rest of a run that ends here, and why: what was told before its turn, others as not run."""
    left = range(first, len(cases))
    why = f"stopped after {failures} failure(s), {len(left) - len(early.keys() & left)} case(s) not run"
    for index in left:
        yield CaseFinished(early.get(index) or not_run(cases[index], profile, why))
    return why


def failing_alike(reasons: Mapping[str, int]) -> str:
    """What to say where all cases of `reasons` (as `reason_of` has them) fail for one; else empty."""
    [(reason, cases)] = reasons.items() if len(reasons) == 1 else [("", 0)]
    return f"all {cases} cases it was asked fail equally: {reason}" if reason and cases > 1 else ""


def reason_of(result: CaseResult) -> str:
    """Why there is no answer, without the numbers in which such reasons differ; empty where there is one."""
    if result.verdict not in NO_ANSWER:
        return ""
    return f"{result.verdict}: {re.sub(r'0x[0-9a-f]+|[0-9]+', 'N', result.detail)}"


def _tried_again(
    implementation: Implementation,
    first: CaseResult,
    request: Request,
    identity: Identity,
    settings: Settings,
) -> CaseResult:
    """The same failure if every further try fails alike; else a failure that says how they differ.

    An implementation with several tries takes a request while others are on their way.
    """
    for number in range(2, identity.tries + 1):
        reply = next(iter(implementation.run([request])))
        again = judged(first.case, request, reply, identity, settings.profile, settings.strict)
        if (again.verdict, again.findings) != (first.verdict, first.findings):
            said = "; ".join(finding.message for finding in again.findings) or again.detail
            message = f"try {number} gives another answer than the first: {again.verdict}"
            flaky = Finding("flaky", f"{message}, {said}" if said else message)
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


def not_run(case: Case, profile: str, why: str) -> CaseResult:
    """The result of a case that nobody was asked about."""
    return CaseResult(case, profile, Verdict.NOT_RUN, detail=why)


def _obstacle(case: Case, identity: Identity, profile: str, missing_gate: str) -> str:
    if missing_gate:
        return f"{profile} has no feature gate {missing_gate}"
    if case.operation not in identity.operations:
        return f"operation {case.operation} is not declared"
    absent = sorted(name for name in case.features if identity.features.get(name) == "none")
    return f"{features_in_words(absent)} declared as not supported" if absent else ""


def judge_one(
    implementation: Implementation,
    identity: Identity,
    case: Case,
    settings: Settings,
    explain: Explain | None = None,
) -> CaseResult:
    """Put a single case to a started implementation."""
    one = replace(settings, max_failures=0)
    events = _results(implementation, identity, [case], one, explain)
    [result] = [event.result for event in events if isinstance(event, CaseFinished)]
    return result


def answer_of(implementation: Implementation, case: Case, profile: str) -> Answer | None:
    """What a started implementation answers to a case in a profile, None where it has no answer."""
    request = _request(0, case, profile_of(case, profile)[0], Settings(profile))
    return next(iter(implementation.run([request]))).answer


def summary(results: Iterable[CaseResult]) -> Summary:
    """Count verdicts."""
    counts: Mapping[Verdict, int] = Counter(result.verdict for result in results)
    return Summary(counts)
