"""Comparison of the findings of a simulated upgrade with those of an upgrade of control planes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dra_conform.previews.upgrade_check.findings import FoundBy, UpgradeFinding


def compared(simulated: Sequence[UpgradeFinding], live: Sequence[UpgradeFinding]) -> Iterator[UpgradeFinding]:
    """Yield the findings of both, each with where it was found.

    A finding of both has the values of the control planes, and the cause that the simulation has found.
    """
    unmatched = {_key(finding): finding for finding in simulated}
    for finding in live:
        other = unmatched.pop(_key(finding), None)
        if other is None:
            yield replace(finding, found_by=FoundBy.LIVE)
            continue
        values = other.before, other.after
        differing = values if values != (finding.before, finding.after) else None
        causes = finding.causes or other.causes
        yield replace(finding, causes=causes, found_by=FoundBy.BOTH, simulated=differing)
    for finding in unmatched.values():
        yield replace(finding, found_by=FoundBy.SIMULATION)


def _key(finding: UpgradeFinding) -> tuple[str, ...]:
    place = finding.kind, finding.name, finding.path
    return (finding.step.title, finding.severity, finding.aspect, finding.scope, *place)
