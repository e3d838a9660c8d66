"""Operations and features that an implementation declares although they do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from dra_conform.conformance.features import known_features
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.operations import OPERATIONS

_DRIVER_FEATURES = "driver-"
"""The beginning of the feature ids of drivers, each with one of the needs of a question."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A declared name that does not exist; `kind` is operation or feature, `near` a similar known name."""

    kind: str
    name: str
    near: str

    @property
    def problem(self) -> str:
        """Return the problem as a clause."""
        return f"the {self.kind} {self.name} does not exist"

    @property
    def question(self) -> str:
        """Return a question for the similar name, empty without one."""
        return f"did you mean {self.near}?" if self.near else ""


def unknown_names(identity: Identity) -> Iterator[UnknownName]:
    """Yield each declared operation and feature that does not exist."""
    for kind, declared, known in (
        ("operation", identity.operations, OPERATIONS),
        ("feature", identity.features, known_features()),
    ):
        for name in sorted(set(declared) - set(known)):
            if kind == "operation" or not name.startswith(_DRIVER_FEATURES):
                yield UnknownName(kind, name, next(iter(get_close_matches(name, known, 1)), ""))


def has_no_operation(identity: Identity) -> bool:
    """Whether an implementation declares no operation that exists, so that it gets no case."""
    return identity.operations.isdisjoint(OPERATIONS)
