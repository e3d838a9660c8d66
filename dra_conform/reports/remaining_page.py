"""An HTML page of the remaining capacity: nodes, devices and counters as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from dra_conform import __version__
from dra_conform.controlplane.remaining_capacity import AmountLeft, PoolLeft

COLOURS = 8
"""So many holders are told apart by colour; then the colours come again."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a bar: `width` in hundredths of a percent of it, `colour` from 0."""

    holder: str
    text: str
    width: int
    colour: int


def render(pools: Sequence[PoolLeft], title: str) -> str:
    """The page: self-contained, without scripts. `title` says which manifests it is about."""
    environment = Environment(
        loader=PackageLoader("dra_conform.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    nodes: dict[str, list[PoolLeft]] = {}
    for pool in pools:
        nodes.setdefault(pool.node, []).append(pool)
    colours = _Colours()
    return environment.get_template("left.html.jinja").render(
        nodes=nodes,
        colour_of=colours.of,
        segments=colours.segments,
        policy=_POLICY,
        title=title,
        version=__version__,
    )


class _Colours:
    """A colour for each claim, and for each device that draws on counters, as they are met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, holder: str) -> int:
        return self._numbers.setdefault(holder, len(self._numbers)) % COLOURS

    def segments(self, amount: AmountLeft) -> tuple[Segment, ...]:
        """The pieces that are held; what is missing to the whole bar is left."""
        total = max(amount.total.nano, sum(part.amount.nano for part in amount.parts), 1)
        return tuple(
            Segment(part.holder, str(part.amount), part.amount.nano * _WHOLE // total, self.of(part.holder))
            for part in amount.parts
        )
