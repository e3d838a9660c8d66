"""HTML pages with bars: the usage and limits of a cluster, those that are exceeded first, and the remaining
capacity of the devices and counters of each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform import __version__
from dra_conform.kube.quantity import Quantity
from dra_conform.previews.remaining_capacity import RemainingPool, RemainingQuantity
from dra_conform.reports.page_templates import NO_SCRIPTS, template_environment

SHOWN = 1_000
"""The largest number of bars of a page."""

_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class UsageBar:
    """The usage of a resource before and after changes, its limit, and what counts in it."""

    group: str
    name: str
    before: Quantity
    after: Quantity
    limit: Quantity
    reasons: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the usage after changes exceeds the limit."""
        return self.after > self.limit

    @property
    def share(self) -> int:
        """The usage after changes in hundredths of a percent of the limit; the largest for a limit of 0."""
        if self.limit <= Quantity(0):
            return _WHOLE * 100 * bool(self.after)
        return self.after.nano * _WHOLE // self.limit.nano

    @property
    def widths(self) -> tuple[int, int, int]:
        """The widths of the usage that remains, of what changes add below the limit, and of what exceeds it,
        in hundredths of a percent of the bar."""
        remaining = min(self.before, self.after, self.limit)
        below = min(self.after, self.limit)
        return self._width(remaining), self._width(below - remaining), self._width(self.after - below)

    @property
    def mark(self) -> int:
        """The place of the limit in hundredths of a percent of the bar."""
        return self._width(self.limit)

    def _width(self, quantity: Quantity) -> int:
        whole = max(self.after, self.limit, Quantity(1))
        return max(quantity.nano, 0) * _WHOLE // whole.nano


def render_usage(bars: Sequence[UsageBar], title: str, files: str, changes: str) -> str:
    """Render the page, self-contained and without scripts.

    `files` names the files of the cluster, `changes` those of changes, empty without changes.
    """
    environment = template_environment()
    ordered = sorted(bars, key=lambda bar: (not bar.over, -bar.share, bar.group, bar.name))
    return environment.get_template("usage.html.jinja").render(
        bars=ordered[:SHOWN],
        hidden=len(ordered) - SHOWN,
        over=sum(bar.over for bar in bars),
        total=len(bars),
        title=title,
        files=files,
        changes=changes,
        policy=NO_SCRIPTS,
        version=__version__,
    )


COLOURS = 8
"""The number of colours for claims and devices; further ones reuse them."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a bar: `width` in hundredths of a percent of the bar, `colour` from 0."""

    holder: str
    text: str
    width: int
    colour: int


def render_remaining(pools: Sequence[RemainingPool], title: str) -> str:
    """Render the page, self-contained and without scripts. `title` names the manifests."""
    environment = template_environment()
    nodes: dict[str, list[RemainingPool]] = {}
    for pool in pools:
        nodes.setdefault(pool.node, []).append(pool)
    colours = _Colours()
    return environment.get_template("remaining.html.jinja").render(
        nodes=nodes,
        colour_of=colours.of,
        segments=colours.segments,
        policy=NO_SCRIPTS,
        title=title,
        version=__version__,
    )


class _Colours:
    """Colours for claims, and for devices that consume counters, in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, holder: str) -> int:
        return self._numbers.setdefault(holder, len(self._numbers)) % COLOURS

    def segments(self, amount: RemainingQuantity) -> tuple[Segment, ...]:
        """Return the allocated segments; the rest of the bar is remaining capacity."""
        total = max(amount.total.nano, sum(part.amount.nano for part in amount.parts), 1)
        return tuple(
            Segment(part.holder, str(part.amount), part.amount.nano * _WHOLE // total, self.of(part.holder))
            for part in amount.parts
        )
