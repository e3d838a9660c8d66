"""Ids of cases: `document/area/name`, and for a row of a table a key in brackets, `document/area/name[key]`.

The author chooses the name, which stays when the title changes: a tag `@case:name` in a feature file,
`case: name` in a golden file. Document and area are those of the file.

A renamed case is still found by its former id. `requirements/former-ids.txt` has a line for each: the former
id, a blank, and the current id. `requirements/released-ids.txt` lists the ids of the last release, if there
was one. Each of these is a current or a former id. An id without a row means all rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from types import MappingProxyType

from dra_conform.kube.errors import InputError

NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,58}[a-z0-9])?")
"""The name of a case: at most 60 characters."""

NAME_IN_WORDS = "at most 60 lower-case letters, digits, dashes and dots"
LONGEST_KEY = 40
_LARGEST_KEY_COLUMNS = 3


def case_id(file: str, name: str, key: str = "") -> str:
    """Return the id of the case `name` in a file such as `golden/kep-5075/rounding.yaml`."""
    path = file.partition("/")[2].rpartition(".")[0]
    return f"{path}/{name}[{key}]" if key else f"{path}/{name}"


def repeated_column(columns: Sequence[str]) -> int | None:
    """Return the index of the first column whose name an earlier column has, None if names are distinct."""
    return next((index for index, name in enumerate(columns) if name in columns[:index]), None)


def row_keys(columns: Sequence[str], rows: Sequence[Sequence[str]], key_column: str = "") -> list[str]:
    """Return a key for each row. The key is the cell in the marked column.

    Without a marked column, it consists of as few cells as make the keys distinct, or is the number of the
    row. `rows` are cells as written. Of equally short choices, the leftmost columns are used. Raises
    ValueError if the marked column does not exist or its cells are not distinct.
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


FILE = "requirements/former-ids.txt"
RELEASED = "requirements/released-ids.txt"


@dataclass(frozen=True, slots=True)
class FormerIds:
    """The current id of each former id. `used` has the former ids that were looked up, in order."""

    present_ids: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def present(self, case_id: str) -> str:
        """Return the current id of a case, given its current id or a former id."""
        name, bracket, row = case_id.partition("[")
        present = self.present_ids.get(case_id)
        if present is None and name in self.present_ids:
            present = self.present_ids[name] + bracket + row
        if present is None:
            return case_id
        self.used[case_id] = present
        return present

    def notes(self) -> Iterator[str]:
        """Return a line for each former id that was looked up."""
        return (f"{former} is now {present}" for former, present in self.used.items())


def read_former_ids(root: Path) -> FormerIds:
    """Return the former ids of a suite, none if it has no file of former ids; raises InputError."""
    present_ids: dict[str, str] = {}
    for number, line in _lines(root / FILE):
        former, _, present = line.partition(" ")
        if not present or " " in present.strip():
            raise InputError(
                FILE, number, "", f"is {line!r}, expected a former id, a blank and the current id"
            )
        if former in present_ids:
            raise InputError(FILE, number, former, "is listed twice, expected one line for each former id")
        present_ids[former] = present.strip()
    return FormerIds(MappingProxyType(present_ids))


def wrong_ids(root: Path, former: FormerIds, case_ids: Iterable[str]) -> Iterator[InputError]:
    """Yield former ids that are the id of a case or map to no case, and released ids that have no case."""
    known = set(case_ids)
    known |= {case_id.partition("[")[0] for case_id in known}
    for name, present in former.present_ids.items():
        if present not in known:
            yield InputError(
                FILE, None, name, f"maps to {present}, which is not a case, expected the id of a case"
            )
        if name in known:
            yield InputError(FILE, None, name, "is the id of a case, expected an id that no case has")
    for number, released in _lines(root / RELEASED):
        if former.present(released) not in known:
            message = f"is not the id of a case, expected a line in {FILE} that maps it to a case"
            yield InputError(RELEASED, number, released, message)
    former.used.clear()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    if path.is_file():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield number, line.strip()
