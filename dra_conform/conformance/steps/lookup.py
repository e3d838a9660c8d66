"""The lookup of a step by its golden key or its Gherkin sentence, and its application."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Protocol

from dra_conform.conformance.steps.claim_steps import CLAIMS
from dra_conform.conformance.steps.component_steps import RUNNING
from dra_conform.conformance.steps.device_steps import DEVICES
from dra_conform.conformance.steps.driver_setup import NODE_DRIVERS
from dra_conform.conformance.steps.driver_under_test import DRIVERS
from dra_conform.conformance.steps.node_resources import RECORDED
from dra_conform.conformance.steps.pod_steps import PODS
from dra_conform.conformance.steps.quota_steps import QUOTAS
from dra_conform.conformance.steps.step import Phrase, Step, StepError, Table
from dra_conform.conformance.steps.world_steps import WORLD
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import UncheckedJson
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.versions import UnservedVersion
from dra_conform.kube.yaml import Path

_OPTIONAL = re.compile(r"\[[^\[\]]*\]")
_HINTS = 2
_NAMED = re.compile(r'"[^"]*"|\{\w+\}|\d+')

_GIVEN: list[Step] = [
    *WORLD,
    *DEVICES,
    *CLAIMS,
    *PODS,
    *RECORDED,
    *QUOTAS,
    *RUNNING,
    *DRIVERS,
    *NODE_DRIVERS,
]


def given_steps() -> tuple[Step, ...]:
    """Return the Given steps of all operations, with those of plugins."""
    return tuple(_GIVEN)


def add_given(steps: Iterable[Step]) -> None:
    """Add Given steps of a plugin."""
    _GIVEN.extend(steps)


class Place(Protocol):
    """The place of a step in a file."""

    def error(self, path: Path, message: str) -> InputError:
        """Return an error at a path below the place."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """One step as written in a case, with its parameters, its words for reports, and its place."""

    step: Step
    params: UncheckedJson
    words: str
    place: Place


def by_key(steps: tuple[Step, ...], keyword: str, key: str) -> Step:
    """Return the step of a golden key; raises StepError with the nearest key."""
    known = _steps_by_key(steps, keyword)
    if key in known:
        return known[key]
    near = get_close_matches(key, known, n=1)
    raise StepError(
        f"unknown {keyword} step {key!r}, expected {near[0] if near else 'one of ' + ', '.join(known)}"
    )


@cache
def _steps_by_key(steps: tuple[Step, ...], keyword: str) -> Mapping[str, Step]:
    return {step.key: step for step in steps if step.keyword == keyword}


def by_words(
    steps: tuple[Step, ...], keyword: str, words: str, rows: Table, text: str
) -> tuple[Step, UncheckedJson]:
    """Return the step of a Gherkin sentence with its parameters.

    Raises StepError with the nearest sentences.
    """
    for step, phrase in _phrases(steps, keyword, words.partition(" ")[0]):
        match = phrase.match(words)
        if match is not None:
            return step, phrase.params(match, rows, text)
    known = tuple(phrase.words for _, phrase in _phrases(steps, keyword))
    raise StepError(f"unknown {keyword.capitalize()} step {words!r}, expected {_hint(words, known)}")


def nearest(steps: tuple[Step, ...], keyword: str, words: str) -> str:
    """Return the sentence that is most like `words`, empty if no sentence is like them."""
    near = _like(words, tuple(phrase.words for _, phrase in _phrases(steps, keyword)), 0.6)
    return near[0] if near else ""


@cache
def _phrases(steps: tuple[Step, ...], keyword: str, first: str | None = None) -> list[tuple[Step, Phrase]]:
    """Return the phrases of a keyword, those that can begin with a word if there is one."""
    return [
        (step, phrase)
        for step in steps
        if step.keyword == keyword
        for phrase in step.phrases
        if first is None or f"{first} ".startswith(phrase.start) or phrase.start.startswith(f"{first} ")
    ]


def _hint(words: str, known: tuple[str, ...]) -> str:
    near = _like(words, known, 0.85)[:1] or _like(words, known, 0.3)[:_HINTS]
    return f"something like: {', or: '.join(near)}" if near else f"one of: {'; '.join(known)}"


@cache
def _like(words: str, known: tuple[str, ...], cutoff: float) -> tuple[str, ...]:
    """Return the sentences that are like `words` with at least the ratio `cutoff`, the most similar first.

    Names, numbers and capitals do not count, and neither do optional parts that `words` lack. Cached, because
    each row of examples repeats its sentences.
    """
    shapes = {_shape(form): sentence for sentence in known for form in _forms(sentence)}
    near = get_close_matches(_shape(words), shapes, n=2 * _HINTS, cutoff=cutoff)
    return tuple(dict.fromkeys(shapes[shape] for shape in near))


def _forms(sentence: str) -> tuple[str, str]:
    """Return a sentence without its optional parts, and with all of them."""
    return _OPTIONAL.sub("", sentence), sentence.replace("[", "").replace("]", "")


def _shape(sentence: str) -> str:
    return _NAMED.sub("_", sentence.lower())


def apply(written: WrittenStep, builder: Any) -> Any:
    """Decode the parameters of a step and apply it to a builder; raises InputError at its place."""
    try:
        return written.step.apply(builder, decode_as(written.step.kind, written.params))
    except DecodeErrors as error:
        problem = error.problems[0]
        raise written.place.error(problem.path, problem.message) from None
    except StepError as error:
        raise written.place.error((), str(error)) from None
    except UnservedVersion as error:
        raise written.place.error(error.path, error.message) from None


def read_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return the rows of a data table with a header as maps from column to cell; raises StepError."""
    if not rows:
        return []
    header, *body = rows
    if len(set(header)) < len(header):
        raise StepError(f"the table has a duplicate column: {', '.join(header)}, expected each column once")
    return [dict(zip(header, row, strict=True)) for row in body]
