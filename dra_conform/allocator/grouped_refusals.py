"""Grouping of failure reasons into few lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dra_conform.allocator.refusals import Refusal
from dra_conform.kube.category import Category
from dra_conform.kube.listing import listed

_GROUPS = 6
"""So many reasons of one category are told apart."""


@dataclass(frozen=True, slots=True)
class RefusalGroup:
    """What one request does not get for one reason.

    `devices` are `driver/pool/device`, empty where the request as a whole is refused, and `driver/pool` where
    it is about a pool and no request; `slices` are names of ResourceSlices, where it is about these.
    """

    claim: str
    request: str
    category: Category
    message: str
    devices: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()

    def __str__(self) -> str:
        reason = f"{self.category}: {self.message}"
        if self.slices:  # the names of several would be others on each node
            named = f" ({self.slices[0]})" if len(self.slices) == 1 else ""
            return f"{_counted(len(self.slices), 'slice')}: {reason}{named}"
        if not self.devices or not self.request:
            return reason
        return f"{_counted(len(self.devices), 'device')}: {reason} ({listed(_short(self.devices))})"


def grouped(refusals: Iterable[Refusal]) -> tuple[RefusalGroup, ...]:
    """The refusals by claim, request and reason, in the order in which these were met first.

    Where devices are refused for more than a few reasons of one category, those behind are one group.
    """
    found: dict[tuple[str, str, Category, str], list[Refusal]] = {}
    reasons: dict[tuple[str, str, Category], set[str]] = {}
    for one in refusals:
        message = "for other nodes" if one.slice else one.message
        known = reasons.setdefault((one.claim, one.request, one.category), set())
        if message not in known and len(known) == _GROUPS and one.device:
            message = "likewise, with other amounts"
        else:
            known.add(message)
        found.setdefault((one.claim, one.request, one.category, message), []).append(one)
    return tuple(
        RefusalGroup(
            *key,
            devices=tuple(one.device for one in members if one.device and not one.slice),
            slices=tuple(one.slice for one in members if one.slice),
        )
        for key, members in found.items()
    )


def told(groups: Sequence[RefusalGroup]) -> Iterator[str]:
    """Lines for a person: a heading for each request, its reasons indented by two below it."""
    heading = ""
    for one in groups:
        subject = ", ".join(
            f"{kind} {name}" for kind, name in (("claim", one.claim), ("request", one.request)) if name
        )
        if subject != heading:
            heading = subject
            if subject:
                yield subject
        yield f"  {one}" if subject else str(one)


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def _short(devices: Sequence[str]) -> tuple[str, ...]:
    """Devices by their names alone where they are of one pool."""
    pools = {one.rpartition("/")[0] for one in devices}
    return tuple(one.rpartition("/")[2] for one in devices) if len(pools) == 1 else tuple(devices)
