"""The verdict of a reply: its status, or what the judge of the operation decides. A case that cannot be run
has the verdict `not-run`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from dra_conform.conformance.case import Case, Expectation
from dra_conform.conformance.features import (
    RESULT_PARTS,
    features_in_words,
    profile_of,
    uses_own_feature,
    usual_profile,
)
from dra_conform.conformance.implementation import Answer, Identity, Reply, Request, Status
from dra_conform.conformance.operation import AnyOperation
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.plugin_entries import BadPlugin
from dra_conform.conformance.requirement import MAY
from dra_conform.conformance.verdict import (
    NO_ANSWER,
    CaseResult,
    Judgement,
    Kind,
    Verdict,
    unexpected_error_message,
)

Explain = Callable[[Request], tuple[str, ...]]
"""Returns the trace of the built-in allocator for a request, the `why` of a failure."""

_VERDICTS = {
    Status.UNDECLARED: Verdict.UNSUPPORTED,
    Status.FAILED: Verdict.ADAPTER_ERROR,
    Status.CRASH: Verdict.CRASH,
    Status.TIMEOUT: Verdict.TIMEOUT,
    Status.PROTOCOL: Verdict.PROTOCOL,
    Status.NOT_RUN: Verdict.NOT_RUN,
}


def judged(
    case: Case,
    request: Request,
    reply: Reply,
    identity: Identity,
    profile: str,
    strict: bool = False,
    explain: Explain | None = None,
) -> CaseResult:
    """Judge a reply; with `strict`, also compare a choice between valid answers.

    An unexpected exception of the judge becomes the verdict of the case, with a request to report it. An
    exception in a rule of a plugin names the rule instead.
    """
    try:
        return _judged(case, request, reply, identity, profile, strict, explain)
    except Exception as error:
        known = isinstance(error, BadPlugin)
        detail = str(error) if known else unexpected_error_message(error, "judging the answer")
        return CaseResult(
            case, profile, Verdict.PROTOCOL, detail=detail, log=reply.log, seconds=reply.seconds
        )


def _judged(
    case: Case,
    request: Request,
    reply: Reply,
    identity: Identity,
    profile: str,
    strict: bool,
    explain: Explain | None,
) -> CaseResult:
    operation = OPERATIONS[case.operation]
    declined = {part for part in RESULT_PARTS if identity.features.get(part) == "none"}
    expectations, demanded = _without_declined(operation, case.expected(profile), declined)
    result = CaseResult(
        case=case,
        profile=profile,
        verdict=Verdict.PASS,
        deviation=case.deviation(profile),
        detail=reply.detail,
        log=reply.log,
        seconds=reply.seconds,
    )
    if reply.status is Status.UNSUPPORTED:
        is_claimed = not demanded and all(identity.features.get(name) == "full" for name in case.features)
        if not is_claimed:
            return replace(result, verdict=Verdict.UNSUPPORTED)
        return replace(
            result, verdict=Verdict.OVERCLAIM, detail=_overclaim(sorted(case.features), reply.detail)
        )
    if reply.status in _VERDICTS:
        return replace(result, verdict=_VERDICTS[reply.status])
    if reply.status is Status.MUTATED:
        judgement = Judgement(Verdict.FAIL, Kind.MUTATED_INPUT)
    elif reply.answer is None:
        return replace(result, verdict=Verdict.PROTOCOL, detail="the reply has no answer, expected one")
    else:
        judgement = operation.judge(case, request.profile, expectations, reply.answer, strict=strict)
    if judgement.verdict is Verdict.PASS:
        if demanded:
            features = features_in_words(sorted(demanded))
            detail = f"{features} declared as not supported; the rest of the answer is correct"
            return replace(result, verdict=Verdict.UNSUPPORTED, detail=detail, log="")
        return replace(result, log="")
    if judgement.verdict is Verdict.UNSUPPORTED:
        return replace(result, verdict=judgement.verdict, detail=judgement.detail, log="")
    documented = (
        bool(result.deviation) and reply.answer is not None and _as_documented(case, reply.answer, declined)
    )
    return replace(
        result,
        verdict=Verdict.OPTIONAL if _is_optional(case, profile, judgement) else judgement.verdict,
        kind=judgement.kind,
        findings=judgement.findings,
        expected=operation.expected(expectations),
        actual=None if reply.answer is None else operation.actual(reply.answer),
        why=explain(request) if explain and not uses_own_feature(case) else (),
        as_documented=documented,
    )


def _overclaim(features: Sequence[str], message: str) -> str:
    """Return why a case must be answered, and the message of the implementation that declines it."""
    why = (
        f"{features_in_words(features)} declared as fully supported"
        if features
        else "the case uses no feature that can be declared as not supported"
    )
    said = f"\nmessage of the implementation: {message}" if message else ""
    return f"the answer is unsupported, but {why}{said}"


def _without_declined(
    operation: AnyOperation, expectations: Sequence[Expectation | None], declined: Set[str]
) -> tuple[Sequence[Expectation | None], frozenset[str]]:
    """Remove declined parts from the expectations; return them with the parts that they had demanded."""
    remaining: list[Expectation | None] = []
    demanded: frozenset[str] = frozenset()
    for expectation in expectations:
        if expectation is None:
            remaining.append(None)
            continue
        kept, removed = operation.without_declined(expectation, declined)
        remaining.append(kept)
        demanded |= removed
    return remaining, demanded


def _is_optional(case: Case, profile: str, judgement: Judgement) -> bool:
    """Whether a failure violates only a MAY requirement, which an implementation need not meet.

    A violated invariant or a malformed answer is always a failure.
    """
    expected_only = bool(judgement.findings) and all(
        finding.rule == "expectation" for finding in judgement.findings
    )
    return judgement.verdict is Verdict.FAIL and expected_only and case.level_in(profile) == MAY


def _as_documented(case: Case, answer: Answer, declined: Set[str]) -> bool:
    """Whether an answer, without declined parts, follows the specification."""
    specification = usual_profile(case)
    operation = OPERATIONS[case.operation]
    expectations, _ = _without_declined(operation, case.expected(specification), declined)
    judgement = operation.judge(case, profile_of(case, specification)[0], expectations, answer, strict=False)
    return judgement.verdict is Verdict.PASS


def not_run(case: Case, profile: str, why: str) -> CaseResult:
    """Return the result of a case that was not run."""
    return CaseResult(case, profile, Verdict.NOT_RUN, detail=why)


def obstacle_to(case: Case, identity: Identity, profile: str, missing_gate: str) -> str:
    """Return why a case cannot be run on an implementation, empty if it can."""
    if missing_gate:
        return f"{profile} has no feature gate {missing_gate}, which the case needs"
    if case.operation not in identity.operations:
        return f"the implementation does not declare operation {case.operation}"
    absent = sorted(name for name in case.features if identity.features.get(name) == "none")
    return f"{features_in_words(absent)} declared as not supported" if absent else ""


class MissingAnswers:
    """Whether all cases of a run have no answer, for a reason that differs only in numbers."""

    def __init__(self) -> None:
        self._cases = 0
        self._first = ""
        self._kinds: set[str] = set()
        """The reasons without their numbers; empty if there is an answer."""

    def count(self, result: CaseResult) -> None:
        """Add a result. A case that the implementation declines does not count."""
        if result.verdict is Verdict.UNSUPPORTED:
            return
        reason = f"{result.verdict}: {result.detail}" if result.verdict in NO_ANSWER else ""
        self._cases += 1
        self._first = self._first or reason
        self._kinds.add(re.sub(r"0x[0-9a-f]+|[0-9]+", "", reason))

    def common_reason(self) -> str:
        """Return a message with the first reason if at least two cases, and all, have it; else nothing."""
        if self._cases < 2 or len(self._kinds) > 1 or not self._first:
            return ""
        return f"all {self._cases} cases that were run fail for the same reason: {self._first}"
