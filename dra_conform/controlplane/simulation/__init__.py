"""The simulated cluster: stories in, what was observed out. No threads, no sleeping."""

from dra_conform.controlplane.simulation.running import Unsettled
from dra_conform.controlplane.simulation.simulated_cluster import SimulatedCluster

__all__ = ["SimulatedCluster", "Unsettled"]
