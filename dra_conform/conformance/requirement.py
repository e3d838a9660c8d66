"""The requirements: testable statements of the specification."""

from __future__ import annotations

from dataclasses import dataclass

MUST, SHOULD, MAY, FUTURE = "MUST", "SHOULD", "MAY", "FUTURE"
"""The levels of requirements."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One statement of a document.

    `id` is stable, such as `KEP-5075/rounding/step-up`; `level` is MUST, SHOULD, MAY or FUTURE; `operation`
    says through what it shows (`consume`, `allocate`, `admit`, ...); `section` is where the document says it;
    `reading` is how we read an unclear text, empty where it is clear. `polarity` is what the statement can
    show: `accepts`, `refuses`, or both. `unshowable` is why no implementation behind a protocol could show
    it, empty for all others. `link` is the address of the section, empty where none is known.
    """

    id: str
    document: str
    area: str
    level: str
    operation: str
    section: str
    statement: str
    reading: str = ""
    polarity: frozenset[str] = frozenset({"accepts"})
    unshowable: str = ""
    link: str = ""
