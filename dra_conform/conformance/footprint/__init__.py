"""The operation `footprint`: the node resource usage of a pod."""
