"""What of published devices bears on the resources of nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Json = Any


def node_resources_of_devices(slices: Iterable[Json]) -> bool:
    """Whether devices are published that are, or that need, some of a node's own resources (KEP-5517)."""
    fields = ("nodeAllocatableResourceMappings", "nodeAllocatableResources")
    return any(
        device.get(field) for one in slices for device in one["spec"].get("devices") or () for field in fields
    )
