"""The requirements: testable statements of the specification."""

from __future__ import annotations

from dataclasses import dataclass

MUST, SHOULD, MAY, FUTURE = "MUST", "SHOULD", "MAY", "FUTURE"
"""The levels of requirements."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One testable statement of the specification.

    `id`: stable, such as `KEP-5075/rounding/step-up`. `level`: MUST, SHOULD, MAY or FUTURE. `operation`: the
    kind of question that tests the statement (`consume`, `allocate`, `admit`, ...). `section`: its section in
    the document. `interpretation`: the interpretation of an unclear statement, empty for a clear statement.
    `polarity`: whether cases of the statement succeed (`accepts`), are rejected (`rejects`), or both.
    `untestable`: why no implementation behind a protocol can be tested for the statement, empty if it can.
    `link`: the URL of the section, empty if unknown.
    """

    id: str
    document: str
    area: str
    level: str
    operation: str
    section: str
    statement: str
    interpretation: str = ""
    polarity: frozenset[str] = frozenset({"accepts"})
    untestable: str = ""
    link: str = ""
