"""Previews: what manifests and dumps of clusters lead to, on the simulated API server and cluster."""
