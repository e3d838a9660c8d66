"""The expectation of one step of a scenario: the outcome of its write, and the objects afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from dra_conform.conformance.allocations.checks import (
    Check,
    checks_without,
    demands_values,
    negated,
)
from dra_conform.conformance.cluster.other_observations import is_scheduling_failure
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.writes.expectation import (
    AdmissionExpectation,
    AdmissionExpectationBuilder,
    negated_writes,
)
from dra_conform.kube.field_paths import ABSENT, Marker, parts_of
from dra_conform.kube.json_values import Json


class _OfBefore(Marker):
    """The expectations that compare a value with that of an earlier state."""

    BEFORE = "as before"
    NEW_SHARES = "an allocation with new share IDs"


BEFORE: Final = _OfBefore.BEFORE
"""A field has the value of the previous state."""

NEW_SHARES: Final = _OfBefore.NEW_SHARES
"""An allocation has share IDs that no earlier state has."""

READS = ("get", "list")
"""The actions of a scenario that read an object, or a list of objects."""

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
    def rejects(self) -> bool:
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
            or any(not fact.rejects for fact in self.facts)
        )

    @property
    def rejects(self) -> bool:
        return (self.write is not None and self.write.rejects) or any(fact.rejects for fact in self.facts)


@dataclass
class ClusterExpectationBuilder:
    """Collects the Then steps of the step with index `step_index` of the scenario `ask`."""

    ask: Mapping[str, Json]
    step_index: int
    claims: list[Check] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    _write: AdmissionExpectationBuilder | None = None

    @property
    def action(self) -> Mapping[str, Json]:
        action: Mapping[str, Json] = self.ask["actions"][self.step_index]
        return action

    @property
    def reads(self) -> bool:
        """Whether the step reads an object, or a list of objects."""
        return self.action["do"] in READS

    @property
    def write(self) -> AdmissionExpectationBuilder:
        """Return the builder for the write of the step; raises StepError if the step is not a write."""
        if self.action["do"] not in WRITES:
            raise StepError("checks a write, expected a When step that writes an object before it")
        if self._write is None:
            self._write = AdmissionExpectationBuilder(_written(self.action), steps=self.steps)
        return self._write

    def expect_allocation(self, check: Check) -> None:
        """Record an expected allocation; raises StepError before the first steady state."""
        self._need_state()
        self.claims.append(check)

    def expect(self, kind: str, name: str, path: str, value: Json) -> None:
        """Record an expected field; raises StepError before the first steady state."""
        self._need_state()
        self.facts.append(Fact(kind, name, path, value, len(self.steps) - 1))

    def expect_read(self, path: str, value: Json) -> None:
        """Record an expected field of the object that the step reads; raises StepError if it reads none."""
        if not self.reads:
            raise StepError("checks an object that was read, expected a When step that reads one")
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
            tuple(self.claims),
            tuple(self.facts),
            tuple(self.steps),
        )


def _written(action: Mapping[str, Json]) -> dict[str, Json]:
    """Return the write as a question of `admit`; a changed object has only its changed fields."""
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


def negations(expectation: ClusterExpectation) -> Iterator[tuple[str, ClusterExpectation]]:
    """Yield the expectation with one of its parts negated."""
    if expectation.write is not None:
        for words, negated_write in negated_writes(expectation.write):
            yield words, replace(expectation, write=negated_write)
    for check in expectation.claims:
        words = f"step {expectation.steps[check.step]!r}"
        if demands_values(check):
            claims = tuple(negated(known) if known is check else known for known in expectation.claims)
            yield words, replace(expectation, claims=claims)
        else:
            fact = Fact("ResourceClaim", check.claim, "status.allocation", ABSENT, check.step)
            yield words, replace(expectation, facts=(*expectation.facts, fact))
    for fact in expectation.facts:
        facts = tuple(_with_different_value(known) if known is fact else known for known in expectation.facts)
        yield f"step {expectation.steps[fact.step]!r}", replace(expectation, facts=facts)


def _with_different_value(fact: Fact) -> Fact:
    """Return the expected field with a different value, or absent."""
    value: Json = "no such value"
    if fact.path == "status.reservedFor":
        value = ["no-such-pod"]
    elif (
        fact.value is not ABSENT
        and fact.value is not BEFORE
        and fact.path != "status.phase"
        and not is_scheduling_failure(fact.path)
    ):
        value = ABSENT
    return replace(fact, value=value)


def without_declined(
    expectation: ClusterExpectation, declined: Set[str]
) -> tuple[ClusterExpectation, frozenset[str]]:
    """Remove declined parts from the expectation; return it with the parts that it had demanded."""
    claims, demanded = checks_without(expectation.claims, declined)
    facts = expectation.facts
    if "share-id" in declined and any(fact.value is NEW_SHARES for fact in facts):
        demanded |= {"share-id"}
        facts = tuple(fact for fact in facts if fact.value is not NEW_SHARES)
    return replace(expectation, claims=claims, facts=facts), demanded
