"""The findings of checks of published ResourceSlices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dra_conform.kube.errors import InputError


class Severity(StrEnum):
    """An error is rejected by the API server or prevents allocation; advice is a probable mistake."""

    ERROR = "error"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a field of a manifest, with the requirement that it violates."""

    severity: Severity
    requirement: str
    place: InputError

    def __str__(self) -> str:
        """Return `file:line: path: severity: message (requirement)`."""
        place = self.place
        message = f"{self.severity}: {place.message} ({self.requirement})"
        return str(InputError(place.file, place.line, place.path, message))
