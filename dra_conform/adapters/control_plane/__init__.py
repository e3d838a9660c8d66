"""A control plane that is started for a run: etcd, API server, scheduler and controllers on the loopback."""
