"""`exec:`: an adapter process that speaks the wire protocol and may misbehave in any way."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from dra_conform.adapters import schemas
from dra_conform.adapters.adapter_supervisor import AdapterSupervisor
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.faults import Fault, FaultKind, Limits, SessionFailed
from dra_conform.adapters.pending_replies import PendingReplies
from dra_conform.adapters.session import Session
from dra_conform.adapters.session_events import fault_of
from dra_conform.adapters.wire import Frame, Junk
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite

_MAX_LOG_OF_GOOD_REPLY = 4096
_ENDINGS = (FaultKind.CRASH, FaultKind.CLOSED_INPUT)


@dataclass(slots=True)
class _InFlight:
    """A request that was sent and is not answered yet, with the time at which it was sent."""

    request: Request
    sent: float


class ExecImplementation:
    """An adapter process as an implementation.

    Requests are pipelined up to the window that the adapter declares. A fault may belong to any request in
    flight. So these requests are repeated one at a time, and later requests run one at a time too. `warnings`
    are problems that belong to no case. The process gets `environment`, by default the `scrubbed` environment
    of this process.
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
        self._supervisor = AdapterSupervisor(command, self._limits, environment)
        self._pending = PendingReplies()
        self._sampler = schemas.Sampler()
        self._operations: frozenset[str] = frozenset()
        self._window = 1
        self._latest: tuple[int, Request] | None = None
        self._caller_seconds = 0.0

    @property
    def warnings(self) -> list[str]:
        """Problems of the process that are not a fault of a case."""
        return self._supervisor.warnings

    def start(self, suite: Suite) -> Identity:
        """Start the process and exchange hello; raises CannotStart."""
        try:
            identity = self._supervisor.start(suite)
        except SessionFailed as failure:
            stderr = f"\nIts stderr:\n{tail}" if (tail := failure.log.strip()) else ""
            problem = str(failure).removeprefix(f"{self._spec}: ")  # `serve` names the spec itself.
            raise CannotStart(f"{self._spec}: {problem}{stderr}") from None
        self._operations = identity.operations
        self._window = self._supervisor.session.window if self._supervisor.session else 1
        return replace(identity, spec=self._spec)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request; see `Implementation.run`."""
        finished = False
        try:
            for reply in self._replies(iter(requests)):
                left = time.monotonic()
                yield reply
                self._caller_seconds += time.monotonic() - left
            finished = True
        finally:
            if not finished:  # The caller stopped early; late answers must not reach the next run.
                self._supervisor.drop()
                self._pending = PendingReplies()

    def close(self) -> None:
        """Send bye and end the process."""
        self._supervisor.close()

    def _replies(self, requests: Iterator[Request]) -> Iterator[Reply]:
        if self._window > 1:
            suspects, fault, requests = yield from self._pipeline(requests)
            if fault is not None:
                self._window = 1
                self._isolate(suspects, fault)
        for request in requests:
            self._run_alone(request)
            yield from self._pending.release(keep=1)
        self._check_late_output(self._limits.settle)
        yield from self._pending.release()

    def _pipeline(
        self, requests: Iterator[Request]
    ) -> Generator[Reply, None, tuple[list[Request], Fault | None, Iterator[Request]]]:
        """Run requests with the declared window until all are answered or a fault occurs.

        Returns the requests in flight at the fault, the fault, and the requests that were not sent.
        """
        flights: dict[int, _InFlight] = {}
        upcoming = next(requests, None)
        progress = self._now()
        while True:
            # A new profile is configured only without requests in flight, so its answer comes next.
            room = len(flights) < self._window
            if upcoming and room and (not flights or self._supervisor.ready(upcoming.profile)):
                session = self._session_for(upcoming)
                if session is not None:
                    progress = self._now() if not flights else progress
                    number = session.send_run(upcoming, self._supervisor.name(upcoming.profile))
                    flights[number] = _InFlight(upcoming, self._now())
                upcoming = next(requests, None)
            elif flights:
                fault, answered = self._next_event(flights, progress)
                if fault is not None:
                    self._supervisor.restart()
                    rest = chain((upcoming,), requests) if upcoming else requests
                    return [flight.request for flight in flights.values()], fault, rest
                progress = self._now() if answered else progress
            else:
                return [], None, requests
            yield from self._pending.release(keep=self._window)

    def _next_event(self, flights: dict[int, _InFlight], progress: float) -> tuple[Fault | None, bool]:
        """Handle one event; return a fault of the requests in flight, and whether a request was answered."""
        session = self._supervisor.session
        assert session is not None
        slowest = max(flight.request.deadline_ms for flight in flights.values()) / 1000
        event = session.next(max(0.0, progress + slowest - self._now()))
        late = session.timeout(f"no answer to any request in flight for {slowest:g} s")
        match event:
            case None:
                return late, False
            case Frame(id=number) if number in flights:
                flight = flights.pop(number)
                self._latest = (number, flight.request)
                seconds = self._now() - max(flight.sent, progress)
                self._store(self._read(session, flight.request, event, seconds), number)
                return None, True
            case Frame(id=number) if number is not None and session.asked(number):
                self._doubled(number)
                return late if self._now() >= progress + slowest else None, False
            case _:
                return fault_of(event), False

    def _isolate(self, suspects: list[Request], fault: Fault) -> None:
        """Repeat the requests that were in flight at a fault one at a time, then the last answered request.

        If the fault does not occur again, the first request in flight gets it: most adapters answer in order.
        """
        first = len(self._pending)
        for request in suspects:
            self._run_alone(request)
        self._check_late_output(self._limits.settle)
        if self._pending.has_fault(first):
            return
        if self._latest is not None:
            number, request = self._latest
            self._run_alone(request)
            self._check_late_output(self._limits.settle)
            if self._pending.merge_last(number):
                return
        note = f" ({len(suspects)} requests were in flight; one at a time the fault does not recur)"
        self._pending.set_fault_at(first, replace(fault, detail=fault.detail + note))

    def _run_alone(self, request: Request, *, again: bool = False) -> None:
        """Run one request while no other request is in flight."""
        self._check_late_output(0.0)
        session = self._session_for(request)
        if session is None:
            return
        began = self._now()
        number = session.send_run(request, self._supervisor.name(request.profile))
        fault, stuck = self._exchange(session, number, request, began)
        if fault is None:
            return
        if stuck:
            session.stop()
            if session.unread and fault.kind in _ENDINGS and not again:
                # The process ended before it read this request, so the previous request has the fault.
                self._set_last_fault(fault)
                self._supervisor.restart()
                self._run_alone(request, again=True)
                return
        log = session.child.take_log()
        seconds = self._now() - began
        self._store(Reply(request.id, fault.status, detail=fault.detail, log=log, seconds=seconds), number)
        if stuck:
            self._supervisor.restart()

    def _exchange(
        self, session: Session, number: int, request: Request, began: float
    ) -> tuple[Fault | None, bool]:
        """Wait for the answer and store it; return a fault, and whether the process must be restarted."""
        end = began + request.deadline_ms / 1000
        first: Fault | None = None
        other = ""
        for skipped in range(self._limits.junk_lines + 1):
            left = max(0.0, end - self._now())
            event = session.next(left) if left or not skipped else None
            match event:
                case Frame(id=received) if received == number:
                    if first is None:
                        self._store(self._read(session, request, event, self._now() - began), number)
                    return first, False
                case Frame(id=received) if received is not None and session.asked(received):
                    self._doubled(received)
                    other = f"a second answer with id {received}"
                case Junk(text=text):
                    first = first or fault_of(event)
                    other = repr(text)
                case None:
                    # Junk instead of the answer says more than the timeout; the process hangs anyway.
                    return first or session.timeout(f"no answer within {request.deadline_ms} ms"), True
                case _:
                    fault = fault_of(event)
                    return fault, fault.restarts
        detail = f"more than {self._limits.junk_lines} lines on stdout are not the answer, such as {other}"
        return Fault(FaultKind.FLOOD, detail), True

    def _session_for(self, request: Request) -> Session | None:
        """Return the session for a request; None if the reply is known (and stored) without sending it."""
        fault = self._supervisor.prepare(request.profile)
        session = self._supervisor.session
        reason = self._supervisor.refusal(request.profile)
        if fault is not None:
            self._store(Reply(request.id, fault.status, detail=fault.detail))
        elif session is None:
            self._pending.add(Reply(request.id, Status.NOT_RUN, detail=self._supervisor.gave_up))
        elif request.operation not in self._operations:
            detail = f"the adapter does not declare operation {request.operation!r}"
            self._pending.add(Reply(request.id, Status.UNDECLARED, detail=detail))
        elif reason is not None:
            detail = f"the adapter declines profile {request.profile.name}: {reason}"
            self._pending.add(Reply(request.id, Status.UNDECLARED, detail=detail))
        else:
            return session
        return None

    def _check_late_output(self, seconds: float) -> None:
        """Read output after the last answer, with no request in flight; it is a fault of that answer."""
        end = self._now() + seconds
        for _ in range(self._limits.junk_lines):
            session = self._supervisor.session
            if session is None or (event := session.next(max(0.0, end - self._now()))) is None:
                return
            if isinstance(event, Frame) and event.id is not None and session.asked(event.id):
                self._doubled(event.id)
                continue
            fault = fault_of(event)
            self._set_last_fault(fault)
            if fault.restarts:
                self._supervisor.restart()
        self._supervisor.restart()

    def _set_last_fault(self, fault: Fault) -> None:
        late = replace(fault, detail=f"after the answer: {fault.detail}")
        if not self._pending.set_last_fault(late):
            self.warnings.append(f"with no request in flight: {fault.detail}")

    def _read(self, session: Session, request: Request, frame: Frame, seconds: float) -> Reply:
        """Decode an answer into a reply, or into a fault if it violates the schema."""
        reply = to_reply(request, frame.body, seconds)
        log = session.child.take_log()
        problem = reply.problem if isinstance(reply, MalformedResult) else ""
        if not problem and self._sampler.due():
            problem = "; ".join(schemas.result_violations(request.operation, frame.body))
        if isinstance(reply, MalformedResult) or problem:
            fault = Fault(FaultKind.INVALID, f"the result violates the schema: {problem}")
            return Reply(request.id, fault.status, detail=fault.detail, log=log, seconds=seconds)
        if reply.status is Status.OK:
            log = log[-_MAX_LOG_OF_GOOD_REPLY:]
        return replace(reply, log="\n".join(part for part in (reply.log, log) if part)) if log else reply

    def _store(self, reply: Reply, number: int | None = None) -> None:
        self._pending.add(reply, number)
        self._supervisor.count(crashed=reply.status is Status.CRASH)

    def _doubled(self, number: int) -> None:
        fault = Fault(FaultKind.DOUBLED_ID, f"id {number} was answered more than once")
        late = f"a second answer with id {number} came after the first was judged, expected one answer"
        if not self._pending.set_fault(number, fault) and late not in self.warnings:
            self.warnings.append(late)

    def _now(self) -> float:
        """Return the time in seconds, without the time that the caller spent on replies."""
        return time.monotonic() - self._caller_seconds
