"""The HTML page of remaining capacity: devices and counters of each node as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform import __version__
from dra_conform.controlplane.remaining_capacity import RemainingPool, RemainingQuantity
from dra_conform.reports.page_templates import NO_SCRIPTS, template_environment

COLOURS = 8
"""The number of colours for claims and devices; further ones reuse them."""

_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a bar: `width` in hundredths of a percent of the bar, `colour` from 0."""

    holder: str
    text: str
    width: int
    colour: int


def render(pools: Sequence[RemainingPool], title: str) -> str:
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
