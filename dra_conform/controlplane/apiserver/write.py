"""A write request, and the other input of its admission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Verb(StrEnum):
    """The verb of a write."""

    CREATE = "create"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class User:
    """The user of a write; every user is authorized to write."""

    name: str = "admin"
    groups: tuple[str, ...] = ("system:masters",)

    @property
    def has_all_permissions(self) -> bool:
        """Whether the user has every permission that admission checks; other users have none of them."""
        return "system:masters" in self.groups


@dataclass(frozen=True, slots=True)
class Write:
    """One request to write an object.

    `object` and `old` are in JSON form and in any served version, and are not changed. `old` is the stored
    object of an update. `subresource` is empty for the object itself.
    """

    verb: Verb
    object: Any
    old: Mapping[str, Any] | None = None
    subresource: str = ""
    user: User = User()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The other input of admission: namespace labels by namespace, and the current time (RFC 3339)."""

    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    time: str = "2026-01-01T00:00:00Z"

    @staticmethod
    def of(namespaces: Iterable[Mapping[str, Any]], time: str = "2026-01-01T00:00:00Z") -> Surroundings:
        """Return the surroundings for Namespaces in JSON form."""
        metadata = [raw["metadata"] for raw in namespaces]
        return Surroundings({each["name"]: each.get("labels") or {} for each in metadata}, time)
