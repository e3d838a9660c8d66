"""Random write with the answers of the built-in and of the real API server."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.support.kube_control_plane.answers import Answer


@dataclass(frozen=True)
class Difference:
    """Write by its number, with the profile, the request and both answers, which may be equal."""

    number: int
    name: str
    profile: Profile
    ask: Json
    ours: Answer
    real: Answer

    @property
    def missing(self) -> frozenset[tuple[str, str]]:
        """Return the errors that the built-in does not report."""
        return self.real.errors - self.ours.errors

    @property
    def too_much(self) -> frozenset[tuple[str, str]]:
        """Return the errors that only the built-in reports."""
        return self.ours.errors - self.real.errors
