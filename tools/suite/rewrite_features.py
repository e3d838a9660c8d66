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
"""A row of examples by column."""
Changed = dict[tuple[int, str], str]
"""New cells of examples by row and column."""


class CannotRewriteError(ValueError):
    """A step of an outline that no change of its text or of its examples brings to the new words."""


@dataclass
class _Scenario:
    """The steps of a block as line numbers, and its tables of examples as ranges of line numbers."""

    steps: list[int] = field(default_factory=list)
    examples: list[range] = field(default_factory=list)


def rewrite_feature(text: str, words: Words) -> str:
    """The text with all steps in the new words; raises CannotRewriteError with the step."""
    lines = text.split("\n")
    for scenario in _scenarios(lines):
        _rewrite(lines, scenario, words)
    return "\n".join(lines)


def _scenarios(lines: Sequence[str]) -> Iterator[_Scenario]:
    found, number = _Scenario(), 0
    while number < len(lines):
        line = lines[number]
        if _BLOCK.match(line):
            yield found
            found = _Scenario()
        elif _EXAMPLES.match(line):
            first = next((i for i in range(number + 1, len(lines)) if lines[i].strip()), number)
            rows = table_at(lines, first)
            found.examples.append(rows)
            number = max(number, rows.stop - 1)
        elif _STEP.fullmatch(line):
            found.steps.append(number)
        number += 1
    yield found


def table_at(lines: Sequence[str], first: int) -> range:
    """The lines of the table that begins in a line; empty if there is none."""
    last = first
    while last < len(lines) and _ROW.fullmatch(lines[last]):
        last += 1
    return range(first, last)


def _rewrite(lines: list[str], scenario: _Scenario, words: Words) -> None:
    tables = [[cells_of(lines[i]) for i in rows] for rows in scenario.examples]
    examples: list[Row] = [dict(zip(table[0], row, strict=False)) for table in tables for row in table[1:]]
    changed: Changed = {}
    said: list[tuple[str, list[str]]] = []
    for number in scenario.steps:
        found = _STEP.fullmatch(lines[number])
        assert found
        wanted = [words.step(_fill(found["text"], row)) for row in examples]
        text, table = _step(found["text"], examples, [one for one, _ in wanted], changed, words)
        kinds = {kind for _, kind in wanted} | {table}
        lines[number] = found["start"] + text + found["end"]
        said.append((text, [one for one, _ in wanted]))
        for kind in kinds - {""}:
            rename_columns(lines, table_at(lines, number + 1), words.columns[kind])
    examples = _with(examples, changed)
    for text, each in said:
        if [_fill(text, row) for row in examples] != each:
            raise CannotRewriteError(f"{text!r} would no longer be {each[0]!r} in each row of its examples")
    rows = iter(examples)
    for places, (header, *body) in zip(scenario.examples, tables, strict=True):
        made = [[row[name] for name in header] for _, row in zip(body, rows, strict=False)]
        write_table(lines, places, [header, *made])


def _step(
    text: str, examples: Sequence[Row], wanted: Sequence[str], changed: Changed, words: Words
) -> tuple[str, str]:
    """The new text of a step and the kind of its table; cells of examples that must change go to `changed`.

    `wanted` is the new text for each row of the examples.
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
    raise CannotRewriteError(f"{text!r} becomes {', '.join(map(repr, dict.fromkeys(wanted)))}")


def _with(examples: Sequence[Row], changed: Changed) -> list[Row]:
    return [
        {name: changed.get((place, name), cell) for name, cell in row.items()}
        for place, row in enumerate(examples)
    ]


def _templates(
    text: str, new: str, examples: Sequence[Row], wanted: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """What the step of an outline may become, with the column whose cells may change.

    That is: the step in new words, the step around unchanged cells, and the words that all rows begin with.
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
    """The cells of one column with which the template says what is wanted, if there are any."""
    found = []
    for cells, want in zip(rows, wanted, strict=True):
        rest = {other: cell for other, cell in cells.items() if other != name}
        pattern = "(.*)".join(map(re.escape, _fill(template, rest).split(f"<{name}>")))
        match = re.fullmatch(pattern, want)
        if match is None or not match.groups() or len(set(match.groups())) > 1:
            return None
        found.append(match[1])
    return found


def _fill(text: str, cells: Row) -> str:
    return _PLACEHOLDER.sub(lambda found: cells.get(found[1], found[0]), text)


def rename_columns(lines: list[str], rows: range, names: Mapping[str, str]) -> None:
    """Give the columns of a table their new names."""
    if not rows:
        return
    table = [cells_of(lines[i]) for i in rows]
    header = [_renamed(cell, names) for cell in table[0]]
    write_table(lines, rows, [header, *table[1:]])


def _renamed(column: str, names: Mapping[str, str]) -> str:
    word, space, rest = column.partition(" ")
    return f"{names.get(word, word)}{space}{rest}"


def cells_of(line: str) -> list[str]:
    """The cells of a row as they are written."""
    inner = line.strip()[1:-1]
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def write_table(lines: list[str], rows: range, table: Sequence[Sequence[str]]) -> None:
    """Write the rows, aligned, in place of those there; rows that are the same already stay as they are."""
    if [cells_of(lines[i]) for i in rows] == [list(row) for row in table]:
        return
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for place, row in zip(rows, table, strict=True):
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines[place] = f"{indent}| {' | '.join(cells)} |"
