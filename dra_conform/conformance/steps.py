"""The vocabulary of cases: every step there is, for golden files and for Gherkin alike."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from dra_conform.conformance.phrases import Below
from dra_conform.conformance.step import Part, Step
from dra_conform.conformance.steps_cells import StepError, Table, nearest
from dra_conform.conformance.steps_given import GIVEN
from dra_conform.conformance.steps_then import THEN, WHEN

Json = Any

STEPS: tuple[Step, ...] = (*GIVEN, *WHEN, *THEN)
_BY_KEY: Mapping[Part, Mapping[str, Step]] = {
    part: {step.key: step for step in STEPS if step.part is part} for part in Part
}


def keyed(part: Part, entry: Json) -> tuple[Step, Json]:
    """The step of a golden entry `{key: value}` and its value; raises StepError."""
    if not isinstance(entry, dict) or len(entry) != 1:
        raise StepError(f"is no step, expected one of {', '.join(_BY_KEY[part])} with its value")
    ((key, value),) = entry.items()
    step = _BY_KEY[part].get(key)
    if step is None:
        raise StepError(f"unknown step {key!r}, {nearest(key, tuple(_BY_KEY[part]))}", (key,))
    return step, value


def said(part: Part, text: str, below: Table | str | None) -> tuple[Step, Json]:
    """The step of a Gherkin text and its value as golden files have it; raises StepError."""
    for step in _BY_KEY[part].values():
        for phrase in step.phrases:
            places = phrase.match(text)
            if places is None:
                continue
            if phrase.below is not _kind(below):
                raise StepError(f"has {_kind(below)} below it, expected {phrase.below}")
            return step, phrase.read(places, below)
    wordings = [phrase.wording for step in _BY_KEY[part].values() for phrase in step.phrases]
    close = get_close_matches(text, wordings, n=1, cutoff=0.3)
    expected = f"expected such as: {close[0]}" if close else f"expected such as: {wordings[0]}"
    raise StepError(f"unknown {part} step {text!r}, {expected}")


def _kind(below: Table | str | None) -> Below:
    if below is None:
        return Below.NOTHING
    return Below.TABLE if isinstance(below, Table) else Below.TEXT
