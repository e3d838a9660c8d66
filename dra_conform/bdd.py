"""The steps of dra-conform as steps of pytest-bdd, for features outside of a suite.

`from dra_conform.bdd import *` in a `conftest.py`, or `pytest_plugins = ["dra_conform.bdd"]`. Each sentence
is a step definition, whose function is the one that the loader of suites calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from inspect import Parameter, Signature
from typing import Any

from pytest_bdd.parsers import StepParser

from dra_conform.conformance import plugin_entries
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps.lookup import given_steps
from dra_conform.conformance.steps.step import Phrase, Step
from dra_conform.conformance.suite.step_lines import without_releases
from dra_conform.pytest_plugin.scenario_run import ScenarioRun
from dra_conform.pytest_plugin.suite_steps import matches, step_definition

_DEFINITION = "_dra_conform_step"
"""The fixture name of all step definitions. With different names, pytest-bdd would look up each definition
separately."""


class Sentence(StepParser):
    """Matches a sentence of a step, also if the cells of an outline are still `<column>`."""

    def __init__(self, step: Step, phrase: Phrase) -> None:
        super().__init__(phrase.words)
        self._is_then = step.keyword == "then"
        self._phrase = phrase

    def is_matching(self, name: str) -> bool:
        """Whether a sentence is of this step; a Then step may begin with the releases of a deviation."""
        words = _then_words(name) if self._is_then else name
        return matches(self._phrase, words)

    def parse_arguments(self, name: str) -> dict[str, Any]:
        """Return no arguments, because the step itself reads its sentence, its table and its doc string."""
        return {}


_then_words = lru_cache(maxsize=1024)(without_releases)


def _function(step: Step) -> Callable[[ScenarioRun], None]:
    """Return a function for pytest-bdd with the name, docstring and source location of the step's
    function."""

    @wraps(step.function)
    def run_step(dra_scenario: ScenarioRun) -> None:
        dra_scenario.take_step()

    code = step.function.__code__
    function: Any = run_step
    function.__code__ = function.__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno, co_name=code.co_name
    )
    signature = Signature([Parameter("dra_scenario", Parameter.POSITIONAL_OR_KEYWORD)])
    function.__signature__ = signature
    return run_step


def _definitions() -> Iterator[tuple[str, Any]]:
    """Yield a unique name and the definition of each sentence. A sentence of several operations has one
    definition."""
    plugin_entries.load()
    known = set()
    for step in (*given_steps(), *(step for operation in OPERATIONS.values() for step in operation.steps)):
        function = _function(step)
        for phrase in step.phrases:
            if (step.keyword, phrase.expression) not in known:
                known.add((step.keyword, phrase.expression))
                definition = step_definition(_DEFINITION, step.keyword, Sentence(step, phrase), function)
                yield f"{step.keyword} {phrase.words}", definition


STEP_DEFINITIONS = dict(_definitions())
"""The step definitions by keyword and sentence."""

globals().update(STEP_DEFINITIONS)
__all__ = [*STEP_DEFINITIONS]  # noqa: PLE0604 - all are strings
