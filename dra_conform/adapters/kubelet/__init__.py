"""A kubelet under test: its process, a node with emulated DRA drivers, and its observations."""
