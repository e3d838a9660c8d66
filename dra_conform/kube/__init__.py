"""Kubernetes as data: quantities, API objects, manifests, versions, gates, releases and profiles."""
