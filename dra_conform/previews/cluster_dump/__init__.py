"""Dumps of clusters: the objects that `kubectl get -o json` prints, and what changes would make of them."""

from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects
from dra_conform.previews.cluster_dump.reading import ClusterDump, read_dump

__all__ = ["ClusterDump", "ClusterObjects", "read_dump"]
