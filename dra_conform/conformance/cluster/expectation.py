"""The expectation of one step of a scenario: the outcome of its write, and the objects afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dra_conform.conformance.admit.expectation import AdmissionExpectation, AdmissionExpectationBuilder
from dra_conform.conformance.allocate.expectation import AllocationExpectationBuilder, Check
from dra_conform.conformance.cluster.other_observations import is_refusal
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.field_paths import ABSENT, parts_of

Json = Any


class _Before:
    """The value that a field had in the state before."""

    def __repr__(self) -> str:
        return "as before"


BEFORE: Final = _Before()


class _NewShares:
    """An allocation with share IDs of which none was there in any state before."""

    def __repr__(self) -> str:
        return "an allocation with new share IDs"


NEW_SHARES: Final = _NewShares()

WRITES = ("create", "update", "change", "patch", "apply", "delete")
"""The actions that are writes of the story's own."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One field of an object of the newest state: its value, ABSENT where it must not be there, BEFORE,
    or NEW_SHARES.

    `name` is as cases write it (`ns/c`, `gpu of pod p`); without a kind the object is the one that the act
    has read. The path `metadata` is absent where the object does not exist.
    """

    kind: str
    name: str
    path: str
    value: Json
    step: int = 0

    @property
    def subject(self) -> str:
        return f"{self.kind} {self.name}" if self.kind else "what is read"

    @property
    def refuses(self) -> bool:
        """Whether it says that a pod or a claim does not get what it asks for."""
        return is_refusal(self.path) or (self.path, self.value) in (
            ("status.phase", "Pending"),
            ("status.phase", "Failed"),
            ("status.allocation", ABSENT),
        )


@dataclass(frozen=True, slots=True)
class ActExpectation:
    """What is right of one act.

    `write`: what must become of the act's own write, None where it is none or nothing is said. `claims`:
    what claims have in the newest state, `facts`: what else is so there.
    """

    write: AdmissionExpectation | None = None
    claims: tuple[Check, ...] = ()
    facts: tuple[Fact, ...] = ()
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return (
            bool(self.claims)
            or (self.write is not None and self.write.accepts)
            or any(not fact.refuses for fact in self.facts)
        )

    @property
    def refuses(self) -> bool:
        return (self.write is not None and self.write.refuses) or any(fact.refuses for fact in self.facts)


@dataclass
class ActExpectationBuilder:
    """What the then steps have said so far of act number `act` of the story `ask`."""

    ask: Mapping[str, Json]
    act: int
    facts: list[Fact] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    _write: AdmissionExpectationBuilder | None = None
    _claims: AllocationExpectationBuilder | None = None

    @property
    def action(self) -> Mapping[str, Json]:
        action: Mapping[str, Json] = self.ask["actions"][self.act]
        return action

    @property
    def reads(self) -> bool:
        """Whether the act reads an object."""
        return bool(self.action["do"] == "get")

    @property
    def write(self) -> AdmissionExpectationBuilder:
        """What is said of the act's own write; raises StepError where it is none."""
        if self.action["do"] not in WRITES:
            raise StepError("says what becomes of a write, expected it after a step that writes")
        if self._write is None:
            self._write = AdmissionExpectationBuilder(_written(self.action), steps=self.steps)
        return self._write

    @property
    def claims(self) -> AllocationExpectationBuilder:
        """What is said of allocated claims; raises StepError where no state is known yet."""
        self._need_state()
        if self._claims is None:
            self._claims = AllocationExpectationBuilder({}, steps=self.steps)
        return self._claims

    def expect(self, kind: str, name: str, path: str, value: Json) -> None:
        """Take a field of an object of the newest state; raises StepError where none is known yet."""
        self._need_state()
        self.facts.append(Fact(kind, name, path, value, len(self.steps) - 1))

    def expect_read(self, path: str, value: Json) -> None:
        """Take a field of the object that the act reads; raises StepError where it reads none."""
        if not self.reads:
            raise StepError("says what is read, expected it after a step that reads an object")
        self.facts.append(Fact("", "", path, value, len(self.steps) - 1))

    def _need_state(self) -> None:
        before = self.ask["actions"][: self.act + 1]
        if not any(action["do"] == "settle" for action in before):
            expected = "When the cluster reaches a steady state"
            raise StepError(f"is about the steady state, expected a step before it: {expected}")

    def build(self) -> ActExpectation:
        """The expectation; raises StepError where no step says anything."""
        if not self.steps:
            raise StepError("has no outcome, expected at least one Then step")
        return ActExpectation(
            self._write.build() if self._write else None,
            tuple(self._claims.checks) if self._claims else (),
            tuple(self.facts),
            tuple(self.steps),
        )


def _written(action: Mapping[str, Json]) -> dict[str, Json]:
    """The question that `admit` would put for the write; of a changed object only the changed fields."""
    written: Json = action.get("object", action.get("patch", {}))
    for path, value in action.get("fields", {}).items():
        written = _with(written, parts_of(path), value)
    return {"object": written, **({"subresource": "status"} if action.get("subresource") else {})}


def _with(value: Json, parts: Sequence[str], new: Json) -> Json:
    """A value with one more field; where its list is not known, its index is a key."""
    if not parts:
        return new
    if isinstance(value, list) and parts[0].isdecimal() and int(parts[0]) < len(value):
        at = int(parts[0])
        return [*value[:at], _with(value[at], parts[1:], new), *value[at + 1 :]]
    known = value if isinstance(value, Mapping) else {}
    return {**known, parts[0]: _with(known.get(parts[0]), parts[1:], new)}
