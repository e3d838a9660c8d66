"""The release switches of quota usage."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.footprint import FootprintRules
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import area, gate, settled, switch, when


@dataclass(frozen=True, slots=True)
class QuotaRules:
    """How quota usage is counted in a profile."""

    adjusted: bool = switch(when("kep", "since 1.35") & gate("DRAExtendedResource"))
    """Claims also count in the quotas of extended resources
    (KEP-5004/quota/worked-example-after-adjustment)."""
    implicit_in_pods: bool = switch("kep", "since 1.35")
    """Pods count in the quotas of implicit extended resources that they request
    (KEP-5004/quota/key-prefix)."""
    first_claim_only: bool = switch("kep", "since 1.36")
    """If the status of a pod names no extended-resource claim, only its oldest one counts with the pod
    (KEP-5004/quota/no-double-count)."""
    footprint: FootprintRules = area(FootprintRules)
    """How the node resource usage of claims is recorded."""
    claims_of_nodes: bool = switch(when("kep-future"))
    """The node resource usage of a pod's claims counts like requests
    (KEP-5517/accounting/quota-includes-dra)."""

    @staticmethod
    def of(profile: Profile) -> QuotaRules:
        """Return the switches of a profile with its gates."""
        return settled(QuotaRules, profile)
