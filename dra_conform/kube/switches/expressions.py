"""What the CEL expressions of device selectors may use."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, gate, switch, when

_LISTS = gate("DRAListTypeAttributes")


@dataclass(frozen=True, slots=True)
class ExpressionSwitches(Switches):
    """The CEL environments of stored and of new expressions.

    The allocator compiles stored expressions, for which feature gates matter less. The API server validates
    new expressions, which may use only enabled features and functions that the previous release has too.
    """

    READ_BY = (Reader.EXPRESSIONS,)

    stored_lists: bool = switch(_LISTS, "since 1.37")
    """In stored expressions, attributes may be lists, so macros over an attribute compile."""
    stored_includes: bool = switch(_LISTS, "since 1.36")
    """In stored expressions, the function `includes` exists."""
    stored_durations_of_ints: bool = switch("kep", "until 1.36")
    """In stored expressions, the function `duration` accepts an int."""
    new_lists: bool = switch(_LISTS)
    """In new expressions, attributes may be lists."""
    new_includes: bool = switch(_LISTS, "since 1.38")
    """In new expressions, the function `includes` exists."""
    new_durations_of_ints: bool = switch("until 1.36")
    """In new expressions, the function `duration` accepts an int."""
    new_sharing: bool = switch(gate("DRAConsumableCapacity"))
    """In new expressions, `device` has the field allowMultipleAllocations."""
    new_list_functions: bool = switch(when("kep", "since 1.35"))
    """In new expressions, the list functions of Kubernetes 1.34 exist, such as `slice` and `sort`."""
