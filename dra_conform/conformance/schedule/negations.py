"""Negated expectations of attempts: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.schedule.answer import AttemptCode
from dra_conform.conformance.schedule.expectation import ExpectedEnd, ScheduleExpectation, StoredAfter
from dra_conform.kube.field_paths import ABSENT

Json = Any


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the expectations of all steps with one of them negated."""
    for index, expectation in enumerate(expectations):
        if isinstance(expectation, ScheduleExpectation):
            for words, negated_expectation in _of_step(expectation):
                yield words, (*expectations[:index], negated_expectation, *expectations[index + 1 :])


def _of_step(expectation: ScheduleExpectation) -> Iterator[tuple[str, ScheduleExpectation]]:
    for end in expectation.ends:
        ends = tuple(_other_end(known) if known is end else known for known in expectation.ends)
        yield _words(expectation, end.step), replace(expectation, ends=ends)
    for expected in expectation.in_flight:
        more = replace(expected, claims=(*expected.claims, "no-such-claim"))
        in_flight = tuple(more if known is expected else known for known in expectation.in_flight)
        yield _words(expectation, expected.step), replace(expectation, in_flight=in_flight)
    for stored in expectation.stored:
        negated = tuple(_other_value(known) if known is stored else known for known in expectation.stored)
        yield _words(expectation, stored.step), replace(expectation, stored=negated)
    for retry in expectation.retries:
        retries = tuple(
            replace(known, again=not known.again) if known is retry else known
            for known in expectation.retries
        )
        yield _words(expectation, retry.step), replace(expectation, retries=retries)


def _words(expectation: ScheduleExpectation, step: int) -> str:
    return f"step {expectation.steps[step]!r}"


def _other_end(end: ExpectedEnd) -> ExpectedEnd:
    return replace(end, code=AttemptCode.ERROR if end.code is not AttemptCode.ERROR else AttemptCode.SUCCESS)


def _other_value(stored: StoredAfter) -> StoredAfter:
    if stored.value is ABSENT:
        return replace(stored, value="no such value")
    return replace(stored, value=["no such value"] if stored.path == "status.reservedFor" else ABSENT)
