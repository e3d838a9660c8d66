"""The Then of a case, step by step, and the expectation it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dra_conform.conformance import drafts
from dra_conform.conformance.building import CaseBuilder
from dra_conform.conformance.case import Check, Expectation, ExpectedResult, Match
from dra_conform.conformance.outcome import Category, Outcome
from dra_conform.conformance.steps_cells import StepError, nearest
from dra_conform.conformance.steps_params import (
    AlternativesStep,
    ConsumesStep,
    CountStep,
    Refusal,
    ResultRow,
    ResultsStep,
)

REFUSALS = frozenset({Outcome.UNALLOCATABLE, Outcome.REJECTED, Outcome.ERRORED})


@dataclass(frozen=True, slots=True)
class Expecting:
    """What is expected so far of what `given` asks. Methods raise StepError where a step contradicts it."""

    given: CaseBuilder
    outcomes: frozenset[Outcome] | None = None
    checks: tuple[Check, ...] = ()
    category: str | None = None
    steps: tuple[str, ...] = ()

    def allocated(self, claim: str) -> Expecting:
        return self._check(Check(self.given.asked(claim), Match.VALID))

    def gets(self, step: ResultsStep) -> Expecting:
        return self._results(step, Match.EXACT)

    def has(self, step: ResultsStep) -> Expecting:
        return self._results(step, Match.VALID)

    def gets_one_of(self, step: AlternativesStep) -> Expecting:
        alternatives = tuple(
            _rows(rows, ("alternatives", index)) for index, rows in enumerate(step.alternatives)
        )
        return self._check(Check(self.given.asked(step.claim), Match.ONE_OF, alternatives))

    def consumes(self, step: ConsumesStep) -> Expecting:
        wanted = ExpectedResult(consumes=drafts.amounts(step.capacity, ("capacity",)))
        return self._check(Check(self.given.asked(step.claim), Match.VALID, ((wanted,),)))

    def counts(self, step: CountStep) -> Expecting:
        return self._check(Check(self.given.asked(step.claim), Match.COUNT, count=step.count))

    def refused(self, outcomes: frozenset[Outcome], refusal: Refusal | None) -> Expecting:
        category = None if refusal is None else refusal.category
        if category is not None and category not in set(Category):
            known = [one.value for one in Category]
            raise StepError(f"unknown category {category!r}, {nearest(category, known)}", ("category",))
        if self.category is not None and category is not None and category != self.category:
            raise StepError(f"two categories, {self.category} and {category}, expected one", ("category",))
        return replace(self._outcome(outcomes), category=category or self.category)

    def worded(self, step: str) -> Expecting:
        """The same, with the text of the step that was just taken."""
        return replace(self, steps=(*self.steps, step))

    def build(self) -> Expectation:
        if self.outcomes is None:
            raise StepError("nothing is expected, expected a Then")
        return Expectation(self.outcomes, self.checks, self.category, self.steps)

    def _results(self, step: ResultsStep, match: Match) -> Expecting:
        return self._check(Check(self.given.asked(step.claim), match, (_rows(step.results, ("results",)),)))

    def _check(self, check: Check) -> Expecting:
        expecting = self._outcome(frozenset({Outcome.ALLOCATED}))
        return replace(expecting, checks=(*self.checks, replace(check, step=len(self.steps))))

    def _outcome(self, outcomes: frozenset[Outcome]) -> Expecting:
        if self.outcomes is not None and self.outcomes != outcomes:
            raise StepError(
                f"expects {_listed(outcomes)}, and a step before it {_listed(self.outcomes)}; expected one outcome"
            )
        return replace(self, outcomes=outcomes)


def _listed(outcomes: frozenset[Outcome]) -> str:
    return " or ".join(sorted(outcome.value for outcome in outcomes))


def _rows(rows: Sequence[ResultRow], where: Sequence[str | int]) -> tuple[ExpectedResult, ...]:
    return tuple(
        ExpectedResult(
            request=row.request,
            device=row.device,
            pool=row.pool,
            driver=row.driver,
            consumed=drafts.amounts(row.consumed, (*where, index, "consumed")) or None,
            share=row.share,
        )
        for index, row in enumerate(rows)
    )
