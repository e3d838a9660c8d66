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
    assert problem.endswith("; after 4 unexpected lines the check asks no further question")


@pytest.mark.parametrize("flood", [True, False])
def test_only_a_flood_makes_an_adapter_unusable(flood: bool) -> None:
    conversation = answers(*[JUNK] * (4 if flood else 3), answer(2))
    conversation.read({2})
    assert conversation.unusable is flood


def test_an_answer_with_the_id_of_the_question_before() -> None:
    conversation = answers(answer(1), None, answer(2), None, answer(3), None, answer(4), answer(5))
    assert conversation.read({2})[1].startswith("a message of type 'result' has id 1 of an earlier request")
    expected = "only id 2 came, expected 3: repeat the id of the request"
    assert conversation.read({3}) == ({}, f"within 10 s {expected}")
    assert conversation.read({4}) == (
        {},
        "within 2 s only id 3 came, expected 4: repeat the id of the request",
    )
    assert conversation.read({5}) == ({5: answer(5)}, "")


def test_the_wait_after_a_wait_in_vain_is_short() -> None:
    conversation = answers(None, None, answer(4), None, None)
    waits = [conversation.read({number})[1].partition(":")[0] for number in (2, 3, 4, 5)]
    assert waits == ["no answer within 10 s", "no answer within 2 s", "", "no answer within 10 s"]


def test_a_message_without_an_id() -> None:
    assert answers(Frame(None, {"type": "result"}), None).read({2})[1] == (
        "a message has no id, expected 2: repeat the id of the request"
    )


@pytest.mark.parametrize("end", [Ended("exit code 1"), StdinClosed()])
def test_the_end_is_known_after_another_problem(end: Event) -> None:
    conversation = answers(JUNK, end)
    assert conversation.read({2})[1].startswith("a line on stdout is not a message")
    assert conversation.ending
    assert conversation.read_ending() == conversation.ending


def test_the_end_comes_after_lines_that_are_left() -> None:
    assert answers(JUNK, Ended("exit code 1")).read_ending() == "the adapter exited (exit code 1)"
    assert answers(JUNK).read_ending() == ""


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
    assert conversation.unusable
