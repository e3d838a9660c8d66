"""Upgrade check: what a later or earlier release does differently with the objects of manifests."""

from dra_conform.previews.upgrade_check.check import UpgradeCheck, check_upgrade
from dra_conform.previews.upgrade_check.findings import (
    CauseKind,
    DifferenceCause,
    FoundBy,
    Scope,
    UpgradeFinding,
    UpgradeSeverity,
)
from dra_conform.previews.upgrade_check.live_clusters import ReleaseClusters

__all__ = [
    "CauseKind",
    "DifferenceCause",
    "FoundBy",
    "ReleaseClusters",
    "Scope",
    "UpgradeCheck",
    "UpgradeFinding",
    "UpgradeSeverity",
    "check_upgrade",
]
