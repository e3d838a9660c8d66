"""The invariants of every state of a cluster."""
