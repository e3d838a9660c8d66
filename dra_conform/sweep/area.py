"""The interface of an area: its rows, the requests that test the rows, and the expected result of each
row."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import polars as pl

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.question import SweepQuestion


@dataclass(frozen=True, slots=True)
class CaseSteps:
    """The steps of a golden case that shows one row, and the document of its requirements."""

    document: str
    given: Sequence[Mapping[str, Json]]
    when: Mapping[str, Json]
    then: Sequence[Mapping[str, Json]]


class SweepRow(Protocol):
    """A row of a sweep."""

    @property
    def policy_class(self) -> str:
        """The policy class of the row, which is a column in the pictures of the report."""
        ...

    @property
    def classes(self) -> tuple[str, ...]:
        """The value class of each factor of the area."""
        ...

    @property
    def family(self) -> str:
        """The rule that determines the expected result of the row. Differences in rows of one family can have
        one cause."""
        ...

    def complexity(self) -> tuple[int, ...]:
        """Return numbers that are smaller for a simpler row."""
        ...

    def texts(self) -> Mapping[str, str | None]:
        """Return the inputs of the row as strings, by column of the output files."""
        ...


R = TypeVar("R", bound=SweepRow)


class Area(ABC, Generic[R]):
    """An area of a sweep over rows `R`."""

    name: ClassVar[str]
    operation: ClassVar[str]
    factors: ClassVar[tuple[str, ...]]
    """The factors whose classes are combined; the first is that of `policy_class`."""
    gates: ClassVar[tuple[str, ...]]
    """The feature gates that the area turns on. A profile without one of them cannot run the area."""

    @abstractmethod
    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[R]:
        """Yield a row for each possible combination of value classes.

        Rows that no API server admits are only yielded if `inadmissible`.
        """

    @abstractmethod
    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[R]:
        """Return `count` random rows."""

    @abstractmethod
    def expected(self, rows: Sequence[R], profile: Profile) -> pl.DataFrame:
        """Return the columns `expected` (an outcome) and `expected_nano` (null without a quantity)."""

    @abstractmethod
    def textbook(self, row: R, profile: Profile) -> RowDecision | None:
        """Return the expected result of a row by the textbook rules, None if no rule applies."""

    @abstractmethod
    def questions(
        self, rows: Sequence[R], expected: Sequence[RowOutcome], profile: Profile
    ) -> Iterator[SweepQuestion]:
        """Yield requests that test all rows. `expected` only determines which rows are in one request."""

    @abstractmethod
    def case(self, row: R, expected: RowDecision, profile: Profile, *, short: bool) -> CaseSteps:
        """Return a row as steps of a golden case; with `short`, in the short notation of the steps."""


AnyArea: TypeAlias = Area[Any]
"""An area with rows of any type."""
