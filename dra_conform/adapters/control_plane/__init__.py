"""A real control plane of one's own: etcd, API server, scheduler, controllers, on the loopback."""
