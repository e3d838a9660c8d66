"""A step: one golden key, the wordings in Gherkin, and one effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import msgspec

from dra_conform.conformance.phrases import Phrase
from dra_conform.conformance.steps_cells import StepError
from dra_conform.conformance.steps_params import Params
from dra_conform.kube.problems import problems

Json = Any
Yes = bool
"""`true`: where a step takes nothing."""


class Part(StrEnum):
    """Where a step stands."""

    GIVEN = "given"
    WHEN = "when"
    THEN = "then"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the vocabulary.

    `takes` is the type of its value, in whichever format it is written; `effect` takes what is given (or
    expected) so far and that value, and gives the next.
    """

    key: str
    part: Part
    summary: str
    takes: Any
    effect: Callable[[Any, Any], Any]
    phrases: tuple[Phrase, ...]

    def apply(self, state: Any, value: Json) -> Any:
        """The state after the step; raises StepError with the path within the value."""
        return self.effect(state, self.read(value))

    def read(self, value: Json) -> Any:
        """The value as the step takes it; raises StepError for the first thing wrong with it."""
        if value is False:
            raise StepError("false, expected the step to be left out")
        try:
            return msgspec.convert(value, self.takes)
        except msgspec.ValidationError as error:
            kind = next((one for one in _members(self.takes) if isinstance(one, type) and issubclass(one, Params)), None)
            target = kind if kind is not None and not isinstance(value, bool) else self.takes
            for path, message in problems(value, target):
                raise StepError(message, path) from None
            raise StepError(str(error)) from None


def _members(kind: Any) -> tuple[Any, ...]:
    return getattr(kind, "__args__", ()) or (kind,)


__all__ = ["Literal", "Part", "Step", "Yes"]
