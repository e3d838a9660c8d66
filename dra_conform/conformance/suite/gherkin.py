"""Feature files: Gherkin scenarios as cases, with the same steps as golden files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gherkin.errors import CompositeParserException, ParserError
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler

from dra_conform.conformance.case import Case, Source
from dra_conform.conformance.steps.given import Fixture
from dra_conform.conformance.suite.case_ids import (
    NAME,
    NAME_IN_WORDS,
    case_id,
    names_in,
    repeated_column,
    row_keys,
)
from dra_conform.conformance.suite.composition import (
    CaseHeader,
    collect_from,
    compose,
    known_profiles,
    operation_of,
)
from dra_conform.conformance.suite.step_lines import FeatureLine, StepLine, setup_and_steps
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import PROFILES

_KEYWORDS = {"Context": "given", "Action": "when", "Outcome": "then"}
_PARSER_MESSAGE = re.compile(r"\((\d+):\d+\): (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Scenario:
    title: str
    line: int
    rule: str
    name: str
    """The name in its `@case:` tag."""
    tags: frozenset[str]
    """The node ids of its own tags."""


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[str, ...]
    line: int
    key: str


class _FeatureIndex:
    """Scenarios, example rows and steps of a parsed feature by their node ids."""

    def __init__(self, file: str, feature: Mapping[str, Json]) -> None:
        self.file = file
        self.scenarios: dict[str, _Scenario] = {}
        self.rows: dict[str, _Row] = {}
        self.lines: dict[str, int] = {}
        self.columns: list[tuple[str, int]] = []
        """The columns of examples with their lines."""
        self._read(feature["children"], "")

    def _read(self, children: Sequence[Mapping[str, Json]], rule: str) -> None:
        for child in children:
            if "rule" in child:
                self._read(child["rule"]["children"], child["rule"]["name"])
                continue
            node = child.get("scenario") or child["background"]
            for step in node["steps"]:
                self.lines[step["id"]] = step["location"]["line"]
            if "scenario" in child:
                tags = [tag["name"].removeprefix("@") for tag in node["tags"]]
                line = node["location"]["line"]
                name = _name(FeatureLine(self.file, line), tags)
                own = frozenset(tag["id"] for tag in node["tags"])
                self.scenarios[node["id"]] = _Scenario(node["name"], line, rule, name, own)
                self._read_examples(node, tags)

    def _read_examples(self, node: Mapping[str, Json], tags: Sequence[str]) -> None:
        """Read the rows of all examples of a scenario, with the columns of the first table."""
        columns: list[str] = []
        rows: list[tuple[str, tuple[str, ...], int]] = []
        for examples in node["examples"]:
            header = examples.get("tableHeader") or {"cells": ()}
            named = [cell["value"] for cell in header["cells"]]
            repeated = repeated_column(named)
            if repeated is not None:
                place = FeatureLine(self.file, header["location"]["line"])
                raise place.error((), f"repeats the column {named[repeated]!r}, expected distinct columns")
            self.columns += [(name, header["location"]["line"]) for name in named]
            columns = columns or named
            for row in examples["tableBody"]:
                cells = tuple(cell["value"] for cell in row["cells"])
                rows.append((row["id"], cells, row["location"]["line"]))
        marked = next(names_in(tags, "key:"), "")
        key_column = next((column for column in columns if column.replace(" ", "-") == marked), marked)
        try:
            keys = row_keys(columns, [cells for _, cells, _ in rows], key_column)
        except ValueError as error:
            raise FeatureLine(self.file, node["location"]["line"]).error((), str(error)) from None
        for (row_id, cells, line), key in zip(rows, keys, strict=True):
            self.rows[row_id] = _Row(cells, line, key)


def _name(place: FeatureLine, tags: Sequence[str]) -> str:
    """Return the name of a scenario from its tags; raises InputError."""
    names = list(names_in(tags, "case:"))
    if len(names) != 1:
        raise place.error((), f"has {len(names)} tags @case:NAME, expected one")
    if not NAME.fullmatch(names[0]):
        raise place.error((), f"has the tag @case:{names[0]}, expected a name of {NAME_IN_WORDS}")
    return names[0]


MAX_LINES = 20_000
"""The limit of lines of a file, which the parser reads in a second."""

MAX_LINE = 4_096
"""The limit of characters of a line. The parser needs quadratic time for the row of a table."""


def feature_cases(text: str, file: str, fixture: Fixture) -> Iterator[Case]:
    """Yield the cases of a feature file, one for each scenario and each row of its examples.

    `file` is relative to the suite, such as `features/kep-5075/rounding.feature`. Raises InputError, and
    InputErrors if the text is not Gherkin.
    """
    _reject_large(file, text)
    try:
        document = Parser().parse(text)
    except CompositeParserException as error:
        raise InputErrors(_parser_error(file, str(parser_error)) for parser_error in error.errors) from None
    except ParserError as error:
        raise _parser_error(file, str(error)) from None
    if not document.get("feature"):
        raise InputError(file, 1, "", "has no Feature, expected a Feature")
    index = _FeatureIndex(file, document["feature"])
    _reject_duplicates(file, index)
    _reject_special_columns(file, index)
    _reject_mistyped_keywords(file, document["feature"])
    pickles = Compiler().compile({**document, "uri": file})
    yield from collect_from(partial(_cases, pickle, file, index, fixture) for pickle in pickles)


def _reject_large(file: str, text: str) -> None:
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise InputError(file, 1, "", f"has {len(lines)} lines, expected at most {MAX_LINES}")
    for number, line in enumerate(lines, start=1):
        if len(line) > MAX_LINE:
            raise InputError(
                file, number, "", f"has a line of {len(line)} characters, expected at most {MAX_LINE}"
            )


def _parser_error(file: str, text: str) -> InputError:
    match = _PARSER_MESSAGE.search(text)
    line, message = (int(match[1]), match[2]) if match else (1, text)
    return InputError(file, line, "", f"is not valid Gherkin: {' '.join(message.split())}")


def _reject_duplicates(file: str, index: _FeatureIndex) -> None:
    lines: dict[str, int] = {}
    for scenario in index.scenarios.values():
        for name in (f"scenario {scenario.title!r}", f"name @case:{scenario.name}"):
            if name in lines:
                message = f"duplicate {name}, expected only one; the first is in line {lines[name]}"
                raise InputError(file, scenario.line, "", message)
            lines[name] = scenario.line


def _reject_special_columns(file: str, index: _FeatureIndex) -> None:
    """Reject special characters, because the compiler treats column names as regular expressions."""
    for name, line in index.columns:
        if not re.fullmatch(r"[\w -]+", name):
            raise InputError(
                file, line, "", f"has the column {name!r}, expected letters, digits, dashes and blanks"
            )


_LIKE_STEP_OR_KEYWORD = re.compile(r"\s*((?i:scenario|rule|background|example)[a-z ]*:|(Given|When|Then) ).*")


def _reject_mistyped_keywords(file: str, node: Mapping[str, Json]) -> None:
    """Reject descriptions that look like steps or keywords.

    The parser reads a line with a mistyped keyword as a description.
    """
    for line in node.get("description", "").splitlines():
        if _LIKE_STEP_OR_KEYWORD.fullmatch(line):
            raise InputError(
                file,
                node["location"]["line"],
                "",
                f"has the description {line.strip()!r}, expected no step or keyword in a description",
            )
    for child in node.get("children", ()):
        for inner in child.values():
            _reject_mistyped_keywords(file, inner)
    if "children" in node and not any("scenario" in child or "rule" in child for child in node["children"]):
        raise InputError(file, node["location"]["line"], "", "has no Scenario, expected at least one")


def _cases(pickle: Mapping[str, Json], file: str, index: _FeatureIndex, fixture: Fixture) -> Iterator[Case]:
    yield _case(pickle, file, index, fixture)


def _case(pickle: Mapping[str, Json], file: str, index: _FeatureIndex, fixture: Fixture) -> Case:
    scenario = next(
        index.scenarios[node_id] for node_id in pickle["astNodeIds"] if node_id in index.scenarios
    )
    row = next((index.rows[node_id] for node_id in pickle["astNodeIds"] if node_id in index.rows), None)
    place = FeatureLine(file, row.line if row else scenario.line)
    _reject_tags_without_effect(FeatureLine(file, scenario.line), scenario, pickle["tags"])
    tags = [tag["name"].removeprefix("@") for tag in pickle["tags"]]
    head = case_header(
        case_id(file, scenario.name, row.key if row else ""),
        pickle["name"],
        place,
        tags,
        rule=scenario.rule,
        row=row.cells if row else (),
    )
    lines = [
        _step_line(step, FeatureLine(file, index.lines[step["astNodeIds"][0]])) for step in pickle["steps"]
    ]
    given, steps = setup_and_steps(lines)
    operation = operation_of(place, [step.when for step in steps])
    return compose(head, place, given, [step.written_step(operation) for step in steps], fixture)


def case_header(
    name: str,
    title: str,
    place: FeatureLine,
    tags: Iterable[str],
    *,
    rule: str = "",
    row: tuple[str, ...] = (),
) -> CaseHeader:
    """Return the header of a scenario with these tags, which are without `@`; raises InputError."""
    tags = tuple(tags)
    ranges = _profile_ranges(tags)
    return CaseHeader(
        id=name,
        title=title,
        source=Source(place.file, place.line),
        kind="scenario",
        requirements=tuple(dict.fromkeys(tag for tag in tags if "/" in tag)),
        profiles=known_profiles(place, (), ranges) if ranges else None,
        order="order" in tags,
        rule=rule,
        row=row,
    )


def _profile_ranges(tags: Iterable[str]) -> list[str]:
    tagged = [tag.removeprefix("profile:") for tag in tags if tag.startswith("profile:")]
    return [name if name in PROFILES else name.replace("-", " ") for name in tagged]


def _reject_tags_without_effect(
    place: FeatureLine, scenario: _Scenario, tags: Sequence[Mapping[str, str]]
) -> None:
    """Reject profiles of a scenario that its feature or rule has: tags add profiles and remove none."""
    own = _profile_ranges(tag["name"][1:] for tag in tags if tag["astNodeId"] in scenario.tags)
    others = _profile_ranges(tag["name"][1:] for tag in tags if tag["astNodeId"] not in scenario.tags)
    if own and known_profiles(place, (), own) <= known_profiles(place, (), others):
        name = own[0].replace(" ", "-")
        message = f"has the tag @profile:{name}, which its feature or rule includes, expected none or others"
        raise place.error((), message)


def _step_line(step: Mapping[str, Json], place: FeatureLine) -> StepLine:
    keyword = _KEYWORDS.get(step["type"])
    if keyword is None:
        raise place.error((), "begins with And, But or *, expected Given, When or Then first")
    argument = step.get("argument") or {}
    cells = [
        [cell["value"] for cell in row["cells"]]
        for row in (argument.get("dataTable") or {"rows": []})["rows"]
    ]
    text = (argument.get("docString") or {"content": ""})["content"]
    return StepLine(keyword, step["text"], cells, text, place)
