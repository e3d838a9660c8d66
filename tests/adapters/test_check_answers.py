"""A wrong line is a problem of one question of `adapter check`, not of the questions after it."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dra_conform.adapters.check_answers import Answers
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.session import Session
from dra_conform.adapters.session_events import Ended, Event, StdinClosed
from dra_conform.adapters.wire import Frame, Junk

JUNK = Junk("debug: here", "not JSON")


def answer(number: int) -> Frame:
    return Frame(number, {"type": "result", "id": number})


def answers(*events: Event | None, unfinished: str = "", log: str = "") -> Answers:
    """Return the answers of a session with these events; None is a time without an event."""
    coming = iter(events)
    session = SimpleNamespace(
        next=lambda seconds: next(coming, None),
        limits=Limits(junk_lines=3),
        asked=lambda number: number < 100,
        unfinished=unfinished,
        child=SimpleNamespace(log=log, ended=False, stdin_closed=False),
    )
    return Answers(cast("Session", session))


def test_one_answer_for_each_id() -> None:
    assert answers(answer(3), answer(2)).read({2, 3}) == ({2: answer(2), 3: answer(3)}, "")


PROBLEMS: Sequence[tuple[Sequence[Event | None], bool, str]] = [
    ((JUNK, answer(2)), True, "a line on stdout is not a message"),
    ((JUNK, JUNK, answer(2)), True, "a line on stdout is not a message"),
    ((answer(2), JUNK, JUNK), True, "a line on stdout is not a message"),
    ((answer(2), answer(2)), True, "id 2 was answered twice"),
    ((answer(1), answer(2)), True, "a message of type 'result' has id 1 of an earlier request"),
    ((answer(200), answer(2)), True, "a message has id 200, expected 2"),
    ((answer(200), None, answer(2)), False, "a message has id 200, expected 2"),
    ((JUNK, None, answer(2)), False, "a line on stdout is not a message"),
    ((None, answer(2)), False, "no answer within 10 s"),
]


@pytest.mark.parametrize(("events", "came", "problem"), PROBLEMS, ids=range(len(PROBLEMS)))
def test_a_problem_belongs_to_one_question(events: Sequence[Event | None], came: bool, problem: str) -> None:
    conversation = answers(*events, *([None] if came else []), answer(3), None)
    found, advice = conversation.read({2})
    assert (2 in found, advice.partition(problem)[1]) == (came, problem)
    assert conversation.read({3}) == ({3: answer(3)}, "")


def test_a_flood_ends_a_question() -> None:
    found, problem = answers(*[JUNK] * 4, answer(2)).read({2})
    assert (found, problem.partition(":")[0]) == ({}, "a line on stdout is not a message (not JSON)")


def test_late_answers_are_dropped_before_bye() -> None:
    conversation = answers(None, answer(2), JUNK)
    conversation.read({2})
    conversation.drop_late()
    assert conversation.session.next(0.0) == JUNK


@pytest.mark.parametrize(
    ("event", "log", "advice"),
    [
        (
            Ended("exit code 5"),
            "boom",
            "the adapter exited (exit code 5). The stderr of the adapter ends with: boom",
        ),
        (Ended("exit code 5"), "", "the adapter exited (exit code 5)"),
        (
            Ended("exit code 0"),
            "",
            "the adapter exited (exit code 0): keep reading stdin until the bye message or end of file",
        ),
        (
            Ended("the adapter closed its stdout"),
            "",
            "the adapter closed its stdout: keep it open until the bye message",
        ),
        (StdinClosed(), "", "the adapter closed its stdin: keep reading until the bye message"),
    ],
)
def test_the_end_of_an_adapter(event: Event, log: str, advice: str) -> None:
    assert answers(event, log=log).read({2}) == ({}, advice)


def test_an_answer_without_a_line_end() -> None:
    conversation: Any = answers(None, unfinished=", but 71 bytes without a line end (LF)")
    assert conversation.read({2})[1] == (
        "no answer within 10 s, but 71 bytes without a line end (LF): write one line for each request and "
        "flush stdout"
    )
