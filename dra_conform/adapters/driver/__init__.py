"""DRA drivers under test: each runs as a process on a node of its own, with an emulated kubelet."""
