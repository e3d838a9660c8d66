"""The kinds that can be written."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import resource_slice
from dra_conform.controlplane.apiserver.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "ResourceSlice": resource_slice.STRATEGY,
}
"""The strategy of each kind."""
