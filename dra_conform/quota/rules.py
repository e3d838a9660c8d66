"""The release switches of quota usage."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.footprint import FootprintRules
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import area, gate, settled, switch, when


@dataclass(frozen=True, slots=True)
class QuotaRules:
    """How usage is counted in a profile."""

    adjusted: bool = switch(when("kep", "since 1.35") & gate("DRAExtendedResource"))
    """Claims count in the quotas of extended resources, too.

    KEP-5004/quota/worked-example-after-adjustment.
    """
    implicit_in_pods: bool = switch("kep", "since 1.35")
    """Pods count in the quota of the implicit name that they use (KEP-5004/quota/key-prefix)."""
    first_claim_only: bool = switch("kep", "since 1.36")
    """As long as a pod does not name its special claim, only the oldest can be that
    (KEP-5004/quota/no-double-count)."""
    footprint: FootprintRules = area(FootprintRules)
    """How what claims take of nodes is recorded."""
    claims_of_nodes: bool = switch(when("kep-future"))
    """What the claims of a pod take of its node counts as what it requests does
    (KEP-5517/accounting/quota-includes-dra)."""

    @staticmethod
    def of(profile: Profile) -> QuotaRules:
        """Those of a profile with its gates."""
        return settled(QuotaRules, profile)
