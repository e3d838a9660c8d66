"""The operation `cluster`: actions on a cluster, with an observation after each."""
