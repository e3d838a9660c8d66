"""Upgrade check: what a later or earlier release does differently with the objects of manifests."""

from dra_conform.controlplane.upgrade_check.check import UpgradeCheck, check_upgrade
from dra_conform.controlplane.upgrade_check.findings import Cause, CauseKind, Finding, Scope, Severity

__all__ = ["Cause", "CauseKind", "Finding", "Scope", "Severity", "UpgradeCheck", "check_upgrade"]
