"""Former ids of cases, by which a renamed case is still found.

`requirements/former-ids.txt` has a line for each: the former id, a blank, and the present id.
`requirements/released-ids.txt` lists the ids of the last release, if there was one. Each of these is a
present or a former id. An id without a row means all rows.
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
    """The present id of each former id. `used` has the former ids that were looked up, in order."""

    present_ids: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def present(self, case_id: str) -> str:
        """Return the present id of a case, given its present id or a former id."""
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
                FILE, number, "", f"is {line!r}, expected a former id, a blank and the present id"
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
