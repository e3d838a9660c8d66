"""Findings of an upgrade check: what changes for an object, in which step, and why. The cause of a difference
between two profiles is found by changing one gate or switch after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

from dra_conform.kube.profile import Profile, Retained
from dra_conform.kube.switches.table import Row, rows


class UpgradeSeverity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """An object is rejected, a field is lost, or a pod or claim loses its devices."""
    CHANGE = "change"
    """Another value is stored, allocated or counted."""
    NOTE = "note"
    """A pod or claim now gets its devices, or a field is now stored."""


class Scope(StrEnum):
    """The objects to which a finding applies."""

    NEW = "new objects"
    """Objects that are written in the later release, such as manifests that are applied again."""
    EXISTING = "existing objects"
    """Objects that are stored before the step."""
    ALL = "new and existing objects"


class Aspect(StrEnum):
    """What changes."""

    STORED = "stored"
    ALLOCATED = "allocated"
    COUNTED = "counted"
    EVICTED = "evicted"


class FoundBy(StrEnum):
    """Where a finding was found if an upgrade was both simulated and done."""

    BOTH = "simulation and control planes"
    LIVE = "control planes"
    SIMULATION = "simulation"


class CauseKind(StrEnum):
    """What a cause is."""

    GATE = "feature gate"
    SWITCH = "release switch"
    FIELD = "API field"
    VERSION = "API version"
    TYPES = "API types"


@dataclass(frozen=True, slots=True)
class DifferenceCause:
    """The cause of a finding. `requirements` are ids of requirements, empty if none is known."""

    kind: CauseKind
    name: str
    words: str
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UpgradeStep:
    """One step of an upgrade or downgrade: from one minor release to the next one."""

    before: Profile
    after: Profile

    @property
    def title(self) -> str:
        """Both releases, such as `1.35 -> 1.36`."""
        return f"{self.before.release} -> {self.after.release}"


@dataclass(frozen=True, slots=True)
class UpgradeFinding:
    """One difference. `line` is None and `file` empty if no manifest has the object.

    `kind` and `name` (`namespace/name`) are those of the object, `path` is a field of it. `before` and
    `after` are descriptions. `found_by` is None if the upgrade was only simulated. `simulated` has `before`
    and `after` of the simulation if control planes have other values.
    """

    step: UpgradeStep
    severity: UpgradeSeverity
    aspect: Aspect
    scope: Scope
    file: str
    line: int | None
    kind: str
    name: str
    path: str
    before: str
    after: str
    causes: tuple[DifferenceCause, ...] = ()
    found_by: FoundBy | None = None
    simulated: tuple[str, str] | None = None


_LONGEST = 80


def shown(value: Any) -> str:
    """Return a value as JSON, shortened, and `absent` for None."""
    if value is None:
        return "absent"
    text = json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


State = TypeVar("State")


class StateByChange(Generic[State]):
    """The state of something after each change from the profile before a step to the profile after it.

    `evaluate` returns the state in a profile; each state is computed at most once. It is None if no state can
    be computed, as for control planes, whose switches cannot be changed; then no cause is found.
    """

    def __init__(self, step: UpgradeStep, evaluate: Callable[[Profile], State] | None) -> None:
        self._step = step
        self._evaluate = evaluate
        self._states: dict[int, State] = {}

    def cause(self, is_after: Callable[[State], bool]) -> DifferenceCause | None:
        """Return the change that makes `is_after` true, None if nothing changes it.

        `is_after` is false in the profile before the step and true in the profile after it. The search is
        binary; if several changes make a difference, the result is one of them.
        """
        first, last = 0, len(self._changes) - 1
        if last < 0 or not is_after(self._state(last)):
            return None
        while first < last:
            middle = (first + last) // 2
            if is_after(self._state(middle)):
                last = middle
            else:
                first = middle + 1
        return self._changes[last][0]

    @cached_property
    def _changes(self) -> list[tuple[DifferenceCause, Profile]]:
        return list(_changes(self._step.before, self._step.after)) if self._evaluate else []

    def _state(self, index: int) -> State:
        if index not in self._states:
            assert self._evaluate is not None
            self._states[index] = self._evaluate(self._changes[index][1])
        return self._states[index]


def _changes(before: Profile, after: Profile) -> Iterator[tuple[DifferenceCause, Profile]]:
    """Yield each change with the profile in which it and all earlier changes are made."""
    profile = before
    for gate, on in after.gates.items():
        if before.gates.get(gate, on) != on:
            profile = profile.with_gates({gate: on})
            yield gate_cause(gate, before, after), profile
    if before.release == after.release:
        return
    differing = [row for row in rows() if row.value(profile) != row.value(after)]
    retained = [_name(row) for row in differing]
    types = DifferenceCause(CauseKind.TYPES, str(after.release), "has other API types or new feature gates")
    yield types, _retaining(after, profile, retained)
    for number, row in enumerate(differing, 1):
        yield _switch_cause(row, profile, after), _retaining(after, profile, retained[number:])


def gate_cause(gate: str, before: Profile, after: Profile) -> DifferenceCause:
    """Return the cause for a feature gate that differs, with its state in both profiles."""
    if before.release == after.release:
        state = "on" if after.enabled(gate) else "off"
        return DifferenceCause(CauseKind.GATE, gate, f"is switched {state} in {after.release}")
    states = " and ".join(f"{_gate_state(gate, each)} in {each.release}" for each in (before, after))
    return DifferenceCause(CauseKind.GATE, gate, f"is {states}")


def _gate_state(gate: str, profile: Profile) -> str:
    if not profile.has(gate):
        return "unknown"
    state = "on" if profile.enabled(gate) else "off"
    by_default = profile.enabled(gate) == Profile.named(profile.name).enabled(gate)
    return state if by_default else f"switched {state}"


def _switch_cause(row: Row, before: Profile, after: Profile) -> DifferenceCause:
    values = " -> ".join(_value(row.value(profile)) for profile in (before, after))
    requirements = tuple(filter(None, row.declaration.source.split(", ")))
    return DifferenceCause(CauseKind.SWITCH, _name(row), f"{values}: {row.words}", requirements)


def _name(row: Row) -> str:
    return f"{row.area.__name__}.{row.name}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _retaining(profile: Profile, earlier: Profile, switches: list[str]) -> Profile:
    return replace(profile, retained=Retained(earlier, frozenset(switches)) if switches else None)
