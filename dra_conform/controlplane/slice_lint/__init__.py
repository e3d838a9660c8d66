"""Static checks of ResourceSlices that DRA drivers publish, and of DeviceClasses for their devices."""

from dra_conform.controlplane.slice_lint.findings import Finding, Severity
from dra_conform.controlplane.slice_lint.lint import LintResult, lint

__all__ = ["Finding", "LintResult", "Severity", "lint"]
