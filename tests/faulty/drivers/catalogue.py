"""All faults, in the order of the driver's work."""

from __future__ import annotations

from tests.faulty.drivers import (
    fourth_round,
    from_documents,
    health,
    identifying,
    preparing,
    publishing,
    registering,
    restarting,
    second_devices,
    second_round,
    third_round,
    unpreparing,
)
from tests.faulty.drivers.fault import FAULTS

MODULES = (
    registering,
    publishing,
    preparing,
    identifying,
    unpreparing,
    restarting,
    health,
    from_documents,
    second_round,
    third_round,
    second_devices,
    fourth_round,
)
"""The modules that define faults."""

__all__ = ["FAULTS", "MODULES"]
