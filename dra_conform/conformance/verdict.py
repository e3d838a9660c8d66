"""Verdicts and findings. A verdict is about a case, an outcome about an implementation's decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import SHOULD

Json = Any


class Verdict(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    OPTIONAL = "optional"
    """The case shows only MAY requirements, and the answer is another one. This is no failure."""
    UNSUPPORTED = "unsupported"
    OVERCLAIM = "overclaim"
    """It declared the feature and answered unsupported."""
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    ADAPTER_ERROR = "adapter-error"
    NOT_RUN = "not-run"


CONFORMANCE_FAILURES = frozenset(
    {Verdict.FAIL, Verdict.OVERCLAIM, Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ADAPTER_ERROR}
)


NO_ANSWER = frozenset({Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ADAPTER_ERROR})
"""There is nothing to judge, through the fault of who was asked."""


JUDGED = CONFORMANCE_FAILURES | {Verdict.PASS, Verdict.OPTIONAL}
"""There is a result for the case, right or wrong. A run without any of these says nothing."""


class Kind(StrEnum):
    """What sort of failure."""

    WRONG_OUTCOME = "wrong-outcome"
    WRONG_RESULT = "wrong-result"
    INVALID_ALLOCATION = "invalid-allocation"
    INVALID_STATE = "invalid-state"
    """A cluster is in a state that no cluster may be in."""
    WRONG_REASON = "wrong-reason"
    MUTATED_INPUT = "mutated-input"
    FLAKY = "flaky"
    """Asked again it gave another answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a sentence, the invariant or expectation it breaks, and where.

    `rule` is an invariant's name (`capacity-not-oversold`, ...) or `expectation`; `step` is the index of the
    Then step it belongs to in its act, None for an invariant; `act` is the index of the act.
    """

    rule: str
    message: str
    step: int | None = None
    act: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its kind and findings, before it is put beside its case."""

    verdict: Verdict
    kind: Kind | None = None
    findings: tuple[Finding, ...] = ()


PASSED = Judgement(Verdict.PASS)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A judged case. `expected` and `actual` are JSON documents made to be compared side by side."""

    case: Case
    profile: str
    verdict: Verdict
    kind: Kind | None = None
    findings: tuple[Finding, ...] = ()
    expected: Json = None
    actual: Json = None
    departure: str = ""
    """The reason, where the profile's expectation departs from the document."""
    as_documented: bool = False
    """Of a failure with a departure: the answer is what the document says, and the release does not."""
    detail: str = ""
    """Why there is no answer to judge: what crashed, which line was not JSON, which feature is missing."""
    log: str = ""
    why: tuple[str, ...] = ()
    """The built-in allocator's trace of the case, for failures."""
    seconds: float = 0.0

    @property
    def only_recommended(self) -> bool:
        """Whether this is a failure of a case that shows no MUST requirement, only SHOULD."""
        return self.verdict is Verdict.FAIL and self.case.level_in(self.profile) == SHOULD


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of one run by verdict."""

    counts: Mapping[Verdict, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())
