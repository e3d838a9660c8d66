"""Static checks of ResourceSlices that DRA drivers publish, and of DeviceClasses for their devices."""

from dra_conform.previews.slice_lint.lint import LintResult, lint
from dra_conform.previews.slice_lint.published import LintFinding, LintSeverity

__all__ = ["LintFinding", "LintResult", "LintSeverity", "lint"]
