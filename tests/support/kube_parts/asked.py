"""One random question with the answers of the built-in and of Kubernetes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = Any


@dataclass(frozen=True)
class Asked:
    """A question by its number, and both answers; `difference` says in a line what differs, empty for nothing."""

    number: int
    profile: str
    objects: Json
    ask: Json
    ours: Json
    real: Json
    difference: str
