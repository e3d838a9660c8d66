"""Rewrite the steps of Gherkin text: sentences, columns of data tables, and cells of examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from former_words import Words

_STEP = re.compile(r"(?P<start>\s*(?:Given|When|Then|And|But|\*) )(?P<text>.*?)(?P<end>\s*)")
_ROW = re.compile(r"\s*\|.*\|\s*")
_CELL = re.compile(r"(?:\\.|[^|\\])*")
_BLOCK = re.compile(r"\s*(?:Feature|Rule|Background|Scenario|Scenario Outline|Example):")
_EXAMPLES = re.compile(r"\s*Examples:")
_PLACEHOLDER = re.compile(r"<([^<>]+)>")


Row = Mapping[str, str]
"""Row of examples by column."""
Changed = dict[tuple[int, str], str]
"""New cells of examples by row and column."""


class CannotRewriteError(ValueError):
    """A step of an outline cannot be rewritten by a change of its text or of its examples."""


@dataclass
class _Scenario:
    """The line numbers of a block's steps, and the line ranges of its tables of examples."""

    steps: list[int] = field(default_factory=list)
    examples: list[range] = field(default_factory=list)


def rewrite_feature(text: str, words: Words) -> str:
    """Return the text with all steps in the new words. Raises CannotRewriteError with the step."""
    lines = text.split("\n")
    for scenario in _scenarios(lines):
        _rewrite(lines, scenario, words)
    return "\n".join(lines)


def _scenarios(lines: Sequence[str]) -> Iterator[_Scenario]:
    scenario, number = _Scenario(), 0
    while number < len(lines):
        line = lines[number]
        if _BLOCK.match(line):
            yield scenario
            scenario = _Scenario()
        elif _EXAMPLES.match(line):
            first = next((i for i in range(number + 1, len(lines)) if lines[i].strip()), number)
            rows = table_at(lines, first)
            scenario.examples.append(rows)
            number = max(number, rows.stop - 1)
        elif _STEP.fullmatch(line):
            scenario.steps.append(number)
        number += 1
    yield scenario


def table_at(lines: Sequence[str], first: int) -> range:
    """Return the range of the table that begins at a line, empty if there is none."""
    last = first
    while last < len(lines) and _ROW.fullmatch(lines[last]):
        last += 1
    return range(first, last)


def _rewrite(lines: list[str], scenario: _Scenario, words: Words) -> None:
    tables = [[cells_of(lines[i]) for i in rows] for rows in scenario.examples]
    examples: list[Row] = [dict(zip(table[0], row, strict=False)) for table in tables for row in table[1:]]
    changed: Changed = {}
    rewritten: list[tuple[str, list[str]]] = []
    for number in scenario.steps:
        match = _STEP.fullmatch(lines[number])
        assert match
        wanted = [words.step(_fill(match["text"], row)) for row in examples]
        text, table = _step(match["text"], examples, [new for new, _ in wanted], changed, words)
        kinds = {kind for _, kind in wanted} | {table}
        lines[number] = match["start"] + text + match["end"]
        rewritten.append((text, [new for new, _ in wanted]))
        for kind in kinds - {""}:
            rename_columns(lines, table_at(lines, number + 1), words.columns[kind])
    examples = _with(examples, changed)
    for text, each in rewritten:
        if [_fill(text, row) for row in examples] != each:
            raise CannotRewriteError(
                f"{text!r}: not rewritten, expected {each[0]!r} for each row of its examples"
            )
    rows = iter(examples)
    for places, (header, *body) in zip(scenario.examples, tables, strict=True):
        cells = [[row[name] for name in header] for _, row in zip(body, rows, strict=False)]
        write_table(lines, places, [header, *cells])


def _step(
    text: str, examples: Sequence[Row], wanted: Sequence[str], changed: Changed, words: Words
) -> tuple[str, str]:
    """Return the new text of a step and the kind of its table, and add new cells of examples to `changed`.

    `wanted` has the new text for each row of the examples.
    """
    new, table = words.step(text)
    rows = _with(examples, changed)
    if [_fill(new, row) for row in rows] == wanted:
        return new, table
    for template, name in _templates(text, new, examples, wanted):
        cells = _solve(template, name, rows, wanted)
        known = [changed.get((place, name)) for place in range(len(rows))]
        if cells is not None and all(old in (None, cell) for old, cell in zip(known, cells, strict=True)):
            changed.update({(place, name): cell for place, cell in enumerate(cells)})
            return template, table
    raise CannotRewriteError(
        f"{text!r}: no change of the step or its examples gives {', '.join(map(repr, dict.fromkeys(wanted)))}"
    )


def _with(examples: Sequence[Row], changed: Changed) -> list[Row]:
    return [
        {name: changed.get((place, name), cell) for name, cell in row.items()}
        for place, row in enumerate(examples)
    ]


def _templates(
    text: str, new: str, examples: Sequence[Row], wanted: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield possible new texts of an outline's step, each with the column whose cells may change.

    These are the step in new words, the step around unchanged cells, and the words that all rows begin with.
    """
    names = [
        name for name in dict.fromkeys(_PLACEHOLDER.findall(text)) if all(name in row for row in examples)
    ]
    for name in names:
        yield new, name
    split = [want.split(" ") for want in wanted]
    first = 0
    while all(len(words) > first + 1 and words[first] == split[0][first] for words in split):
        first += 1
    for name in names:
        cells = [row[name] for row in examples]
        around = {want.rpartition(cell)[::2] for cell, want in zip(cells, wanted, strict=True)}
        if len(around) == 1 and all(cell in want for cell, want in zip(cells, wanted, strict=True)):
            yield f"<{name}>".join(around.pop()), name
        yield " ".join([*split[0][:first], f"<{name}>"]), name


def _solve(template: str, name: str, rows: Sequence[Row], wanted: Sequence[str]) -> list[str] | None:
    """Return the cells of a column with which the template gives the wanted texts, None if there are none."""
    solution = []
    for cells, want in zip(rows, wanted, strict=True):
        other_cells = {other: cell for other, cell in cells.items() if other != name}
        pattern = "(.*)".join(map(re.escape, _fill(template, other_cells).split(f"<{name}>")))
        match = re.fullmatch(pattern, want)
        if match is None or not match.groups() or len(set(match.groups())) > 1:
            return None
        solution.append(match[1])
    return solution


def _fill(text: str, cells: Row) -> str:
    return _PLACEHOLDER.sub(lambda match: cells.get(match[1], match[0]), text)


def rename_columns(lines: list[str], rows: range, names: Mapping[str, str]) -> None:
    """Rename the columns of a table in place."""
    if not rows:
        return
    table = [cells_of(lines[i]) for i in rows]
    header = [_renamed(cell, names) for cell in table[0]]
    write_table(lines, rows, [header, *table[1:]])


def _renamed(column: str, names: Mapping[str, str]) -> str:
    word, space, rest = column.partition(" ")
    return f"{names.get(word, word)}{space}{rest}"


def cells_of(line: str) -> list[str]:
    """Return the cells of a row as they are written."""
    inner = line.strip()[1:-1]
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def write_table(lines: list[str], rows: range, table: Sequence[Sequence[str]]) -> None:
    """Replace the rows of a table by aligned rows. A table with equal cells stays as it is."""
    if [cells_of(lines[i]) for i in rows] == [list(row) for row in table]:
        return
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for place, row in zip(rows, table, strict=True):
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines[place] = f"{indent}| {' | '.join(cells)} |"
