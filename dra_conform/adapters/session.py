"""A session with one adapter process: hello, configure, run, bye."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from dra_conform import __version__
from dra_conform.adapters import schemas, wire
from dra_conform.adapters.faults import Fault, FaultKind, Limits, SessionFailed
from dra_conform.adapters.process import Child
from dra_conform.adapters.session_events import Ended, Event, StdinClosed
from dra_conform.adapters.wire import Frame, Junk, TooLong
from dra_conform.conformance.implementation import Identity, Request, Suite
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted
from dra_conform.kube.profile import Profile

CLOSED_STDOUT = "the adapter closed its stdout"


def profile_body(profile: Profile) -> dict[str, Json]:
    """Return a profile in the form of a `configure` frame."""
    return {"name": profile.name, "kubernetes": profile.release, "gates": dict(profile.gates)}


def run_body(request: Request, profile: str) -> dict[str, Json]:
    """Return a request in the form of the `case` of a `run` frame."""
    return {
        "caseId": request.case_id,
        "operation": request.operation,
        "profile": profile,
        "seed": request.seed,
        "deadlineMs": request.deadline_ms,
        "objects": request.objects,
        "ask": request.ask,
    }


class Session:
    """A started adapter process.

    Raises OSError if the command cannot be run, and SessionFailed for faults outside of a case.
    """

    def __init__(
        self, command: Sequence[str], limits: Limits, environment: Mapping[str, str] | None = None
    ) -> None:
        self.child = Child(
            command,
            max_frame=limits.max_frame,
            log=limits.log,
            memory=limits.memory,
            environment=environment,
        )
        self.warnings: list[str] = []
        self.identity = Identity("", "")
        self.window = 1
        self.refused: dict[str, str | None] = {}
        """By name of a configured profile, the reason why the adapter refused it; None if accepted."""
        self.configure_error = ""
        """The error that answered a `configure`, empty if there was none."""
        self.limits = limits
        self._next_id = 0
        self._last_size = 0

    def send(self, message: str, **fields: Json) -> int:
        """Send a frame with the next id; return the id."""
        number = self._next_id
        self._next_id += 1
        data = wire.encode({"type": message, "id": number, **fields})
        self._last_size = len(data)
        self.child.send(data)
        return number

    def send_run(self, request: Request, profile: str) -> int:
        """Send a case in a configured profile; return the id of the request."""
        return self.send("run", case=run_body(request, profile))

    @property
    def unread(self) -> bool:
        """Whether the stopped process has not read the last frame, so that this frame cannot be the cause."""
        return 0 < self._last_size <= self.child.unread

    def asked(self, number: int) -> bool:
        """Whether a frame with this id was sent."""
        return number < self._next_id

    @property
    def unfinished(self) -> str:
        """The bytes that came without a line end, as the end of a sentence; empty if there are none."""
        size = self.child.unfinished
        return f", but {counted(size, 'byte')} without a line end (LF)" if size else ""

    def timeout(self, detail: str) -> Fault:
        """Return the fault that no answer came in time."""
        return Fault(FaultKind.HANG, detail + self.unfinished)

    def next(self, timeout: float) -> Event | None:
        """Wait for the next event and return it; None after `timeout` seconds without an event."""
        end = time.monotonic() + timeout
        while True:
            if self.child.lines:
                line = self.child.lines.popleft()
                return line if isinstance(line, TooLong) else wire.decode(line)
            if self.child.ended:
                return Ended(self._how())
            if self.child.stdin_closed:
                return self._stdin_closed()
            left = end - time.monotonic()
            self.child.pump(left)
            if left <= 0 and not self.child.lines and not self.child.ended:
                return None

    def hello(self, suite: Suite, lowest: int = wire.VERSION, highest: int = wire.VERSION) -> Frame:
        """Send hello and return the answer, of type `hello` or `error`; junk before it is skipped."""
        number = self.send(
            "hello",
            protocol={"min": lowest, "max": highest},
            runner={"name": "dra-conform", "version": __version__},
            suite={"name": suite.name, "version": suite.version, "fingerprint": suite.fingerprint},
        )
        return self._answer(number, "hello", self.limits.start, skip_junk=True)

    def greet(self, suite: Suite) -> Identity:
        """Send hello; check the answer, and return the identity that the adapter declares."""
        frame = self.hello(suite)
        if frame.body.get("code") == "cannot-start":
            raise self._failure(FaultKind.CRASH, str(frame.body.get("message", "it cannot start")))
        if frame.body.get("type") == "error":
            problem = f"the adapter answered hello with an error: {_error_text(frame)}"
            raise self._failure(FaultKind.INVALID, problem)
        if problems := schemas.violations("hello-answer", frame.body):
            problem = "; ".join(each.removeprefix("/: ") for each in problems)
            raise self._failure(FaultKind.INVALID, f"hello message: {problem}")
        if frame.body["protocol"] != wire.VERSION:
            chosen = frame.body["protocol"]
            problem = f"the adapter chose protocol {chosen}, expected {wire.VERSION}"
            raise self._failure(FaultKind.INVALID, problem)
        self.identity = _identity(frame.body)
        declared = frame.body.get("modes", {}).get("pipeline", {}).get("window", 1)
        self.window = min(declared, self.limits.window)
        return self.identity

    def configure(self, profiles: Mapping[str, Profile]) -> None:
        """Send profiles, by name, to the adapter; store its answers in `refused`.

        Raises SessionFailed, also if the answer lacks a profile.
        """
        number = self.send("configure", profiles={name: profile_body(p) for name, p in profiles.items()})
        frame = self._answer(number, "configured", self.limits.configure, skip_junk=False)
        if frame.body.get("type") == "error":
            self.configure_error = f"it answered configure with an error: {_error_text(frame)}"
            self.refused.update(dict.fromkeys(profiles, self.configure_error))
            return
        if problems := schemas.violations("configured", frame.body):
            detail = "its answer to configure violates the schema: " + "; ".join(problems)
            raise self._failure(FaultKind.INVALID, detail)
        self.refused.update((name, None) for name in frame.body["accepted"] if name in profiles)
        reasons = ((entry["profile"], entry["reason"]) for entry in frame.body.get("refused", ()))
        self.refused.update((name, reason or "refused") for name, reason in reasons if name in profiles)
        for name, profile in profiles.items():
            if name not in self.refused:
                where = "neither in accepted nor in refused"
                detail = f"the answer to configure names {name} (profile {profile.name}) {where}"
                raise self._failure(FaultKind.INVALID, detail)

    def bye(self) -> tuple[str, ...]:
        """Send bye and wait for the end of the process; return warnings about what went wrong."""
        self.send("bye")
        warnings: list[str] = []
        end = time.monotonic() + self.limits.bye
        closed = False
        while not self.child.exited and time.monotonic() < end:
            self.child.pump(0.02)
            while len(self.child.lines) > 1:
                self.child.lines.pop()  # The warning shows only the first line.
            if not closed and self.child.idle:
                self.child.close_stdin()
                closed = True
        self.child.pump(0.0)
        if not self.child.exited:
            warnings.append("the adapter did not exit after the bye message and was killed")
        if self.child.lines:
            first = self.child.lines[0]
            text = (
                "a line that is too long"
                if isinstance(first, TooLong)
                else repr(first[:80].decode("utf-8", "replace"))
            )
            warnings.append(f"the adapter wrote to stdout after the bye message: {text}")
        how = self.child.stop(self.limits.terminate)
        if how not in ("", "exit code 0"):
            warnings.append(f"the adapter ended with {how} after the bye message")
        return tuple(warnings)

    def stop(self) -> str:
        """End the process at once; return how it ended by itself, empty if it was still running."""
        return self.child.stop(self.limits.terminate)

    def _answer(self, number: int, expected: str, seconds: float, *, skip_junk: bool) -> Frame:
        end = time.monotonic() + seconds
        skipped = 0
        first = ""
        while True:
            event = self.next(end - time.monotonic())
            match event:
                case Frame(id=received, body=body):
                    if received == number and body.get("type") in (expected, "error"):
                        return event
                    fields = f"type {body.get('type')!r} and id {body.get('id')!r}"
                    detail = f"a message has {fields}, expected type {expected!r} and id {number}"
                    raise self._failure(FaultKind.WRONG_ID, detail)
                case Junk() if skip_junk and skipped < self.limits.junk_lines:
                    skipped += 1
                    first = first or f"; stdout has {event.text!r}, expected a JSON object"
                    self.warnings.append(f"skipped a line on stdout before hello: {event.text!r}")
                case Junk() if skip_junk:
                    detail = f"more than {skipped} lines on stdout are not messages, such as {event.text!r}"
                    raise self._failure(FaultKind.JUNK, detail)
                case Junk():
                    detail = f"a line on stdout is not a message ({event.problem}): {event.text!r}"
                    raise self._failure(FaultKind.JUNK, detail)
                case TooLong():
                    raise self._failure(
                        FaultKind.TOO_LONG,
                        f"a line on stdout has more than {event.limit} bytes, expected at most {event.limit}",
                    )
                case Ended():
                    problem = f"the adapter ended before its {expected} message: {event.how}"
                    raise self._failure(FaultKind.CRASH, problem)
                case StdinClosed():
                    raise self._failure(FaultKind.CLOSED_INPUT, "the adapter closed its stdin")
                case None:
                    mebibytes = self.limits.memory >> 20
                    limited = f" (each process is limited to {mebibytes}Mi of memory)" if mebibytes else ""
                    raise self._failure(
                        FaultKind.HANG,
                        f"no {expected} message within {seconds:g} s{self.unfinished}{first}{limited}",
                    )

    def _failure(self, kind: FaultKind, detail: str) -> SessionFailed:
        return SessionFailed(Fault(kind, detail), self.child.log)

    def _how(self) -> str:
        # A process that closed its stdout usually exits soon, and its exit code says more.
        end = time.monotonic() + 1.0
        while not self.child.exited and time.monotonic() < end:
            time.sleep(0.005)
        by_itself = self.child.exited
        how = self.child.stop(self.limits.terminate)
        return how if by_itself else CLOSED_STDOUT

    def _stdin_closed(self) -> Event:
        # A process that closed its stdin usually exits soon; its last output comes first.
        end = time.monotonic() + 0.2
        while not self.child.ended and not self.child.lines and time.monotonic() < end:
            self.child.pump(0.01)
        if self.child.lines:
            line = self.child.lines.popleft()
            return line if isinstance(line, TooLong) else wire.decode(line)
        return Ended(self._how()) if self.child.ended else StdinClosed()


def _identity(body: Mapping[str, Json]) -> Identity:
    who = body["implementation"]
    features = {
        name: support if isinstance(support, str) else support["support"]
        for name, support in body.get("features", {}).items()
    }
    return Identity(
        name=who["name"],
        version=who["version"],
        language=who.get("language", ""),
        homepage=who.get("homepage", ""),
        source=who.get("source", ""),
        operations=frozenset(body["operations"]),
        features=features,
    )


def _error_text(frame: Frame) -> str:
    return f"{frame.body.get('code', '?')}: {frame.body.get('message', '')}"
