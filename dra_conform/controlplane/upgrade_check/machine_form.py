"""The JSON report of an upgrade check; `dra-conform schema upgrade-check` prints its schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.controlplane.upgrade_check.check import UpgradeCheck
from dra_conform.controlplane.upgrade_check.findings import Finding
from dra_conform.kube.profile import Profile

FORMAT = "dra-conform-upgrade-check/1"


def machine_form(check: UpgradeCheck, profiles: Sequence[Profile]) -> dict[str, Any]:
    """Return the report with the releases in the order of the steps, and every finding."""
    return {
        "format": FORMAT,
        "releases": [{"release": profile.release, "gates": dict(profile.gates)} for profile in profiles],
        "findings": [_finding(finding) for finding in check.findings],
        "notes": list(check.notes),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "from": finding.step.before.release,
        "to": finding.step.after.release,
        "severity": str(finding.severity),
        "aspect": str(finding.aspect),
        "scope": str(finding.scope),
        "file": finding.file,
        "line": finding.line,
        "kind": finding.kind,
        "name": finding.name,
        "path": finding.path,
        "before": finding.before,
        "after": finding.after,
        "causes": [
            {
                "kind": str(cause.kind),
                "name": cause.name,
                "words": cause.words,
                "requirements": list(cause.requirements),
            }
            for cause in finding.causes
        ],
    }
