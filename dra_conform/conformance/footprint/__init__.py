"""The operation `footprint`: what a pod takes from its node."""
