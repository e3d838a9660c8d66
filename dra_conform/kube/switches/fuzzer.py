"""Switches of the comparison of two implementations."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, switch


@dataclass(frozen=True, slots=True)
class FuzzerSwitches(Switches):
    """Which differences between two answers count as faults, and which objects are generated."""

    READ_BY = (Reader.FUZZER,)

    search_order_known: bool = switch("since 1.33")
    """The order of the search decides whether a selector error or an allocation comes first, and equal
    devices are allocated with equal details. The specification has no such order."""
    unknown_rules: bool = switch("since 1.33")
    """A missing allocation can be right, because a release can have rules that the judge does not know."""
    groups_recorded: bool = switch("kep")
    """Generated allocations record the compatibility groups of their devices (KEP-5963)."""
