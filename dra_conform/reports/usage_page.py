"""The HTML page of usage and limits: a bar for each limit, those that are exceeded first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform import __version__
from dra_conform.kube.quantity import Quantity
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


def render(bars: Sequence[UsageBar], title: str, files: str, changes: str) -> str:
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
