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
    for act, expectation in enumerate(expectations):
        if isinstance(expectation, ScheduleExpectation):
            for words, turned in _of_act(expectation):
                yield words, (*expectations[:act], turned, *expectations[act + 1 :])


def _of_act(expectation: ScheduleExpectation) -> Iterator[tuple[str, ScheduleExpectation]]:
    for end in expectation.ends:
        ends = tuple(_other_end(one) if one is end else one for one in expectation.ends)
        yield _words(expectation, end.step), replace(expectation, ends=ends)
    for flying in expectation.in_flight:
        more = replace(flying, claims=(*flying.claims, "no-such-claim"))
        in_flight = tuple(more if one is flying else one for one in expectation.in_flight)
        yield _words(expectation, flying.step), replace(expectation, in_flight=in_flight)
    for stored in expectation.stored:
        several = tuple(_other_value(one) if one is stored else one for one in expectation.stored)
        yield _words(expectation, stored.step), replace(expectation, stored=several)
    for retry in expectation.retries:
        retries = tuple(
            replace(one, again=not one.again) if one is retry else one for one in expectation.retries
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
