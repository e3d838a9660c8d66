"""Former ids of cases: a case that gets another id is still found by the one it had.

`requirements/former-ids.txt` has a line for each, the former id and the present one with a blank between
them. `requirements/released-ids.txt` lists the ids of the last release, if there was one: each is the id of a
case or a former id. Both ids of a line may leave out the row, and then stand for all rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from dra_conform.kube.errors import InputError

FILE = "requirements/former-ids.txt"
RELEASED = "requirements/released-ids.txt"


@dataclass(frozen=True, slots=True)
class FormerIds:
    """The present id of each former one. `used` collects those that somebody asked for, in that order."""

    present_ids: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def present(self, case_id: str) -> str:
        """The present id of a case, by any id it had."""
        name, bracket, row = case_id.partition("[")
        found = self.present_ids.get(case_id)
        if found is None and name in self.present_ids:
            found = self.present_ids[name] + bracket + row
        if found is None:
            return case_id
        self.used[case_id] = found
        return found

    def notes(self) -> Iterator[str]:
        """A line for each former id that was used."""
        return (f"{former} is now {present}" for former, present in self.used.items())


def read_former_ids(root: Path) -> FormerIds:
    """The former ids of a suite, none without the file; raises InputError."""
    found: dict[str, str] = {}
    for number, line in _lines(root / FILE):
        former, _, present = line.partition(" ")
        if not present or " " in present.strip():
            raise InputError(FILE, number, "", f"is {line!r}, expected a former id and the present one")
        if former in found:
            raise InputError(FILE, number, former, "is there twice, expected one present id")
        found[former] = present.strip()
    return FormerIds(MappingProxyType(found))


def wrong_ids(root: Path, former: FormerIds, case_ids: Iterable[str]) -> Iterator[InputError]:
    """Former ids that lead to no case or are in use, and released ids that lead to no case."""
    known = set(case_ids)
    known |= {case_id.partition("[")[0] for case_id in known}
    for name, present in former.present_ids.items():
        if present not in known:
            yield InputError(FILE, None, name, f"leads to {present}, expected the id of a case")
        if name in known:
            yield InputError(FILE, None, name, "is the id of a case, expected one that no case has any more")
    for number, released in _lines(root / RELEASED):
        if former.present(released) not in known:
            message = f"is no case any more, expected a line for it in {FILE}"
            yield InputError(RELEASED, number, released, message)
    former.used.clear()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are neither empty nor comments."""
    if path.is_file():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield number, line.strip()
