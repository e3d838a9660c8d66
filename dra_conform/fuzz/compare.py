"""Two answers to one scenario: the same, a choice between valid ones, or a disagreement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.judge import judge_against
from dra_conform.conformance.outcome import Answer, Category, Outcome
from dra_conform.conformance.rules import Rules
from dra_conform.conformance.verdict import Finding, Verdict
from dra_conform.fuzz.scenario import ANYTHING
from dra_conform.fuzz.shape import shape
from dra_conform.kube.profile import Profile


class Kind(StrEnum):
    """What sort of difference."""

    OUTCOME = "outcome"
    """One allocates and the other does not, or one refuses and the other ends in an error."""
    INVALID = "invalid"
    """An allocation breaks an invariant (both are looked at, also where they are equal)."""
    DETAIL = "detail"
    """The same devices in a release's profile, and something else beside them, such as other tolerations."""
    CHOICE = "choice"
    """Both are right: other devices, or an error met on the way that the other's way does not meet; anything
    where there are several pools and the release goes through them in any order."""
    FAULT = "fault"
    """No answer: a crash, a timeout, a broken protocol, a changed input."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one implementation said; `findings` are the invariants its allocation breaks.

    `parts` are the fields in which it differs from the other that took the same devices.
    """

    reply: Reply
    findings: tuple[Finding, ...] = ()
    parts: frozenset[str] = frozenset()

    @property
    def says(self) -> str:
        """The outcome, or how the exchange failed."""
        answer = self.answer
        return self.reply.status.value if answer is None else answer.outcome.value

    @property
    def answer(self) -> Answer | None:
        """The answer, None where the exchange failed."""
        return self.reply.answer if self.reply.status is Status.OK else None

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(finding.rule for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference. `wrong` are the sides, 0 and 1, of which the judge can tell that they are wrong."""

    kind: Kind
    sides: tuple[Side, Side]
    wrong: frozenset[int] = frozenset()

    @property
    def parts(self) -> frozenset[str]:
        """The fields that differ, where the devices are the same."""
        return self.sides[0].parts

    @property
    def signature(self) -> tuple[str, ...]:
        """What two differences with probably one cause have in common."""
        said = (f"{side.says}: {', '.join(sorted(side.rules))}" for side in self.sides)
        return (self.kind.value, *sorted(self.parts), *said)

    def shows(self, other: Difference) -> bool:
        """Whether this is the other difference or a part of it: it breaks no rule that the other does not."""
        if (self.kind, self.wrong) != (other.kind, other.wrong) or not self.parts <= other.parts:
            return False
        return all(
            mine.says == theirs.says and mine.rules <= theirs.rules and bool(mine.rules) == bool(theirs.rules)
            for mine, theirs in zip(self.sides, other.sides, strict=True)
        )


UNSUPPORTED = object()
"""One of the two cannot answer; there is nothing to compare."""


def compare(case: Case, profile: Profile, first: Reply, second: Reply) -> Difference | object | None:
    """The difference between two replies, None if there is none, or UNSUPPORTED."""
    replies = (first, second)
    if any(reply.status is Status.UNSUPPORTED for reply in replies):
        return UNSUPPORTED
    faulty = frozenset(
        place for place, one in enumerate(replies) if one.status is not Status.OK or not one.answer
    )
    if faulty:
        if Rules.of(profile).capacity.checks_another_device and len(faulty) == 1:
            if _foresees(replies[1 - min(faulty)]):
                return None
            if _by_chance(case, profile):
                return Difference(Kind.CHOICE, (Side(first), Side(second)))
        return Difference(Kind.FAULT, (Side(first), Side(second)), faulty)
    assert first.answer is not None
    assert second.answer is not None
    if _same_refusal(first.answer, second.answer, profile):
        return None
    one, other = (Side(reply, _findings(case, profile, reply.answer)) for reply in replies)
    invalid = frozenset(place for place, side in enumerate((one, other)) if side.findings)
    if invalid:
        return Difference(Kind.INVALID, (one, other), invalid)
    if first.answer.outcome is not second.answer.outcome:
        met = profile.release is None and _met_on_the_way(first.answer, second.answer)
        if met or _by_chance(case, profile):
            return Difference(Kind.CHOICE, (one, other))
        return Difference(Kind.OUTCOME, (one, other), _refuted(first.answer, second.answer))
    nodes = case.objects["nodes"]
    mine, theirs = shape(first.answer.allocations, nodes), shape(second.answer.allocations, nodes)
    if mine == theirs:
        return None
    if profile.release is not None and mine.chosen == theirs.chosen:
        parts = mine.parts(theirs)
        return Difference(Kind.DETAIL, (replace(one, parts=parts), replace(other, parts=parts)))
    return Difference(Kind.CHOICE, (one, other))


def _foresees(reply: Reply) -> bool:
    """Whether the answer is an error of no known kind: so the built-in tells of a release that crashes."""
    answer = reply.answer
    return answer is not None and answer.outcome is Outcome.ERRORED and _names(answer, {Category.OTHER.value})


def _by_chance(case: Case, profile: Profile) -> bool:
    """Whether the release decides by chance: it goes through several pools in any order."""
    slices = case.objects.get("resourceSlices", ())
    pools = {(one["spec"]["driver"], one["spec"]["pool"]["name"]) for one in slices}
    return len(pools) > 1 and Rules.of(profile).pools.in_any_order


_UNFINISHED = {Category.POOL_INCOMPLETE.value, Category.POOL_INVALID.value}
_ON_THE_WAY = {Category.SELECTOR_RUNTIME_ERROR.value}


def _same_refusal(first: Answer, second: Answer, profile: Profile) -> bool:
    """Whether both refuse in a way that the documents do not tell apart.

    `rejected` and `errored` are one: the documents do not say at which moment bad input is noticed. An error
    because a pool is incomplete or invalid is the same as "nothing fits": allocators differ in whether they
    look at such a pool before or after they know that they need it. In profile `kep` the same goes for a
    selector's runtime error: no document says on which devices a selector must be evaluated (a release does,
    by its order of search).
    """
    outcomes = {first.outcome, second.outcome}
    if Outcome.ALLOCATED in outcomes:
        return False
    if len(outcomes) == 1 or Outcome.UNALLOCATABLE not in outcomes:
        return True
    refusal = first if first.outcome is not Outcome.UNALLOCATABLE else second
    return _names(refusal, _UNFINISHED | (_ON_THE_WAY if profile.release is None else set()))


def _met_on_the_way(first: Answer, second: Answer) -> bool:
    """Whether one allocates and the other met a selector's runtime error before it found as much."""
    return {first.outcome, second.outcome} == {Outcome.ALLOCATED, Outcome.ERRORED} and (
        _names(first, _ON_THE_WAY) or _names(second, _ON_THE_WAY)
    )


def _names(answer: Answer, categories: set[str]) -> bool:
    return any(reason.category in categories for reason in answer.reasons)


def _refuted(first: Answer, second: Answer) -> frozenset[int]:
    """Who says that nothing fits although the other found a valid allocation."""
    answers = (first, second)
    if not any(answer.outcome is Outcome.ALLOCATED for answer in answers):
        return frozenset()
    return frozenset(place for place, answer in enumerate(answers) if answer.outcome is Outcome.UNALLOCATABLE)


def _findings(case: Case, profile: Profile, answer: Answer | None) -> tuple[Finding, ...]:
    if answer is None or answer.outcome is not Outcome.ALLOCATED:
        return ()
    judgement = judge_against(case, profile, ANYTHING, answer)
    return () if judgement.verdict is Verdict.PASS else judgement.findings
