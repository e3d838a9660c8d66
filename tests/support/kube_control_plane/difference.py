"""One random write that the built-in answers otherwise than the real API server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube.profile import Profile
from tests.support.kube_control_plane.answers import Answer

Json = Any


@dataclass(frozen=True)
class Difference:
    """The write, by its number, with the profile, what was asked and both answers, which may be equal."""

    number: int
    name: str
    profile: Profile
    ask: Json
    ours: Answer
    real: Answer

    @property
    def missing(self) -> frozenset[tuple[str, str]]:
        """The errors that the built-in does not report."""
        return self.real.errors - self.ours.errors

    @property
    def too_much(self) -> frozenset[tuple[str, str]]:
        """The errors that only the built-in reports."""
        return self.ours.errors - self.real.errors
