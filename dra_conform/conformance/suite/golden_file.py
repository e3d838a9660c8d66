"""The content of a golden file, as its schema describes it."""

from __future__ import annotations

from typing import Any

import msgspec

StepOf = dict[str, Any]
"""A step as written: its key and its parameters."""


HEADER = "# yaml-language-server: $schema="


class GoldenTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows of cells; `key` names the column that identifies a row in case ids."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    key: str = ""


class GoldenDeviation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Then steps in some profiles, and why these releases deviate from the specification."""

    profiles: tuple[str, ...]
    reason: str
    then: tuple[StepOf, ...]


class GoldenStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"in_": "in"}):
    """A When step with its Then steps. `then` is optional except in the last step."""

    when: StepOf
    then: tuple[StepOf, ...] = ()
    in_: tuple[GoldenDeviation, ...] = ()


class GoldenCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"in_": "in"}):
    """A case: with `when`, `then` and `in` of its only step, or with `steps`."""

    case: str
    title: str
    requirements: tuple[str, ...]
    when: StepOf | None = None
    then: tuple[StepOf, ...] = ()
    in_: tuple[GoldenDeviation, ...] = ()
    steps: tuple[GoldenStep, ...] = ()
    given: tuple[StepOf, ...] = ()
    order: bool = False
    profiles: tuple[str, ...] | None = None
    table: GoldenTable | None = None


class GoldenFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A golden file. Its `given` steps apply to all its cases."""

    document: str
    area: str
    title: str
    cases: tuple[GoldenCase, ...]
    given: tuple[StepOf, ...] = ()
