"""The release switch of the scheduler's Filter phase."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class FilteringRules:
    """How an error on one node affects the search for a node."""

    errors_end_attempts: bool = switch("since 1.33")
    """An error on one node ends the attempt even if the claims can be allocated on another node. Otherwise
    the first node that fits is chosen (API/selector/failing-elsewhere)."""

    @staticmethod
    def of(profile: Profile) -> FilteringRules:
        """Return the switches of a profile."""
        return settled(FilteringRules, profile)
