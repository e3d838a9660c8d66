"""The operation `cluster`: a story of actions on a cluster, and what is observed after each."""
