"""All faults of kubelets."""

from __future__ import annotations

from tests.faulty.kubelets import (
    after_preparing,
    after_restarts,
    changing_drivers,
    from_bug_reports,
    from_documents,
    generated_and_mapped,
    partly_handled,
    registering_and_preparing,
    several_drivers,
    several_instances,
)
from tests.faulty.kubelets.faults import FAULTS

MODULES = (
    from_documents,
    generated_and_mapped,
    after_restarts,
    partly_handled,
    changing_drivers,
    several_drivers,
    registering_and_preparing,
    after_preparing,
    from_bug_reports,
    several_instances,
)
"""The modules that define further faults."""

__all__ = ["FAULTS", "MODULES"]
