"""The answers of an adapter process to the questions of `adapter check`."""

from __future__ import annotations

import time

from dra_conform.adapters.check_advice import ANSWER_SECONDS, event_advice
from dra_conform.adapters.session import Session
from dra_conform.adapters.session_events import Ended, StdinClosed
from dra_conform.adapters.wire import Frame
from dra_conform.conformance.implementation import Request

_QUIET_SECONDS = 0.5
"""After a problem, how long nothing must come before the next question is sent."""
_SHORT_SECONDS = 2.0
"""How long to wait for an answer if the wait for the answer before was in vain."""


class Answers:
    """The answers of a session, each read for its own question.

    One wrong line must not look like a problem of the questions after it. So `read` goes on after a problem
    until the answers have come or stdout is quiet. An answer that comes even later is dropped, because its
    question has a problem already. It is only reported if the question that is asked then gets no answer: the
    adapter may write wrong ids.

    `ending` says how the adapter ended, empty until its end was read. `unusable` means that a further
    question would only get the same problem, after a flood of lines or an answer without a line end.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.ending = ""
        self.unusable = False
        self._late: set[int] = set()
        self._seconds = ANSWER_SECONDS

    @property
    def ended(self) -> bool:
        """Whether the adapter cannot get another question."""
        return self.session.child.ended or self.session.child.stdin_closed

    def ask(self, request: Request, profile: str) -> tuple[Frame | None, str]:
        """Send a request; return its answer, if one came, and what is wrong besides its content."""
        number = self.session.send_run(request, profile)
        answers, problem = self.read({number})
        return answers.get(number), problem

    def read(self, numbers: set[int]) -> tuple[dict[int, Frame], str]:
        """Return the answers with these ids that came, and the first unexpected event as an advice.

        The advice is empty if each id got exactly one answer and no other line came.
        """
        answers: dict[int, Frame] = {}
        late: list[int] = []
        problem, others = "", 0
        wait = self._seconds
        self._seconds = ANSWER_SECONDS
        end = time.monotonic() + wait
        while True:
            missing = numbers - answers.keys()
            seconds = _QUIET_SECONDS if problem else wait
            seconds = min(seconds, end - time.monotonic()) if missing else self.session.limits.settle
            event = self.session.next(max(0.0, seconds))
            if isinstance(event, Frame) and event.id in missing:
                answers[event.id] = event
                end = time.monotonic() + wait
            elif isinstance(event, Frame) and event.id in self._late:
                self._late.discard(event.id)
                late.append(event.id)
                end = time.monotonic() + wait
            elif event is None:
                if missing and not problem:
                    problem = event_advice(None, numbers, self.session, seconds=wait, late=late)
                    self._seconds = _SHORT_SECONDS
                    self.unusable = bool(self.session.unfinished)
                break
            elif isinstance(event, Ended | StdinClosed):
                self.ending = self.ending or event_advice(event, numbers, self.session)
                problem = problem or self.ending
                break
            else:
                problem = problem or event_advice(event, numbers, self.session)
                others += 1
                if others > self.session.limits.junk_lines:
                    self.unusable = True
                    problem += f"; after {others} unexpected lines the check asks no further question"
                    break
        self._late |= numbers - answers.keys()
        return answers, problem

    def read_ending(self) -> str:
        """Return how the adapter ended, empty if its end does not come after the lines that are left."""
        for _ in range(self.session.limits.junk_lines):
            event = None if self.ending else self.session.next(0.0)
            if event is None:
                break
            if isinstance(event, Ended | StdinClosed):
                self.ending = event_advice(event, set(), self.session)
        return self.ending

    def drop_late(self) -> None:
        """Drop answers that come too late, so that they do not look like output after bye."""
        for _ in range(self.session.limits.junk_lines):
            if not self._late or self.ended:
                return
            event = self.session.next(_QUIET_SECONDS)
            if event is None:
                return
            if isinstance(event, Frame) and event.id is not None:
                self._late.discard(event.id)
