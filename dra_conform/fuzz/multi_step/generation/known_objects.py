"""The objects that a scenario has written so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from dra_conform.fuzz.writes.kinds import WrittenKind

Json = Any
ObjectKey = tuple[str, str, str]
"""Kind, namespace (empty where the kind has none) and name."""


def key_of(written: Json) -> ObjectKey:
    """Return kind, namespace and name of an object."""
    metadata = written["metadata"]
    return written["kind"], metadata.get("namespace", ""), metadata["name"]


def reference(key: ObjectKey) -> dict[str, str]:
    """Return the reference of actions to an object."""
    kind, namespace, name = key
    return {"kind": kind, "name": name, **({"namespace": namespace} if namespace else {})}


class KnownObjects:
    """The objects of a scenario in the form in which they were last sent, without API version, by key."""

    def __init__(self) -> None:
        self._last: dict[ObjectKey, Json] = {}

    def __iter__(self) -> Iterator[ObjectKey]:
        return iter(self._last)

    def remember(self, written: Json) -> None:
        self._last[key_of(written)] = deepcopy(written)

    def of(self, kind: WrittenKind) -> Mapping[ObjectKey, Json]:
        """Return the objects of a kind, the oldest first."""
        return {key: item for key, item in self._last.items() if key[0] == kind.name}

    def one_of(self, kind: WrittenKind, random: Random) -> Json | None:
        """Return a copy of one of the two newest objects of a kind, None if there is no object."""
        several = list(self.of(kind).values())
        return deepcopy(random.choice(several[-2:])) if several else None
