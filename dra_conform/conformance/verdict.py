"""Verdicts and findings.

A verdict is the decision of the judge; an outcome is the decision of the implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from traceback import extract_tb

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import SHOULD
from dra_conform.kube.json_values import UncheckedJson


class Verdict(StrEnum):
    """The decision of the judge about one case."""

    PASS = "pass"
    FAIL = "fail"
    OPTIONAL = "optional"
    """The case shows only MAY requirements, and the answer is not the expected one. This is no failure."""
    UNSUPPORTED = "unsupported"
    OVERCLAIM = "overclaim"
    """The implementation declares the feature, but answers unsupported."""
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    ADAPTER_ERROR = "adapter-error"
    NOT_RUN = "not-run"


CONFORMANCE_FAILURES = frozenset(
    {Verdict.FAIL, Verdict.OVERCLAIM, Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ADAPTER_ERROR}
)


NO_ANSWER = frozenset({Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ADAPTER_ERROR})
"""The answer is missing or malformed, because of the implementation."""


JUDGED = CONFORMANCE_FAILURES | {Verdict.PASS, Verdict.OPTIONAL}
"""The case has a result, correct or not. A run without such a case proves nothing."""


class Kind(StrEnum):
    """The kind of a failure."""

    WRONG_OUTCOME = "wrong-outcome"
    WRONG_RESULT = "wrong-result"
    INVALID_ALLOCATION = "invalid-allocation"
    INVALID_STATE = "invalid-state"
    """A state of the cluster violates an invariant."""
    WRONG_REASON = "wrong-reason"
    MUTATED_INPUT = "mutated-input"
    FLAKY = "flaky"
    """A repeated or renamed case has a different answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation of an invariant or an expectation, with a message and its place.

    `rule`: the name of an invariant (`capacity-not-overcommitted`, ...) or `expectation`.
    `step`: the index of the Then step in its case step, None for an invariant.
    `case_step`: the index of the step in the case.
    `requirement`: the requirement that an invariant checks, which the case need not cite; empty for others.
    `part`: the result part (`features.RESULT_PARTS`) without which there is no finding, otherwise empty.
    """

    rule: str
    message: str
    step: int | None = None
    case_step: int = 0
    requirement: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its kind and findings, without its case.

    `detail`: why the verdict is UNSUPPORTED, although the answer is correct.
    """

    verdict: Verdict
    kind: Kind | None = None
    findings: tuple[Finding, ...] = ()
    detail: str = ""


PASSED = Judgement(Verdict.PASS)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A judged case. `expected` and `actual` are JSON documents of one shape, for a diff."""

    case: Case
    profile: str
    verdict: Verdict
    kind: Kind | None = None
    findings: tuple[Finding, ...] = ()
    expected: UncheckedJson = None
    actual: UncheckedJson = None
    deviation: str = ""
    """Why the profile deviates from the specification in this case, empty if it does not."""
    as_documented: bool = False
    """Whether a failing answer follows the specification, from which the release deviates."""
    detail: str = ""
    """Why there is no answer to judge: the crash, the line that is not JSON, the missing feature."""
    log: str = ""
    why: tuple[str, ...] = ()
    """The trace of the built-in allocator for a failing case."""
    seconds: float = 0.0

    @property
    def only_recommended(self) -> bool:
        """Whether the result is a failure of a case that only tests SHOULD requirements."""
        return self.verdict is Verdict.FAIL and self.case.level_in(self.profile) == SHOULD


BUG_REPORT_REQUEST = "This is a bug in dra-conform: please report it with this case"
"""The last sentence of each message about an internal error, by which tests recognize such a message."""


def unexpected_error_message(error: BaseException, doing: str) -> str:
    """Return a sentence with the place in the source and the exception, and a request to report it.

    `doing` is the failed activity, such as "judging the answer".
    """
    frames = extract_tb(error.__traceback__)
    _, slash, inside = frames[-1].filename.rpartition("dra_conform/") if frames else ("", "", "")
    place = f" at {slash}{inside}:{frames[-1].lineno}" if frames else ""
    text = f": {error}" if str(error) else ""
    return f"{doing} failed{place} with {type(error).__name__}{text}. {BUG_REPORT_REQUEST}"
