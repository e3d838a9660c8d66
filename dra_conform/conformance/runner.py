"""The runner: sends cases to an implementation, judges the answers, and yields events."""

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


def applicable(cases: Iterable[Case], profile: str) -> list[Case]:
    """Return the cases of a profile; `kep-future` has only cases that name it."""
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
    """Run cases on an implementation; yield one `CaseFinished` for each, in order.

    Cases with `known` results, by id, are not run again. Known results, and answers that arrive out of order,
    are also reported by a `CaseJudged` as soon as possible. Raises CannotStart if the implementation cannot
    be started; each later fault is a verdict.
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
    results = dict(early)
    sent: dict[int, Request] = {}

    def requests() -> Iterator[Request]:
        for index, case in enumerate(cases):
            if case.id in known:
                continue
            profile, missing = profile_of(case, settings.profile)
            obstacle = _obstacle(case, identity, settings.profile, missing)
            if obstacle:
                results[index] = CaseResult(case, settings.profile, Verdict.UNSUPPORTED, detail=obstacle)
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
        if next_index not in results:
            reply = next(replies, None)
            if reply is None:
                unanswered = [index for index in range(next_index, len(cases)) if index not in results]
                results |= {index: not_run(cases[index], settings.profile, _NO_REPLY) for index in unanswered}
                gave_up = gave_up or bool(unanswered)
                continue
            result = judged(
                cases[reply.id], sent[reply.id], reply, identity, settings.profile, settings.strict, explain
            )
            if result.verdict is Verdict.FAIL:
                result = _tried_again(implementation, result, sent[reply.id], identity, settings)
            results[reply.id] = result
            if result.verdict is Verdict.NOT_RUN:
                aborted = aborted or result.detail or "the implementation stopped answering"
                gave_up = True
            elif reply.id != next_index:
                early[reply.id] = result
                yield CaseJudged(result)
            continue
        result = results.pop(next_index)
        sent.pop(next_index, None)
        next_index += 1
        failures += result.verdict in CONFORMANCE_FAILURES
        if result.verdict is not Verdict.UNSUPPORTED:
            reasons[reason_of(result)] += 1
        yield CaseFinished(result)
        if settings.max_failures and failures >= settings.max_failures and next_index < len(cases):
            aborted = yield from _stopped(failures, cases, next_index, early, settings.profile)
            return aborted, gave_up
    common = "" if aborted else common_failure(reasons)
    aborted, gave_up = aborted or common, gave_up or bool(common)
    # The end of the requests tells an implementation that it can stop.
    for _ in replies:
        pass
    return aborted, gave_up


def _stopped(
    failures: int, cases: Sequence[Case], first: int, early: Mapping[int, CaseResult], profile: str
) -> Generator[Event, None, str]:
    """Finish a run early: yield early results, and other cases as not run; return the reason."""
    left = range(first, len(cases))
    why = f"stopped after {failures} failure(s), {len(left) - len(early.keys() & left)} case(s) not run"
    for index in left:
        yield CaseFinished(early.get(index) or not_run(cases[index], profile, why))
    return why


def common_failure(reasons: Mapping[str, int]) -> str:
    """Return a message if all cases fail for one reason (from `reason_of`), else an empty string."""
    [(reason, cases)] = reasons.items() if len(reasons) == 1 else [("", 0)]
    return (
        f"all {cases} cases that were run fail for the same reason: {reason}" if reason and cases > 1 else ""
    )


def reason_of(result: CaseResult) -> str:
    """Return why a case has no answer, with numbers replaced by N; empty if there is an answer."""
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
    """Repeat a failing case; return the first failure, marked as flaky if a later result differs.

    An implementation with several tries accepts a request while others are in progress.
    """
    for number in range(2, identity.tries + 1):
        reply = next(iter(implementation.run([request])))
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


def not_run(case: Case, profile: str, why: str) -> CaseResult:
    """Return the result of a case that was not run."""
    return CaseResult(case, profile, Verdict.NOT_RUN, detail=why)


def _obstacle(case: Case, identity: Identity, profile: str, missing_gate: str) -> str:
    if missing_gate:
        return f"{profile} has no feature gate {missing_gate}, which the case needs"
    if case.operation not in identity.operations:
        return f"the implementation does not declare operation {case.operation}"
    absent = sorted(name for name in case.features if identity.features.get(name) == "none")
    return f"{features_in_words(absent)} declared as not supported" if absent else ""


def run_case(
    implementation: Implementation,
    identity: Identity,
    case: Case,
    settings: Settings,
    explain: Explain | None = None,
) -> CaseResult:
    """Run a single case on a started implementation."""
    single = replace(settings, max_failures=0)
    events = _results(implementation, identity, [case], single, explain)
    [result] = [event.result for event in events if isinstance(event, CaseFinished)]
    return result


def answer_of(implementation: Implementation, case: Case, profile: str) -> Answer | None:
    """Return the answer of a started implementation to a case in a profile, None if it has none."""
    request = _request(0, case, profile_of(case, profile)[0], Settings(profile))
    return next(iter(implementation.run([request]))).answer


def summary(results: Iterable[CaseResult]) -> Summary:
    """Count verdicts."""
    counts: Mapping[Verdict, int] = Counter(result.verdict for result in results)
    return Summary(counts)
