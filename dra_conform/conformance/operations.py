"""The table of all operations."""

from __future__ import annotations

from dra_conform.conformance.admit.operation import Admit
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.cluster.operation import Cluster
from dra_conform.conformance.driver.operation import Driver
from dra_conform.conformance.footprint.operation import Footprint
from dra_conform.conformance.kubelet.operation import Kubelet
from dra_conform.conformance.operation import AnyOperation
from dra_conform.conformance.schedule.operation import Schedule
from dra_conform.conformance.usage.operation import Usage

_ALL: tuple[AnyOperation, ...] = (
    *(Allocate(), Admit(), Footprint(), Usage(), Schedule(), Cluster()),
    *(Driver(), Kubelet()),
)

OPERATIONS: dict[str, AnyOperation] = {operation.name: operation for operation in _ALL}
"""All operations by name."""
