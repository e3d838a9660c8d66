"""The expectation of one step of a scenario: the outcome of its write, and the objects afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dra_conform.conformance.admit.expectation import AdmissionExpectation, AdmissionExpectationBuilder
from dra_conform.conformance.allocate.expectation import AllocationExpectationBuilder, Check
from dra_conform.conformance.cluster.other_observations import is_scheduling_failure
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.field_paths import ABSENT, parts_of

Json = Any


class _Before:
    """The expectation that a field has the value of the previous state."""

    def __repr__(self) -> str:
        return "as before"


BEFORE: Final = _Before()


class _NewShares:
    """The expectation of an allocation with share IDs that no earlier state has."""

    def __repr__(self) -> str:
        return "an allocation with new share IDs"


NEW_SHARES: Final = _NewShares()

WRITES = ("create", "update", "change", "patch", "apply", "delete")
"""The actions of a scenario that write an object."""


@dataclass(frozen=True, slots=True)
class Fact:
    """The expected value of a field in the newest state: a value, ABSENT, PRESENT, BEFORE or NEW_SHARES.

    `name` is the name in the case (`ns/c`, `gpu of pod p`). Without a kind, the object is the one that the
    step reads. The path `metadata` is absent if the object does not exist.
    """

    kind: str
    name: str
    path: str
    value: Json
    step: int = 0

    @property
    def subject(self) -> str:
        return f"{self.kind} {self.name}" if self.kind else "the object read"

    @property
    def refuses(self) -> bool:
        """Whether a pod stays Pending or fails, or a ResourceClaim stays unallocated."""
        return is_scheduling_failure(self.path) or (self.path, self.value) in (
            ("status.phase", "Pending"),
            ("status.phase", "Failed"),
            ("status.allocation", ABSENT),
        )


@dataclass(frozen=True, slots=True)
class ClusterExpectation:
    """The correct observations of one step.

    `write`: the outcome of the write of the step, None if it is not a write or is not compared. `claims`: the
    allocations of ResourceClaims in the newest state. `facts`: other fields in the newest state.
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
class ClusterExpectationBuilder:
    """Collects the Then steps of the step with index `step_index` of the scenario `ask`."""

    ask: Mapping[str, Json]
    step_index: int
    facts: list[Fact] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    _write: AdmissionExpectationBuilder | None = None
    _claims: AllocationExpectationBuilder | None = None

    @property
    def action(self) -> Mapping[str, Json]:
        action: Mapping[str, Json] = self.ask["actions"][self.step_index]
        return action

    @property
    def reads(self) -> bool:
        """Whether the step reads an object."""
        return bool(self.action["do"] == "get")

    @property
    def write(self) -> AdmissionExpectationBuilder:
        """Return the builder for the write of the step; raises StepError if the step is not a write."""
        if self.action["do"] not in WRITES:
            raise StepError("is about a write, expected it after a When step that writes an object")
        if self._write is None:
            self._write = AdmissionExpectationBuilder(_written(self.action), steps=self.steps)
        return self._write

    @property
    def claims(self) -> AllocationExpectationBuilder:
        """Return the builder for allocations; raises StepError before the first steady state."""
        self._need_state()
        if self._claims is None:
            self._claims = AllocationExpectationBuilder({}, steps=self.steps)
        return self._claims

    def expect(self, kind: str, name: str, path: str, value: Json) -> None:
        """Record an expected field; raises StepError before the first steady state."""
        self._need_state()
        self.facts.append(Fact(kind, name, path, value, len(self.steps) - 1))

    def expect_read(self, path: str, value: Json) -> None:
        """Record an expected field of the object that the step reads; raises StepError if it reads none."""
        if not self.reads:
            raise StepError("is about a read object, expected it after a When step that reads an object")
        self.facts.append(Fact("", "", path, value, len(self.steps) - 1))

    def _need_state(self) -> None:
        actions = self.ask["actions"][: self.step_index + 1]
        if not any(action["do"] == "settle" for action in actions):
            step = "When the cluster reaches a steady state"
            raise StepError(f"needs a steady state, expected an earlier step: {step}")

    def build(self) -> ClusterExpectation:
        """Return the expectation; raises StepError if there was no Then step."""
        if not self.steps:
            raise StepError("has no outcome, expected at least one Then step")
        return ClusterExpectation(
            self._write.build() if self._write else None,
            tuple(self._claims.checks) if self._claims else (),
            tuple(self.facts),
            tuple(self.steps),
        )


def _written(action: Mapping[str, Json]) -> dict[str, Json]:
    """Return the write as a question of `admit`; of a changed object only the changed fields."""
    written: Json = action.get("object", action.get("patch", {}))
    for path, value in action.get("fields", {}).items():
        written = _with(written, parts_of(path), value)
    return {"object": written, **({"subresource": "status"} if action.get("subresource") else {})}


def _with(value: Json, parts: Sequence[str], new: Json) -> Json:
    """Return a copy of a value with the field at a path set to `new`.

    An index into an unknown list becomes a key of a map.
    """
    if not parts:
        return new
    if isinstance(value, list) and parts[0].isdecimal() and int(parts[0]) < len(value):
        index = int(parts[0])
        return [*value[:index], _with(value[index], parts[1:], new), *value[index + 1 :]]
    mapping = value if isinstance(value, Mapping) else {}
    return {**mapping, parts[0]: _with(mapping.get(parts[0]), parts[1:], new)}
