"""Requests that each test many rows, and the results of the rows in their answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from dra_conform.conformance.implementation import (
    Answer,
    CannotStart,
    Implementation,
    Reply,
    Request,
    Status,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.sweep.decision import RowDecision, RowOutcome

QUESTIONS_AT_ONCE = 64
"""The number of requests that an implementation gets before its replies are read."""

UNREAD = RowDecision(RowOutcome.MISSING, detail="the answer has no result for this row")


class SweepQuestion(ABC):
    """One request to an implementation that tests many rows; `rows` are their numbers in the sweep.

    With `may_crash`, each row can make the whole request fail, and the rows are then sent one by one.
    """

    rows: Sequence[int]
    may_crash = False

    @abstractmethod
    def objects(self) -> Mapping[str, tuple[Json, ...]]:
        """Return the API objects of the request, by collection."""

    @abstractmethod
    def ask(self) -> Mapping[str, Json]:
        """Return the `ask` of the request."""

    @abstractmethod
    def read(self, answer: Answer) -> Mapping[int, RowDecision]:
        """Return the results in an answer, by row. Rows without a result are sent again, one by one.

        Never raises: a malformed answer also gives a decision, because the implementation is not trusted.
        """

    @abstractmethod
    def alone(self, rows: Sequence[int]) -> Iterator[SweepQuestion]:
        """Yield requests that test some of the rows, each in such a way that no row affects another one."""


class Asker:
    """Sends requests to an implementation until every row has a result.

    `repeated` counts the rows that were sent again, by reason.
    """

    def __init__(
        self,
        implementation: Implementation,
        operation: str,
        profile: Profile,
        *,
        seed: int,
        deadline_ms: int,
    ) -> None:
        self._implementation = implementation
        self._operation = operation
        self._profile = profile
        self._seed = seed
        self._deadline_ms = deadline_ms
        self.repeated: Counter[str] = Counter()

    def decisions(self, questions: Iterable[SweepQuestion]) -> dict[int, RowDecision]:
        """Return the result of each row. Raises CannotStart if the implementation cannot continue."""
        decided: dict[int, RowDecision] = {}
        first = iter(questions)
        again: deque[SweepQuestion] = deque()
        while together := [*islice(again, QUESTIONS_AT_ONCE)] or [*islice(first, QUESTIONS_AT_ONCE)]:
            for _ in range(min(len(again), len(together))):
                again.popleft()
            for question, reply in self._replies(together):
                again += self._follow(question, reply, decided)
        return decided

    def _replies(self, questions: Sequence[SweepQuestion]) -> Iterator[tuple[SweepQuestion, Reply]]:
        requests = [
            Request(
                number,
                f"sweep-{number}",
                self._operation,
                self._profile,
                question.objects(),
                question.ask(),
                self._seed,
                self._deadline_ms,
            )
            for number, question in enumerate(questions)
        ]
        replies = {reply.id: reply for reply in self._implementation.run(requests)}
        for number, question in enumerate(questions):
            yield question, replies.get(number, Reply(number, Status.NOT_RUN, detail="no reply"))

    def _follow(
        self, question: SweepQuestion, reply: Reply, decided: dict[int, RowDecision]
    ) -> Iterator[SweepQuestion]:
        """Add the results in a reply, and yield further requests for the rows without a result."""
        if reply.status is Status.NOT_RUN:
            raise CannotStart(f"the implementation gave up: {reply.detail}")
        if reply.status is Status.OK and reply.answer is not None:
            found = question.read(reply.answer)
            decided.update(found)
            rest = [row for row in question.rows if row not in found]
            reason, without_answer = "no result in the answer", UNREAD
        else:
            rest = list(question.rows)
            reason, without_answer = reply.status.value, _without_answer(reply)
        if len(question.rows) == 1:
            decided.update(dict.fromkeys(rest, without_answer))
        elif rest:
            self.repeated[reason] += len(rest)
            size = len(rest) if len(rest) < len(question.rows) else (len(rest) + 1) // 2
            if question.may_crash:
                size = 1
            for begin in range(0, len(rest), size):
                yield from question.alone(rest[begin : begin + size])


def _without_answer(reply: Reply) -> RowDecision:
    unsupported = reply.status in (Status.UNSUPPORTED, Status.UNDECLARED)
    outcome = RowOutcome.UNSUPPORTED if unsupported else RowOutcome.FAULT
    return RowDecision(outcome, detail=f"{reply.status.value}: {reply.detail}"[:200])
