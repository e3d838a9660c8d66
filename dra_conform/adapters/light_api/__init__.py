"""The simulated API server over HTTP, for programs that use a Kubernetes client, such as DRA drivers."""
