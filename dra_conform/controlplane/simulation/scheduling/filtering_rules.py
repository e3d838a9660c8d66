"""The release switches of Filter."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class FilteringRules:
    """How the scheduler looks for a node."""

    errors_end_attempts: bool = switch("since 1.33")
    """An error on one node ends the attempt, although the claims fit on another one; else the first node that
    fits is taken (API/selector/failing-elsewhere)."""

    @staticmethod
    def of(profile: Profile) -> FilteringRules:
        """Those of a profile."""
        return settled(FilteringRules, profile)
