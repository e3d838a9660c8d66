"""The operation `cluster`: actions on a cluster, and what is observed after each."""
