"""The steps of scenarios of suites: one step definition for each keyword.

The loader of the suite has already found the step of each sentence. pytest-bdd looks at all definitions for
each step, so a definition for each sentence, as in `dra_conform.bdd`, would take a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from pytest_bdd.parsers import StepParser
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from dra_conform.conformance.steps.step import Phrase
from dra_conform.conformance.suite.composition import known_steps
from dra_conform.conformance.suite.step_lines import without_releases
from dra_conform.pytest_plugin.scenario_run import ScenarioRun


def matches(phrase: Phrase, words: str) -> bool:
    """Whether a sentence is of this phrase, also if the cells of an outline are still `<column>`."""
    return bool(phrase.match(words)) or ("<" in words and phrase.matches_outline(words))


@lru_cache(maxsize=4096)
def is_known(keyword: str, sentence: str) -> bool:
    """Whether a sentence is in the vocabulary; a Then step may begin with the releases of a deviation."""
    words = without_releases(sentence) if keyword == "then" else sentence
    steps = (step for step in known_steps(keyword, None) if step.keyword == keyword)
    return any(matches(phrase, words) for step in steps for phrase in step.phrases)


class AnySentence(StepParser):
    """Matches every sentence of the vocabulary with this keyword."""

    def __init__(self, keyword: str) -> None:
        super().__init__(keyword)
        self._keyword = keyword

    def is_matching(self, name: str) -> bool:
        """Whether a sentence is in the vocabulary."""
        return is_known(self._keyword, name)

    def parse_arguments(self, name: str) -> dict[str, Any]:
        """Return no arguments, because the case of the suite has them."""
        return {}


def _take_step(dra_scenario: ScenarioRun) -> None:
    dra_scenario.take_step()


def step_definition(
    name: str, keyword: str, parser: StepParser, function: Callable[[ScenarioRun], None]
) -> Any:
    """Return a step definition of pytest-bdd: a fixture of this name."""
    context = StepFunctionContext(
        type=keyword,  # type: ignore[arg-type]
        step_func=function,
        parser=parser,
    )

    def definition() -> StepFunctionContext:
        return context

    step_function_context_registry[definition] = context
    return pytest.fixture(name=name)(definition)


given_step, when_step, then_step = (
    step_definition("_dra_conform_suite_step", keyword, AnySentence(keyword), _take_step)
    for keyword in ("given", "when", "then")
)
