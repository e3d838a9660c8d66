"""All faults of kubelets."""

from __future__ import annotations

from tests.faulty.kubelets import from_documents
from tests.faulty.kubelets.faults import FAULTS

MODULES = (from_documents,)
"""The modules that define further faults."""

__all__ = ["FAULTS", "MODULES"]
