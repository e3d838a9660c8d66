"""Where the built-in answers a random write otherwise than the real API server, and why it stays so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.kube_control_plane.answers import Answer

_REQUEST = re.compile(r"((?:spec\.)?spec\.devices\.requests\[\d+\])\..*")


@dataclass(frozen=True)
class Known:
    """A reason, and whether it explains that the built-in's answer is not the real one."""

    why: str
    explains: Callable[[Answer, Answer], bool]


def _below_too_many_devices(ours: Answer, real: Answer) -> bool:
    missing = real.errors - ours.errors
    too_many = ("spec.devices", "TooMany") in ours.errors
    return (
        too_many
        and ours.errors < real.errors
        and all(path.startswith("spec.devices[") for path, _ in missing)
    )


def _in_request_of_both_kinds(ours: Answer, real: Answer) -> bool:
    found = [_REQUEST.fullmatch(path) for path, _ in real.errors - ours.errors]
    return ours.errors < real.errors and all(one and (one[1], "Invalid") in ours.errors for one in found)


KNOWN = (
    Known(
        "rules declared with the types hold for each of too many devices; the built-in does not look at them",
        _below_too_many_devices,
    ),
    Known(
        "rules declared with the types hold for `exactly` and `firstAvailable` where not both may be set;"
        " the built-in looks into neither",
        _in_request_of_both_kinds,
    ),
)


def reason(ours: Answer, real: Answer) -> str:
    """Why the answers differ, empty if it is not known."""
    return next((one.why for one in KNOWN if one.explains(ours, real)), "")
