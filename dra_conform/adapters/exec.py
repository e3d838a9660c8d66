"""`exec:`: a child process that is judged over the wire protocol, and may misbehave in any way."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from dra_conform.adapters import schemas
from dra_conform.adapters.adapter_supervisor import AdapterSupervisor
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.faults import Broken, Fault, FaultKind, Limits
from dra_conform.adapters.pending_replies import PendingReplies
from dra_conform.adapters.session import Session
from dra_conform.adapters.session_faults import fault_of
from dra_conform.adapters.wire import Frame, Junk
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite

_LOG_OF_GOOD_REPLY = 4096
_ENDINGS = (FaultKind.CRASH, FaultKind.CLOSED_INPUT)


@dataclass(slots=True)
class _Flight:
    """A request on its way, and when it was sent."""

    request: Request
    since: float


class ExecImplementation:
    """An adapter process as an implementation.

    Requests are pipelined as far as the adapter declares. At the first fault whose culprit is not plain, the
    requests in flight are run again one at a time, and so is everything after them: from then on whatever
    happens, happens to one case. `warnings` gathers what is odd but no fault of a case. It sees of our
    environment what `leash.scrubbed` leaves, or the `environment` given.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        spec: str = "",
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._spec = spec or "exec:" + " ".join(command)
        self._limits = limits or Limits()
        self._keeper = AdapterSupervisor(command, self._limits, environment)
        self._held = PendingReplies()
        self._sampler = schemas.Sampler()
        self._operations: frozenset[str] = frozenset()
        self._window = 1
        self._latest: tuple[int, Request] | None = None
        self._away = 0.0

    @property
    def warnings(self) -> list[str]:
        return self._keeper.warnings

    def start(self, suite: Suite) -> Identity:
        """Start the process and greet it; raises CannotStart."""
        try:
            identity = self._keeper.start(suite)
        except Broken as broken:
            tail = broken.log.strip()
            said = f"\nIts stderr:\n{tail}" if tail else ""
            problem = str(broken).removeprefix(f"{self._spec}: ")  # which a child of ours says itself
            raise CannotStart(f"{self._spec}: {problem}{said}") from None
        self._operations = identity.operations
        self._window = self._keeper.session.window if self._keeper.session else 1
        return replace(identity, spec=self._spec)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply for each request; see `Implementation.run`."""
        finished = False
        try:
            for reply in self._replies(iter(requests)):
                left = time.monotonic()
                yield reply
                self._away += time.monotonic() - left
            finished = True
        finally:
            if not finished:  # the caller had enough: answers to come would only confuse the next run
                self._keeper.drop()
                self._held = PendingReplies()

    def close(self) -> None:
        """Say bye; the process is gone afterwards."""
        self._keeper.close()

    def _replies(self, requests: Iterator[Request]) -> Iterator[Reply]:
        if self._window > 1:
            suspects, fault, requests = yield from self._pipeline(requests)
            if fault is not None:
                self._window = 1
                self._isolate(suspects, fault)
        for request in requests:
            self._alone(request)
            yield from self._held.release(keep=1)
        self._look_back(self._limits.settle)
        yield from self._held.release()

    def _pipeline(
        self, requests: Iterator[Request]
    ) -> Generator[Reply, None, tuple[list[Request], Fault | None, Iterator[Request]]]:
        """Run with the declared window until all is answered or something is wrong.

        Returns the requests in flight at that moment, the fault, and the requests still to come.
        """
        flights: dict[int, _Flight] = {}
        upcoming = next(requests, None)
        progress = self._now()
        while True:
            # A profile is taught only when nothing else is on its way, so that its answer cannot be missed.
            room = len(flights) < self._window
            if upcoming and room and (not flights or self._keeper.ready(upcoming.profile)):
                session = self._session_for(upcoming)
                if session is not None:
                    progress = self._now() if not flights else progress
                    number = session.send_run(upcoming, self._keeper.name(upcoming.profile))
                    flights[number] = _Flight(upcoming, self._now())
                upcoming = next(requests, None)
            elif flights:
                fault, answered = self._take_in(flights, progress)
                if fault is not None:
                    self._keeper.restart()
                    rest = chain((upcoming,), requests) if upcoming else requests
                    return [flight.request for flight in flights.values()], fault, rest
                progress = self._now() if answered else progress
            else:
                return [], None, requests
            yield from self._held.release(keep=self._window)

    def _take_in(self, flights: dict[int, _Flight], progress: float) -> tuple[Fault | None, bool]:
        """Take in one event: a fault that concerns all in flight, and whether one of them was answered."""
        session = self._keeper.session
        assert session is not None
        slowest = max(flight.request.deadline_ms for flight in flights.values()) / 1000
        event = session.next(max(0.0, progress + slowest - self._now()))
        match event:
            case None:
                return Fault(FaultKind.HANG, f"no answer for {slowest:g} s"), False
            case Frame(id=number) if number in flights:
                flight = flights.pop(number)
                self._latest = (number, flight.request)
                seconds = self._now() - max(flight.since, progress)
                self._hold(self._read(session, flight.request, event, seconds), number)
                return None, True
            case Frame(id=number) if number is not None and session.asked(number):
                self._doubled(number)
                return None, False
            case _:
                return fault_of(event), False

    def _isolate(self, suspects: list[Request], fault: Fault) -> None:
        """Run the suspects of a fault alone, and after them the one that was answered last before it.

        Where none of them is guilty again, the first suspect is: most adapters answer in order.
        """
        first = len(self._held)
        for request in suspects:
            self._alone(request)
        self._look_back(self._limits.settle)
        if self._held.guilty(first):
            return
        if self._latest is not None:
            number, request = self._latest
            self._alone(request)
            self._look_back(self._limits.settle)
            if self._held.merge_last(number):
                return
        also = f" ({len(suspects)} were in flight; alone it does not happen again)"
        self._held.blame_at(first, replace(fault, detail=fault.detail + also))

    def _alone(self, request: Request, *, again: bool = False) -> None:
        """Run one request with nothing else in flight."""
        self._look_back(0.0)
        session = self._session_for(request)
        if session is None:
            return
        began = self._now()
        number = session.send_run(request, self._keeper.name(request.profile))
        fault, stuck = self._exchange(session, number, request, began)
        if fault is None:
            return
        if stuck:
            session.stop()
            if session.unread and fault.kind in _ENDINGS and not again:
                # It was over before this request reached it, so the request before is to blame.
                self._blame_last(fault)
                self._keeper.restart()
                self._alone(request, again=True)
                return
        log = session.child.take_log()
        seconds = self._now() - began
        self._hold(Reply(request.id, fault.status, detail=fault.detail, log=log, seconds=seconds), number)
        if stuck:
            self._keeper.restart()

    def _exchange(
        self, session: Session, number: int, request: Request, began: float
    ) -> tuple[Fault | None, bool]:
        """Wait for the answer and hold it; or the fault, and whether the process is to be ended for it."""
        end = began + request.deadline_ms / 1000
        first: Fault | None = None
        junk = 0
        while True:
            event = session.next(max(0.0, end - self._now()))
            match event:
                case Frame(id=found) if found == number:
                    if first is None:
                        self._hold(self._read(session, request, event, self._now() - began), number)
                    return first, False
                case Frame(id=found) if found is not None and session.asked(found):
                    self._doubled(found)
                case Junk() if junk < self._limits.junk_lines:
                    junk += 1
                    first = first or fault_of(event)
                case Junk(text=text):
                    limit = self._limits.junk_lines
                    many = f"over {limit} lines on stdout that are not frames, such as {text!r}"
                    return Fault(FaultKind.FLOOD, many), True
                case None:
                    # Junk in place of the answer is the finding; the process is as stuck as without it.
                    missing = Fault(FaultKind.HANG, f"no answer within {request.deadline_ms} ms")
                    return first or missing, True
                case _:
                    fault = fault_of(event)
                    return fault, fault.restarts

    def _session_for(self, request: Request) -> Session | None:
        """The session to send a request to, or None where the reply is settled (and held) without."""
        fault = self._keeper.prepare(request.profile)
        session = self._keeper.session
        reason = self._keeper.refusal(request.profile)
        if fault is not None:
            self._hold(Reply(request.id, fault.status, detail=fault.detail))
        elif session is None:
            self._held.add(Reply(request.id, Status.NOT_RUN, detail=self._keeper.gave_up))
        elif request.operation not in self._operations:
            detail = f"operation {request.operation!r} is not declared"
            self._held.add(Reply(request.id, Status.UNDECLARED, detail=detail))
        elif reason is not None:
            detail = f"profile {request.profile.name} refused: {reason}"
            self._held.add(Reply(request.id, Status.UNDECLARED, detail=detail))
        else:
            return session
        return None

    def _look_back(self, seconds: float) -> None:
        """With nothing in flight, see what came after the last answer; it is that answer's fault."""
        end = self._now() + seconds
        for _ in range(self._limits.junk_lines):
            session = self._keeper.session
            if session is None or (event := session.next(max(0.0, end - self._now()))) is None:
                return
            if isinstance(event, Frame) and event.id is not None and session.asked(event.id):
                self._doubled(event.id)
                continue
            fault = fault_of(event)
            self._blame_last(fault)
            if fault.restarts:
                self._keeper.restart()
        self._keeper.restart()

    def _blame_last(self, fault: Fault) -> None:
        late = replace(fault, detail=f"after its answer: {fault.detail}")
        if not self._held.blame_last(late):
            self.warnings.append(f"with nothing asked: {fault.detail}")

    def _read(self, session: Session, request: Request, frame: Frame, seconds: float) -> Reply:
        """The reply in an answer, or that it breaks the schema."""
        reply = to_reply(request, frame.body, seconds)
        problems = schemas.result_violations(request.operation, frame.body) if self._sampler.due() else ()
        if isinstance(reply, MalformedResult) or problems:
            problem = "; ".join(problems) or (reply.problem if isinstance(reply, MalformedResult) else "")
            fault = Fault(FaultKind.INVALID, f"breaks the schema: {problem}")
            log = session.child.take_log()
            return Reply(request.id, fault.status, detail=fault.detail, log=log, seconds=seconds)
        log = session.child.take_log()
        if reply.status is Status.OK:
            log = log[-_LOG_OF_GOOD_REPLY:]
        return replace(reply, log="\n".join(part for part in (reply.log, log) if part)) if log else reply

    def _hold(self, reply: Reply, number: int | None = None) -> None:
        self._held.add(reply, number)
        self._keeper.count(crashed=reply.status is Status.CRASH)

    def _doubled(self, number: int) -> None:
        fault = Fault(FaultKind.DOUBLED_ID, f"id {number} was answered more than once")
        if not self._held.blame(number, fault):
            self.warnings.append(f"a late frame with id {number}, which was settled before")

    def _now(self) -> float:
        """Seconds that count: the time our caller takes with a reply is not the adapter's."""
        return time.monotonic() - self._away
