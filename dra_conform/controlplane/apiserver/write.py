"""A write: the client's request, and what else the API server reads to answer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Verb(StrEnum):
    """What the client wants done with the object."""

    CREATE = "create"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class User:
    """Who writes. Whoever asks may write at all: authorization is not part of admission here."""

    name: str = "admin"
    groups: tuple[str, ...] = ("system:masters",)

    @property
    def may_everything(self) -> bool:
        """Whether the user has every permission that admission asks for; others have none of them."""
        return "system:masters" in self.groups


@dataclass(frozen=True, slots=True)
class Write:
    """One request to write an object.

    `object` and `old` are plain JSON values of any served version; `old` is what is stored and only there
    for an update. Both are read, never changed. `subresource` is empty for the object itself.
    """

    verb: Verb
    object: Any
    old: Mapping[str, Any] | None = None
    subresource: str = ""
    user: User = User()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else the server knows: the labels of each namespace by its name, and the time (RFC 3339)."""

    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    time: str = "2026-01-01T00:00:00Z"

    @staticmethod
    def of(namespaces: Iterable[Mapping[str, Any]], time: str = "2026-01-01T00:00:00Z") -> Surroundings:
        """Those of plain Namespace objects."""
        metadata = [one["metadata"] for one in namespaces]
        return Surroundings({one["name"]: one.get("labels") or {} for one in metadata}, time)
