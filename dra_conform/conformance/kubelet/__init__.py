"""The operation `kubelet`: a kubelet's calls to DRA drivers and the devices of its containers."""
