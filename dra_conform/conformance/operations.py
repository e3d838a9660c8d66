"""The table of all operations."""

from __future__ import annotations

from dra_conform.conformance.admit.operation import ADMIT
from dra_conform.conformance.allocate.operation import ALLOCATE
from dra_conform.conformance.cluster.operation import CLUSTER
from dra_conform.conformance.driver.operation import DRIVER
from dra_conform.conformance.footprint.operation import FOOTPRINT
from dra_conform.conformance.kubelet.operation import KUBELET
from dra_conform.conformance.operation import Operation
from dra_conform.conformance.schedule.operation import SCHEDULE
from dra_conform.conformance.usage.operation import USAGE

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (ALLOCATE, ADMIT, FOOTPRINT, USAGE, SCHEDULE, CLUSTER, DRIVER, KUBELET)
}
"""All operations by name."""
