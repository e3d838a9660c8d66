"""DRA drivers as implementations: a driver's process on a node of its own, with an emulated kubelet."""
