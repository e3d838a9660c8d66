"""The simulated API server over HTTP, for Kubernetes clients such as DRA drivers."""
