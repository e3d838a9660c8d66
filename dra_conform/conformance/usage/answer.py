"""The quota usage that an implementation computed, and its form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

Json = Any


@dataclass(frozen=True, slots=True)
class UsageAnswer:
    """The used quantities by quota name. An absent name means zero."""

    used: Mapping[str, str]


class _Counted(msgspec.Struct):
    outcome: Literal["counted"]
    used: dict[str, str]


def read(body: Mapping[str, Json]) -> UsageAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    if "outcome" not in body:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    return UsageAnswer(msgspec.convert(body, _Counted).used)


def write(answer: UsageAnswer) -> dict[str, Json]:
    """Return the body of a `result` without its status."""
    return {"outcome": "counted", "used": dict(answer.used)}
