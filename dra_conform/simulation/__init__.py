"""The simulated cluster: actions in, observations out. It has no threads and does not sleep."""

from dra_conform.simulation.running import Unsettled
from dra_conform.simulation.simulated_cluster import SimulatedCluster

__all__ = ["SimulatedCluster", "Unsettled"]
