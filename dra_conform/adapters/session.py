"""One conversation with one child process: hello, configure, runs, bye."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform import __version__
from dra_conform.adapters import schemas, wire
from dra_conform.adapters.faults import Broken, Fault, FaultKind, Limits
from dra_conform.adapters.process import Child
from dra_conform.adapters.wire import Frame, Junk, TooLong
from dra_conform.conformance.implementation import Identity, Request, Suite
from dra_conform.kube.profile import Profile

Json = Any


@dataclass(frozen=True, slots=True)
class Ended:
    """No further frame can come; `how` says why."""

    how: str


@dataclass(frozen=True, slots=True)
class Deaf:
    """The child closed its stdin."""


Event = Frame | Junk | TooLong | Ended | Deaf


def profile_body(profile: Profile) -> dict[str, Json]:
    """A profile as `configure` carries it."""
    return {"name": profile.name, "kubernetes": profile.release, "gates": dict(profile.gates)}


def run_body(request: Request, profile: str) -> dict[str, Json]:
    """A request as the `case` of a `run`."""
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
    """A started child. Raises OSError where the command cannot be run; `Broken` where the talk goes wrong."""

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
        """Per configured profile why it was refused, None where it was accepted."""
        self.limits = limits
        self._next_id = 0
        self._last_size = 0

    def send(self, message: str, **fields: Json) -> int:
        """Send a frame with the next id; the id."""
        number = self._next_id
        self._next_id += 1
        data = wire.encode({"type": message, "id": number, **fields})
        self._last_size = len(data)
        self.child.send(data)
        return number

    def send_run(self, request: Request, profile: str) -> int:
        """Send a case under a configured profile name; the id to wait for."""
        return self.send("run", case=run_body(request, profile))

    @property
    def unread(self) -> bool:
        """Whether the stopped child never read a byte of the last frame, and so cannot have died of it."""
        return 0 < self._last_size <= self.child.unread

    def asked(self, number: int) -> bool:
        """Whether this id was ever used."""
        return number < self._next_id

    def next(self, timeout: float) -> Event | None:
        """The next thing that happens, None where nothing does for `timeout` seconds."""
        end = time.monotonic() + timeout
        while True:
            if self.child.lines:
                line = self.child.lines.popleft()
                return line if isinstance(line, TooLong) else wire.decode(line)
            if self.child.ended:
                return Ended(self._how())
            if self.child.deaf:
                return self._deaf()
            left = end - time.monotonic()
            self.child.pump(left)
            if left <= 0 and not self.child.lines and not self.child.ended:
                return None

    def hello(self, suite: Suite, lowest: int = wire.VERSION, highest: int = wire.VERSION) -> Frame:
        """Introduce ourselves; the answer, of type `hello` or `error`. Junk before it is skipped."""
        number = self.send(
            "hello",
            protocol={"min": lowest, "max": highest},
            runner={"name": "dra-conform", "version": __version__},
            suite={"name": suite.name, "version": suite.version, "fingerprint": suite.fingerprint},
        )
        return self._answer(number, "hello", self.limits.start, skip_junk=True)

    def greet(self, suite: Suite) -> Identity:
        """Say hello and take in what the adapter says of itself."""
        frame = self.hello(suite)
        if frame.body.get("code") == "cannot-start":
            raise self._broken(FaultKind.CRASH, str(frame.body.get("message", "it says no more")))
        if frame.body.get("type") == "error":
            raise self._broken(FaultKind.INVALID, f"it answered hello with an error: {_error_text(frame)}")
        if problems := schemas.violations("hello-answer", frame.body):
            raise self._broken(FaultKind.INVALID, "its hello breaks the schema: " + "; ".join(problems))
        if frame.body["protocol"] != wire.VERSION:
            chosen = frame.body["protocol"]
            raise self._broken(FaultKind.INVALID, f"it chose protocol {chosen}, offered was {wire.VERSION}")
        self.identity = _identity(frame.body)
        declared = frame.body.get("modes", {}).get("pipeline", {}).get("window", 1)
        self.window = min(declared, self.limits.window)
        return self.identity

    def configure(self, profiles: Mapping[str, Profile]) -> None:
        """Make profiles known; `refused` tells which of them the adapter accepts."""
        number = self.send("configure", profiles={name: profile_body(p) for name, p in profiles.items()})
        frame = self._answer(number, "configured", self.limits.configure, skip_junk=False)
        if frame.body.get("type") == "error":
            reason = f"it answered configure with an error: {_error_text(frame)}"
            self.refused.update(dict.fromkeys(profiles, reason))
            return
        if problems := schemas.violations("configured", frame.body):
            raise self._broken(FaultKind.INVALID, "its configured breaks the schema: " + "; ".join(problems))
        self.refused.update((name, None) for name in frame.body["accepted"] if name in profiles)
        reasons = ((entry["profile"], entry["reason"]) for entry in frame.body.get("refused", ()))
        self.refused.update((name, reason or "refused") for name, reason in reasons if name in profiles)
        for name in profiles:
            self.refused.setdefault(name, "configured named it neither accepted nor refused")

    def bye(self) -> tuple[str, ...]:
        """End the conversation; what was not as it should be: warnings, never verdicts."""
        self.send("bye")
        found: list[str] = []
        end = time.monotonic() + self.limits.bye
        closed = False
        while not self.child.exited and time.monotonic() < end:
            self.child.pump(0.02)
            while len(self.child.lines) > 1:
                self.child.lines.pop()  # one is enough for the warning, however many there are
            if not closed and self.child.idle:
                self.child.close_stdin()
                closed = True
        self.child.pump(0.0)
        if not self.child.exited:
            found.append("it did not end after bye and had to be killed")
        if self.child.lines:
            first = self.child.lines[0]
            text = (
                "an over-long line"
                if isinstance(first, TooLong)
                else repr(first[:80].decode("utf-8", "replace"))
            )
            found.append(f"it wrote to stdout after bye: {text}")
        how = self.child.stop(self.limits.terminate)
        if how not in ("", "exit code 0"):
            found.append(f"it ended with {how} after bye")
        return tuple(found)

    def stop(self) -> str:
        """End the child at once; how it ended by itself, empty where we ended it."""
        return self.child.stop(self.limits.terminate)

    def _answer(self, number: int, expected: str, seconds: float, *, skip_junk: bool) -> Frame:
        end = time.monotonic() + seconds
        skipped = 0
        while True:
            event = self.next(end - time.monotonic())
            match event:
                case Frame(id=found, body=body):
                    if found == number and body.get("type") in (expected, "error"):
                        return event
                    shown = f"type {body.get('type')!r} and id {body.get('id')!r}"
                    detail = f"a frame with {shown} came where {expected!r} with id {number} was due"
                    raise self._broken(FaultKind.WRONG_ID, detail)
                case Junk() if skip_junk and skipped < self.limits.junk_lines:
                    skipped += 1
                    self.warnings.append(f"skipped a line on stdout before hello: {event.text!r}")
                case Junk() if skip_junk:
                    detail = f"over {skipped} lines on stdout that are not frames, such as {event.text!r}"
                    raise self._broken(FaultKind.JUNK, detail)
                case Junk():
                    detail = f"stdout has a line that is not a frame ({event.problem}): {event.text!r}"
                    raise self._broken(FaultKind.JUNK, detail)
                case TooLong():
                    raise self._broken(FaultKind.TOO_LONG, f"a line of more than {event.limit} bytes")
                case Ended():
                    raise self._broken(FaultKind.CRASH, f"it ended before its {expected}: {event.how}")
                case Deaf():
                    raise self._broken(FaultKind.CLOSED_INPUT, "it closed its stdin")
                case None:
                    raise self._broken(FaultKind.HANG, f"no {expected} within {seconds:g} s")

    def _broken(self, kind: FaultKind, detail: str) -> Broken:
        return Broken(Fault(kind, detail), self.child.log)

    def _how(self) -> str:
        # A process that closed its stdout is mostly about to exit; how it does says more.
        end = time.monotonic() + 1.0
        while not self.child.exited and time.monotonic() < end:
            time.sleep(0.005)
        by_itself = self.child.exited
        how = self.child.stop(self.limits.terminate)
        return how if by_itself else "it closed its stdout"

    def _deaf(self) -> Event:
        # Likewise: a closed stdin is mostly the end of the process, and what it still had to say comes first.
        end = time.monotonic() + 0.2
        while not self.child.ended and not self.child.lines and time.monotonic() < end:
            self.child.pump(0.01)
        if self.child.lines:
            line = self.child.lines.popleft()
            return line if isinstance(line, TooLong) else wire.decode(line)
        return Ended(self._how()) if self.child.ended else Deaf()


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
