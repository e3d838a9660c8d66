"""The invariant of feature gates: no allocation uses a disabled feature."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.kube.resource import DeviceSubRequest


def features_enabled(decided: Decided) -> Iterator[str]:
    """No subrequest and no device with counters or binding conditions is used while its gate is off.

    DRA/feature-gate/prioritized-list-components, DRA/feature-gate/partitionable-components.
    """
    rules = decided.rules
    for taken in decided.taken:
        if isinstance(taken.request, DeviceSubRequest) and not rules.features.prioritized_list:
            yield f"{taken.label}: a subrequest is allocated, but DRAPrioritizedList is off"
        if taken.placed is None:
            continue
        device = taken.placed.device
        if device.consumes_counters and not rules.features.partitionable_devices:
            yield f"{taken.label}: device {device.name} consumes counters, but DRAPartitionableDevices is off"
        if device.binding_conditions and not rules.features.binding_conditions:
            yield (
                f"{taken.label}: device {device.name} has binding conditions, but DRADeviceBindingConditions "
                f"or DRAResourceClaimDeviceStatus is off"
            )
