"""All faults, in the order of the driver's work."""

from __future__ import annotations

from tests.faulty.drivers import (
    answering,
    devices_in_use,
    from_documents,
    health,
    identifying,
    node_files,
    preparing,
    publishing,
    registering,
    restarting,
    second_devices,
    slice_contents,
    unpreparing,
)
from tests.faulty.drivers.fault import FAULTS

MODULES = (
    registering,
    publishing,
    slice_contents,
    preparing,
    answering,
    identifying,
    devices_in_use,
    node_files,
    unpreparing,
    restarting,
    health,
    from_documents,
    second_devices,
)
"""The modules that define faults."""

__all__ = ["FAULTS", "MODULES"]
