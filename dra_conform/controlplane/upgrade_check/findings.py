"""Findings of an upgrade check: what changes for an object, in which step, and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.kube.profile import Profile


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
    `after` are descriptions.
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


_LONGEST = 80


def shown(value: Any) -> str:
    """Return a value as JSON, shortened, and `absent` for None."""
    if value is None:
        return "absent"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
