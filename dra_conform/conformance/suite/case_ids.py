"""Ids of cases: `document/area/name`, and for a row of a table a key in brackets, `document/area/name[key]`.

The author chooses the name, which stays when the title changes: a tag `@case:name` in a feature file,
`case: name` in a golden file. Document and area are those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,58}[a-z0-9])?")
"""The name of a case: at most 60 characters."""

NAME_IN_WORDS = "at most 60 lower-case letters, digits, dashes and dots"
LONGEST_KEY = 40
_LARGEST_KEY_COLUMNS = 3


def case_id(file: str, name: str, key: str = "") -> str:
    """Return the id of the case `name` in a file such as `golden/kep-5075/rounding.yaml`."""
    path = file.partition("/")[2].rpartition(".")[0]
    return f"{path}/{name}[{key}]" if key else f"{path}/{name}"


def row_keys(columns: Sequence[str], rows: Sequence[Sequence[str]], key_column: str = "") -> list[str]:
    """Return a key for each row: its cell in the marked column, else as few distinct cells as possible, else
    its number.

    `rows` are cells as written. Of equally short choices, the leftmost columns are used. Raises ValueError if
    the marked column does not exist or its cells are not distinct.
    """
    cells = [[_id_part(cell) for cell in row] for row in rows]
    if key_column:
        return _keys_of_column(columns, cells, key_column)
    for count in range(1, min(len(columns), _LARGEST_KEY_COLUMNS) + 1):
        for key_columns in combinations(range(len(columns)), count):
            keys = ["-".join(row[index] for index in key_columns) for row in cells]
            if _are_distinct(keys):
                return keys
    return [str(number) for number in range(1, len(rows) + 1)]


def _keys_of_column(columns: Sequence[str], cells: Sequence[Sequence[str]], key_column: str) -> list[str]:
    if key_column not in columns:
        raise ValueError(f"unknown key column {key_column!r}, expected one of {', '.join(columns)}")
    keys = [row[columns.index(key_column)] for row in cells]
    if not _are_distinct(keys):
        expected = f"distinct cells of at most {LONGEST_KEY} characters"
        raise ValueError(f"key column {key_column!r} cannot identify the rows, expected {expected}")
    return keys


def _are_distinct(keys: Sequence[str]) -> bool:
    return len(set(keys)) == len(keys) and all(key and len(key) <= LONGEST_KEY for key in keys)


def _id_part(cell: str) -> str:
    """Return a cell with a dash for each run of characters not allowed in ids; a leading minus stays."""
    sign = "-" if re.match(r"-[0-9.]", cell) else ""
    return sign + re.sub(r"[^A-Za-z0-9.+_*]+", "-", cell).strip("-")


def names_in(tags: Sequence[str], prefix: str) -> Iterator[str]:
    """Return the names in tags with a prefix such as `case:`."""
    return (tag.removeprefix(prefix) for tag in tags if tag.startswith(prefix))
