"""The steps of a scenario as written in a feature file: Given, When, Then, and Thens of some releases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dra_conform.conformance.operation import AnyOperation
from dra_conform.conformance.steps.lookup import Place, WrittenStep, read_table
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.suite.composition import (
    DeviationSteps,
    WrittenCaseStep,
    known_profiles,
    step_by_words,
)
from dra_conform.kube.errors import InputError
from dra_conform.kube.yaml import Path, written

_DEVIATION = re.compile(
    r"(?P<ranges>(?:in|since|until|from) Kubernetes [^:]*?), because (?P<reason>[^:]+): (?P<step>.+)"
)


def without_releases(words: str) -> str:
    """Return the sentence of a Then step without the releases and the reason of a deviation."""
    deviation = _DEVIATION.fullmatch(words)
    return deviation["step"] if deviation else words


@dataclass(frozen=True, slots=True)
class FeatureLine:
    """A line of a feature file, the place of its steps and scenarios."""

    file: str
    line: int

    def error(self, path: Path, message: str) -> InputError:
        """Return an error in this line."""
        return InputError(self.file, self.line, written(path), message)


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step as written: `keyword` is given, when or then; `table` has the cells of the data table."""

    keyword: str
    words: str
    table: Sequence[Sequence[str]]
    text: str
    place: Place

    def written(self, operation: AnyOperation | None = None) -> WrittenStep:
        """Return the step of the vocabulary with its parameters; raises InputError."""
        words = without_releases(self.words) if self.keyword == "then" else self.words
        try:
            known_step, params = step_by_words(
                self.keyword, words, read_table(self.table), self.text, operation
            )
        except StepError as error:
            raise self.place.error((), str(error)) from None
        except (InputError, ValueError) as error:
            raise self.place.error((), f"cannot be parsed: {error}") from None
        table = "".join("\n  | " + " | ".join(row) + " |" for row in self.table)
        quoted = "".join(f"\n  {line}" for line in self.text.splitlines())
        return WrittenStep(
            known_step, params, f"{self.keyword.capitalize()} {words}{table}{quoted}", self.place
        )


@dataclass
class WhenWithThens:
    """A When step and the following Then steps, as written."""

    place: Place
    when: WrittenStep
    then_lines: list[StepLine] = field(default_factory=list)

    def written_step(self, operation: AnyOperation) -> WrittenCaseStep:
        """Return the step of a case of an operation; raises InputError."""
        then: list[WrittenStep] = []
        deviations: dict[tuple[frozenset[str], str], list[WrittenStep]] = {}
        for line in self.then_lines:
            written = line.written(operation)
            deviation = _DEVIATION.fullmatch(line.words)
            if deviation is None:
                then.append(written)
            else:
                ranges = deviation["ranges"].replace("Kubernetes ", "").split(" and ")
                key = (known_profiles(line.place, (), ranges), deviation["reason"].strip())
                deviations.setdefault(key, []).append(written)
        by_profiles = (DeviationSteps(*key, tuple(steps)) for key, steps in deviations.items())
        return WrittenCaseStep(self.place, self.when, tuple(then), tuple(by_profiles))


def setup_and_steps(lines: Sequence[StepLine]) -> tuple[list[WrittenStep], list[WhenWithThens]]:
    """Return the Given steps, and each When step with its Then steps; raises InputError."""
    given: list[WrittenStep] = []
    case_steps: list[WhenWithThens] = []
    for line in lines:
        match line.keyword:
            case "given" if case_steps:
                raise line.place.error((), "is a Given after a When, expected all Given steps first")
            case "given":
                given.append(line.written())
            case "when":
                case_steps.append(WhenWithThens(line.place, line.written()))
            case _ if case_steps:
                case_steps[-1].then_lines.append(line)
            case _:
                raise line.place.error((), "is a Then before the first When, expected a When step first")
    return given, case_steps
