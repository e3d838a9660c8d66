"""The HTML report of a sweep: pictures of value classes by policy classes, and the simplest failing cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from dra_conform import __version__
from dra_conform.kube.listing import counted
from dra_conform.sweep.areas.table import AREAS
from dra_conform.sweep.part import SweepSettings
from dra_conform.sweep.totals import CauseFound, CauseKey, SweepTotals

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"


@dataclass(frozen=True, slots=True)
class PictureCell:
    """A cell. `grade` tells which rows differ: empty (no rows), equal, known, some or all. `cause` is the
    number of its case."""

    grade: str
    text: str
    cause: int | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A table: the rows are policy classes, the columns are the value classes of one factor."""

    factor: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[PictureCell]]]


@dataclass(frozen=True, slots=True)
class CauseText:
    """A cause with its golden case."""

    found: CauseFound
    case: str


def render(
    totals: SweepTotals, settings: SweepSettings, name: str, cases: Mapping[CauseKey, str], pairs: str
) -> str:
    """Render the page, self-contained and without scripts.

    `name` is the implementation, `cases` the golden case of each cause, and `pairs` the coverage of
    pairs of classes in words.
    """
    environment = Environment(
        loader=PackageLoader("dra_conform.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    numbers = {key: number for number, key in enumerate(totals.causes)}
    return environment.get_template("sweep.html.jinja").render(
        totals=totals,
        settings=settings,
        name=name,
        pairs=pairs,
        pictures=[_picture(totals, factor, numbers) for factor in AREAS[settings.area].factors[1:]],
        policy_factor=AREAS[settings.area].factors[0],
        causes=[CauseText(cause, cases.get(key, "")) for key, cause in totals.causes.items()],
        policy=_POLICY,
        version=__version__,
    )


def _picture(totals: SweepTotals, factor: str, numbers: Mapping[CauseKey, int]) -> Picture:
    keys = [key for key in totals.cells if key[0] == factor]
    columns = sorted({policy for _, _, policy in keys})
    names = sorted({name for _, name, _ in keys})
    rows = [(name, [_cell(totals, (factor, name, policy), numbers) for policy in columns]) for name in names]
    return Picture(factor, columns, rows)


def _cell(totals: SweepTotals, key: tuple[str, str, str], numbers: Mapping[CauseKey, int]) -> PictureCell:
    rows, differing = totals.cells.get(key, (0, 0))
    if not rows:
        return PictureCell("empty", "no row", None)
    cause = totals.causes_of_cells.get(key)
    if cause is None:
        return PictureCell("equal", f"{counted(rows, 'row')}, all equal", None)
    grade = "known" if cause[2] else "all" if differing == rows else "some"
    return PictureCell(grade, f"{differing:,} of {counted(rows, 'row')} differ", numbers[cause])
