"""Comparison of two replies; a choice that the specification or the release leaves open is no difference."""

from __future__ import annotations

from dataclasses import replace

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.expectation import ANYTHING
from dra_conform.conformance.allocate.judging import judge
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.verdict import Finding, Verdict
from dra_conform.fuzz.comparison.compared_allocations import ComparedAllocations
from dra_conform.fuzz.comparison.difference import Comparison, Difference, DifferenceKind, NoComparison, Side
from dra_conform.kube.category import Category
from dra_conform.kube.profile import Profile


def compare(case: Case, profile: Profile, first: Reply, second: Reply) -> Comparison:
    """What came of two replies to a case in a profile; the allocations are judged in this profile too."""
    replies = (first, second)
    if any(reply.status in (Status.UNSUPPORTED, Status.UNDECLARED) for reply in replies):
        return NoComparison.UNSUPPORTED
    faulty = frozenset(
        place for place, one in enumerate(replies) if one.status is not Status.OK or not one.answer
    )
    if faulty:
        if Rules.of(profile).capacity.checks_another_device and len(faulty) == 1:
            if _foresees(replies[1 - min(faulty)]):
                return None
            if _by_chance(case, profile):
                return Difference(DifferenceKind.CHOICE, (Side(first), Side(second)))
        return Difference(DifferenceKind.FAULT, (Side(first), Side(second)), faulty)
    assert first.answer is not None
    assert second.answer is not None
    if _same_refusal(first.answer, second.answer, profile):
        return None
    one, other = (Side(reply, _findings(case, profile, reply.answer)) for reply in replies)
    invalid = frozenset(place for place, side in enumerate((one, other)) if side.findings)
    if invalid:
        return Difference(DifferenceKind.INVALID, (one, other), invalid)
    if first.answer.outcome is not second.answer.outcome:
        met = profile.release is None and _met_on_the_way(first.answer, second.answer)
        if met or _by_chance(case, profile):
            return Difference(DifferenceKind.CHOICE, (one, other))
        return Difference(
            DifferenceKind.OUTCOME, (one, other), _refuted(first.answer, second.answer, profile)
        )
    nodes = case.objects["nodes"]
    mine = ComparedAllocations.of(first.answer.allocations, nodes)
    theirs = ComparedAllocations.of(second.answer.allocations, nodes)
    if mine == theirs:
        return None
    if profile.release is not None and mine.chosen == theirs.chosen:
        parts = mine.parts(theirs)
        return Difference(DifferenceKind.DETAIL, (replace(one, parts=parts), replace(other, parts=parts)))
    return Difference(DifferenceKind.CHOICE, (one, other))


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


def _same_refusal(first: AllocationAnswer, second: AllocationAnswer, profile: Profile) -> bool:
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


def _met_on_the_way(first: AllocationAnswer, second: AllocationAnswer) -> bool:
    """Whether one allocates and the other met a selector's runtime error before it found as much."""
    return {first.outcome, second.outcome} == {Outcome.ALLOCATED, Outcome.ERRORED} and (
        _names(first, _ON_THE_WAY) or _names(second, _ON_THE_WAY)
    )


def _names(answer: AllocationAnswer, categories: set[str]) -> bool:
    return any(reason.category in categories for reason in answer.reasons)


def _refuted(first: AllocationAnswer, second: AllocationAnswer, profile: Profile) -> frozenset[int]:
    """Who says that nothing fits although the other found a valid allocation.

    By the documents that is wrong. A release may have a rule that the judge does not know: what the judge
    knows of a release it has said of the allocation itself.
    """
    answers = (first, second)
    if profile.release is not None or not any(answer.outcome is Outcome.ALLOCATED for answer in answers):
        return frozenset()
    return frozenset(place for place, answer in enumerate(answers) if answer.outcome is Outcome.UNALLOCATABLE)


def _findings(case: Case, profile: Profile, answer: AllocationAnswer | None) -> tuple[Finding, ...]:
    if answer is None or answer.outcome is not Outcome.ALLOCATED:
        return ()
    judgement = judge(case, profile, (ANYTHING,), answer, False)
    return () if judgement.verdict is Verdict.PASS else judgement.findings
